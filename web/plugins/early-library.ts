import type { Plugin } from "vite";

/** The library that a page starts with. */
const starts = { index: /\/posenc-(?!full-|scalar-)[\w-]+\.wasm$/, checked: /\/posenc-full-(?!scalar-)[\w-]+\.wasm$/ };

/** Pages ask for their library together with their scripts, not after them. */
export const earlyLibrary: Plugin = {
  name: "early-library",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(_, { path, bundle = {} }) {
      const [, file] = Object.entries(starts).find(([page]) => path.endsWith(`/${page}.html`)) ?? [];
      const own = Object.keys(bundle).filter((name) => file?.test(name));
      // The page that `npm start` opens with has the library inside.
      return own.map((name) => ({
        tag: "link",
        attrs: { rel: "preload", as: "fetch", crossorigin: true, href: `./${name}` },
        injectTo: "head" as const,
      }));
    },
  },
};
