// Stands in for what Observable, Deno's kernel and JupyterLite's give a cell: imports from the network, and a place for what
// it shows, which is written to shown.json.

import { writeFileSync } from "node:fs";
import { register } from "node:module";

const hooks = `
  const isNetwork = (specifier) => /^(npm:|https:\\/\\/cdn\\.jsdelivr\\.net\\/npm\\/)posenc(\\/\\+esm)?$/.test(specifier);
  export const resolve = (specifier, context, next) => next(isNetwork(specifier) ? "posenc" : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const show = (shown) => writeFileSync("shown.json", JSON.stringify(shown));

globalThis.self = globalThis;
globalThis.Plot = {
  raster: (values, options) => ({ values: Array.from(values), options }),
  plot: (options) => options,
};
globalThis.display = show;
globalThis.Deno = {
  jupyter: {
    html: (strings, ...values) => ({ html: String.raw({ raw: strings }, ...values) }),
    display: async (shown) => show(shown),
  },
};
