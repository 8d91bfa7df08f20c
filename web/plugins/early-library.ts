import type { Plugin } from "vite";

/** Matches the module that the first figures need; the larger one of the checked statements would delay their text. */
const start = /\/posenc-(?!full-|scalar-)[\w-]+\.wasm$/;

/** Preloads the library of the page of figures: it is fetched together with the scripts, not after them. */
export const earlyLibrary: Plugin = {
  name: "early-library",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(_, { path, bundle = {} }) {
      const own = path.endsWith("/index.html") ? Object.keys(bundle).filter((name) => start.test(name)) : [];
      // The first page that `npm start` serves contains the library, so nothing is preloaded there.
      return own.map((name) => ({
        tag: "link",
        attrs: { rel: "preload", as: "fetch", crossorigin: true, href: `./${name}` },
        injectTo: "head" as const,
      }));
    },
  },
};
