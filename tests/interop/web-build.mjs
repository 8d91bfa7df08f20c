// For programs in Node that import transformers.js as a page does: they get its build for pages, which computes with the
// onnxruntime-web beside it.

import { createRequire, register } from "node:module";
import { join } from "node:path";
import { folder } from "./packages.mjs";

const hooks = `
  export const resolve = async (specifier, context, next) => {
    const found = await next(specifier, context);
    return specifier === "@huggingface/transformers"
      ? { ...found, url: new URL("transformers.web.js", found.url).href }
      : found;
  };`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

globalThis[Symbol.for("onnxruntime")] = createRequire(join(folder, "package.json"))("onnxruntime-web");
