import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** Writes a content security policy that allows these sources of scripts and styles. */
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

/** The policy source of an inline script or style: its hash. */
export const hashOf = (content: string) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;

/** Adds the policy in builds only: the development server injects styles that it would refuse. */
export const contentSecurityPolicy: Plugin = {
  name: "content-security-policy",
  apply: "build",
  transformIndexHtml: () => [policyTag(policy("'self'", "'self'"))],
};
