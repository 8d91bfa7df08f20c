import { plain } from "../../core/format";
import { short } from "../../draw/rounded";
import { learnedReach, type Model } from "./model";
import { state } from "./state";

/** Writes T5's bucket of an offset as a formula: near ones have a bucket each, far ones share. */
function bucket(offset: number): string {
  const both = state.t5Direction.value === "both";
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
  const distance = Math.abs(offset);
  const clipped = (reach: number) => Math.max(-reach, Math.min(reach, offset));
  switch (method) {
    case "offset":
      return `j − i = ${key} − ${query}`;
    case "clip": {
      const reach = state.relativeClip.value;
      return `max(−${reach}, min(${reach}, ${plain(offset)}))`;
    }
    case "t5":
      return bucket(offset);
    case "alibi":
      return `−m · |j − i| = −${short(slope)} · ${distance}`;
    case "kerple": {
      const [r1, r2] = [plain(state.kerpleR1.value), plain(state.kerpleR2.value)];
      return state.kerpleKernel.value === "power"
        ? `−r₁ · |j − i|^r₂ = −${r1} · ${distance}^${r2}`
        : `−r₁ · ln(1 + r₂ · |j − i|) = −${r1} · ln(1 + ${r2} · ${distance})`;
    }
    case "learned":
      return `b[max(−${learnedReach}, min(${learnedReach}, ${plain(offset)}))] = b[${plain(clipped(learnedReach))}]`;
  }
}
