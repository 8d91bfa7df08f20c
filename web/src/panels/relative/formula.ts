import { short } from "../../draw/rounded";
import type { Model } from "./model";
import { state } from "./state";

/** Writes T5's bucket of an offset as a formula: near ones have a bucket each, far ones share. */
function bucket(offset: number): string {
  const both = state.relativeKeys.value === "both";
  const distance = both ? Math.abs(offset) : Math.max(0, -offset);
  const buckets = both ? Math.floor(state.t5Buckets.value / 2) : state.t5Buckets.value;
  const near = Math.floor(buckets / 2);
  const side = both && offset > 0 ? `${buckets} + ` : "";
  if (distance < near) return `${side}${distance}`;
  const ratio = `ln(${distance}/${near}) / ln(${state.t5MaxDistance.value}/${near})`;
  return `${side}min(${buckets - 1}, ${near} + ⌊${ratio} · ${buckets - near}⌋)`;
}

/** Writes the formula of the chosen number with its numbers. */
export function formula({ method, query, key, offset, slope }: Model): string {
  switch (method) {
    case "offset":
      return `j − i = ${key} − ${query}`;
    case "t5":
      return bucket(offset);
    case "alibi":
      return `−m · |j − i| = −${short(slope)} · ${Math.abs(offset)}`;
  }
}
