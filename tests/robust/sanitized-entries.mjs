// Where the entries are that have sanitizers: below build/.
const folder = new URL("../../build/sanitized/", import.meta.url);
const files = { posenc: "index.js", "posenc/full": "full.js", "posenc/tools": "tools.js", "posenc/lab": "lab.js" };

export const resolve = (specifier, context, next) =>
  next(Object.hasOwn(files, specifier) ? new URL(files[specifier], folder).href : specifier, context);
