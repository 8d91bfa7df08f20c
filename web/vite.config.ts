import { defineConfig } from "vite";
import { bibtex } from "./plugins/citation";
import { earlyLibrary } from "./plugins/early-library";
import { licences } from "./plugins/licences";
import { metadata } from "./plugins/metadata";
import { contentSecurityPolicy } from "./plugins/policy";
import { serviceWorker } from "./plugins/service-worker";

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: the folder works from any sub-path.
  base: "./",
  define: { CITATION: JSON.stringify(bibtex()) },
  worker: { format: "es" },
  plugins: [earlyLibrary, contentSecurityPolicy, metadata, licences, serviceWorker],
  // The .wasm is a file of its own: smaller, and compiled while it arrives.
  resolve: { alias: [{ find: /^posenc(\/full)?$/, replacement: "posenc$1/external" }] },
  build: {
    outDir: "../build/page",
    emptyOutDir: true,
    target: "es2022",
    // Keeps light-dark(): its replacement would need inline styles, which the policy forbids.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      input: ["index", "more", "tools", "checked"].map((page) => `${import.meta.dirname}/${page}.html`),
      output: {
        manualChunks(id) {
          // Stored results are a file by themselves, fetched by pages that show them; so is what the lab trains with.
          if (/\/training\/(results\.json|queue\.ts)$/.test(id)) return id.endsWith(".ts") ? "queue" : "results";
          // What every page begins with: in one file it is smaller than in several.
          return /\/(core\/(bar|host|wait|arithmetic|format)|controls\/choices|panels\/first)\.ts$/.test(id)
            ? "shell"
            : undefined;
        },
      },
    },
  },
});
