// Arrays of the caller's that results are written to: `out`, or `out.cos` and `out.sin`.

import { wrongType } from "./check.js";
import { typeOf, type Values, type View, viewOf } from "./view.js";

/** One of them as it was when the call began. */
export interface Out extends View {
  readonly name: string;
}

/** What was given under the names that a function knows; whether it fits is asked when its result's size is known. */
export function outsOf(names: readonly string[], given: unknown, name = "out"): Out[] {
  if (given === undefined) return [];
  if (names.includes(name)) {
    if (!typeOf(given)) throw wrongType(name, given, "a typed array");
    return [{ ...viewOf(given as Values), name }];
  }
  const known = names.filter((other) => other.startsWith(`${name}.`));
  if (known.length === 0 || typeof given !== "object" || given === null || typeOf(given)) {
    throw wrongType(name, given, (known.length === 0 ? names : known).join(", "));
  }
  return Object.entries(given).flatMap(([key, inner]) => outsOf(names, inner, `${name}.${key}`));
}
