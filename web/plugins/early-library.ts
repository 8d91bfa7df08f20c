import type { Plugin } from "vite";

/** The library that the figures start with. Checked statements need a larger one, which would come before their words. */
const start = /\/posenc-(?!full-|scalar-)[\w-]+\.wasm$/;

/** The page of figures asks for its library together with its scripts, not after them. */
export const earlyLibrary: Plugin = {
  name: "early-library",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(_, { path, bundle = {} }) {
      const own = path.endsWith("/index.html") ? Object.keys(bundle).filter((name) => start.test(name)) : [];
      // The page that `npm start` opens with has the library inside.
      return own.map((name) => ({
        tag: "link",
        attrs: { rel: "preload", as: "fetch", crossorigin: true, href: `./${name}` },
        injectTo: "head" as const,
      }));
    },
  },
};
