/**
 * All of posenc: what the entry `posenc` offers, grids and Fourier features, relative encodings, learned tables,
 * and the rotary plans of published models.
 *
 * ```ts
 * import { load } from "posenc/full";
 * const pe = await load();
 * const bias = pe.alibi({ heads: 8, queries: 6, keys: 6 }); // { data: Float32Array, shape: [8, 6, 6] }
 * ```
 *
 * @module
 */

import { loadFrom } from "posenc-api";
import type { LoadFull } from "../../js/types/index.js";
import { inside } from "./inside.js";

export type * from "../../js/types/index.js";

/** Compiles and starts the module; later calls share the instance. */
export const load: LoadFull = loadFrom(inside);
