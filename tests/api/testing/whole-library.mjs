// All functions: those of `posenc/tools`, and those of `posenc/lab`, which has a module of its own.
import { load as loadLab } from "posenc/lab";
import { load as loadTools } from "posenc/tools";

const labs = new WeakMap();

/** Loads both as one object; its buffers are those of tools. */
export function together(tools, lab) {
  const pe = { ...lab, ...tools };
  labs.set(pe, lab);
  return pe;
}

export const load = async (options) => together(await loadTools(options), await loadLab(options));

/** The libraries, each with a memory of its own. */
export const librariesOf = (pe) => [pe, labs.get(pe)];
