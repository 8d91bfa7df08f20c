// Doubts about a rope dictionary that can be read: two names of its rule that disagree, and a factor below 1.

import type * as t from "../types/index.js";
import { dictionaryAt, type Json } from "./parsed-config.js";

/** Older names of the same rule: "mrope" says that positions have several axes, and leaves frequencies as they are. */
const same = new Map<unknown, unknown>([
  ["su", "longrope"],
  ["mrope", "default"],
  ["deepseek_yarn", "yarn"],
]);

const ruleOf = (name: unknown) => same.get(name) ?? name;

/** `type` beside a `rope_type` of another rule, which some engines read first; null where they agree, or one is missing. */
export function otherType(config: object, { path }: t.HubPlan): { type: string; ropeType: string } | null {
  const { type, rope_type: ropeType } = dictionaryAt(config as Json, path);
  if (typeof type !== "string" || typeof ropeType !== "string" || ruleOf(type) === ruleOf(ropeType)) return null;
  return { type, ropeType };
}

/** A factor below 1 of a rule that makes the length longer by it: the model would read less than it was trained on. */
export function shorteningFactor({ rotary: { scaling } }: t.HubPlan): number | null {
  if (scaling === undefined || !("factor" in scaling) || scaling.type === "longrope") return null;
  const { factor = 1 } = scaling;
  return factor < 1 ? factor : null;
}
