import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** What a page may fetch and run; `scripts` and `styles` say which. */
export const policy = (scripts: string, styles: string) =>
  [
    "default-src 'self'",
    `script-src ${scripts} 'wasm-unsafe-eval'`,
    `style-src ${styles}`,
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

export const policyTag = (content: string) => ({
  tag: "meta",
  attrs: { "http-equiv": "Content-Security-Policy", content },
  injectTo: "head-prepend" as const,
});

/** A source that names one inline script or style by its text. */
export const hashOf = (content: string) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;

/** Put in by the build alone: the development server injects styles that such a policy would refuse. */
export const contentSecurityPolicy: Plugin = {
  name: "content-security-policy",
  apply: "build",
  transformIndexHtml: () => [policyTag(policy("'self'", "'self'"))],
};
