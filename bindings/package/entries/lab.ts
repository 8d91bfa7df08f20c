/**
 * Small transformers that learn, each with a positional encoding: where it enters, how far it reaches beyond what it was
 * trained on, what attention makes of it. The same numbers on every machine.
 *
 * ```ts
 * import { load } from "posenc/lab";
 * const lab = await load();
 * const training = lab.training({ task: { type: "order" }, encoding: { type: "rope" } });
 * while (training.steps < training.options.optimizer.steps) training.step(50);
 * const { accuracy } = training.evaluate({ n: 64 });
 * ```
 *
 * @module
 */

import { loadFrom } from "posenc-api";
import type { LoadLab } from "../../js/types/index.js";
import { inside } from "./inside.js";

export type * from "../../js/types/index.js";

/** Compiles and starts the module; later calls share the instance. */
export const load: LoadLab = loadFrom(inside);
