/**
 * All of `posenc/full`, and the diagnosis of numbers that came from elsewhere.
 *
 * ```ts
 * import { load } from "posenc/tools";
 * const pe = await load();
 * const { verdict, text, explanations } = pe.diagnose({ before, after, positions: [0, 1, 2, 3, 5, 8, 13, 21] });
 * ```
 *
 * @module
 */

import { loadFrom } from "posenc-api";
import type { LoadTools } from "../../js/types/index.js";
import { inside } from "./inside.js";

export type * from "../../js/types/index.js";

/** Compiles and starts the module; later calls share the instance. */
export const load: LoadTools = loadFrom(inside);
