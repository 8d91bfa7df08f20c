import type { Plugin, UserConfig } from "vite";

// Put in by the build alone: the development server injects styles that such a policy would refuse.
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const contentSecurityPolicy: Plugin = {
  name: "content-security-policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: policy },
      injectTo: "head-prepend",
    },
  ],
};

const config: UserConfig = {
  root: import.meta.dirname,
  // Relative addresses: the folder works from any sub-path.
  base: "./",
  plugins: [contentSecurityPolicy],
  build: {
    outDir: "../build/page",
    rollupOptions: {
      input: ["index", "checked"].map((page) => `${import.meta.dirname}/${page}.html`),
    },
    emptyOutDir: true,
    target: "es2022",
    // light-dark() is written as it stands; lowering it would need what the policy forbids.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
};

export default config;
