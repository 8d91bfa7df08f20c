import type { PosencFull } from "posenc/full";
import { answerRow } from "../../controls";
import type { Question } from "../../core/panel";
import type { en } from "./text.en";

/** Pairs of distances to keys before the query. */
const pairs = [
  [3, 4],
  [12, 20],
  [100, 120],
] as const;
const nameOf = (pair: readonly number[]) => pair.join("-");
const farthest = Math.max(...pairs.flat());

export const guess = answerRow(...pairs.map(nameOf));

/** The settings of the T5 paper. */
const published = { buckets: 32, maxDistance: 128, bidirectional: true };

/** A question: which two distances share one of T5's buckets, and so a bias? */
export function alike(words: typeof en, pe: PosencFull): Question {
  const shape = { queries: farthest + 1, keys: farthest + 1, form: "compact" } as const;
  // From the farthest key before the query on.
  const buckets = pe.t5Buckets({ ...shape, ...published }).data;
  const found = pairs.map((pair) => ({ pair, buckets: pair.map((distance) => buckets[farthest - distance]) }));
  const shared = found.filter(({ buckets: [near, far] }) => near === far);
  const { prompt, answer, why } = words.alike;
  const name = ([near, far]: (typeof pairs)[number]) => answer(near, far);
  return {
    prompt: prompt(published.buckets),
    answers: pairs.map((pair) => [nameOf(pair), name(pair)]),
    right: shared.map(({ pair }) => nameOf(pair)).join(),
    why: why(found.map(({ pair, buckets }) => [name(pair), buckets])),
  };
}
