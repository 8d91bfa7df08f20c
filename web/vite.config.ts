import { defineConfig } from "vite";
import { bibtex } from "./plugins/citation";
import { earlyLibrary } from "./plugins/early-library";
import { licences } from "./plugins/licences";
import { contentSecurityPolicy } from "./plugins/policy";
import { serviceWorker } from "./plugins/service-worker";
import { singleFile } from "./plugins/single-file";
import { staticText } from "./plugins/static-text";
import { stills } from "./plugins/stills";

/**
 * A folder for a server, or with `--mode single` one file that can be mailed; with `--mode first` the folder without still
 * pictures, which are added later.
 */
export default defineConfig(({ mode }) => {
  const isSingle = mode === "single";
  const drawn = mode === "first" ? [] : [stills];
  const pages = isSingle ? ["index"] : ["index", "checked", "tools"];
  return {
    root: import.meta.dirname,
    // Relative addresses: the folder works from any sub-path.
    base: "./",
    define: { CITATION: JSON.stringify(bibtex()) },
    publicDir: isSingle ? false : "public",
    worker: { format: "es" },
    plugins: isSingle
      ? [singleFile]
      : [earlyLibrary, contentSecurityPolicy, staticText, ...drawn, licences, serviceWorker],
    // Served, the .wasm is a file of its own: smaller, and compiled while it arrives. One file has it inside.
    resolve: { alias: isSingle ? [] : [{ find: /^posenc(\/full)?$/, replacement: "posenc$1/external" }] },
    build: {
      outDir: isSingle ? "../build/single" : "../build/page",
      emptyOutDir: true,
      target: "es2022",
      // Keeps light-dark(): its replacement would need inline styles, which the policy forbids.
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      cssCodeSplit: !isSingle,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      rollupOptions: {
        input: pages.map((page) => `${import.meta.dirname}/${page}.html`),
        // Stored results are a file by themselves, fetched by the pages that show them.
        output: isSingle
          ? { inlineDynamicImports: true }
          : { manualChunks: (id) => (id.endsWith("/results.json") ? "results" : undefined) },
      },
    },
  };
});
