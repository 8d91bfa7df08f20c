/**
 * Positional encodings for transformers, exact at every position: sinusoids and rotary, and what it takes to use them.
 *
 * ```ts
 * import { load } from "posenc";
 * const pe = await load();
 * const table = pe.sinusoidal({ length: 6, dim: 512 }); // { data: Float32Array, shape: [6, 512] }
 * ```
 *
 * `posenc/full` offers the same and every other encoding, at about three times the size.
 *
 * A wrong argument throws: TypeError when it is not of the right type, RangeError when its value cannot be used. The
 * message names the argument, its value and what was expected, and nothing has changed.
 *
 * @module
 */

import { loadFrom } from "posenc-api";
import type { Load } from "../../js/types/index.js";
import { inside } from "./inside.js";

export type * from "../../js/types/index.js";

/** Compiles and starts the module; later calls share the instance. */
export const load: Load = loadFrom(inside);
