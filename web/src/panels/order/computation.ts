import type { PosencFull } from "posenc/full";
import type { Computation, Step } from "../../core/computation";
import { exactly } from "../../core/format";
import { letters, sameness } from "../../core/words";
import { dim, encodings, learned, type Model } from "./model";
import { state } from "./state";

/** The figure's steps: attention of the words in both orders, with the chosen encoding. */
export function computationOf({ words, reordered, places, changes }: Model, pe: PosencFull): Computation | undefined {
  const count = words.length;
  const at = state.orderEncoding.value;
  const encoding = encodings[at];
  if (count === 0 || !changes[at]) return undefined;
  const base = 10000;
  const vectors = (name: string, order: readonly string[]): Step => ({
    name,
    does: "sinusoid",
    positions: order.map((word) => letters(sameness(word))),
    dim,
    base,
  });
  const table: Step[] =
    encoding === "sinusoid"
      ? [{ name: "table", does: "sinusoid", positions: { from: 0, count }, dim, base }]
      : encoding === "learned"
        ? [
            {
              name: "table",
              does: "values",
              data: pe.learnedTable(learned).data.slice(0, count * dim),
              width: dim,
              seeded: { seed: learned.seed, bound: learned.bound },
            },
          ]
        : [];
  /** Returns the steps of one order, whose weights are called `name`. */
  const attended = (name: string, of: string): Step[] => {
    const x = table.length > 0 ? `${of}_placed` : encoding === "rope" ? `${of}_rotated` : of;
    const placed: Step[] =
      table.length > 0
        ? [{ name: x, does: "add", of: [of, "table"] }]
        : encoding === "rope"
          ? [{ name: x, does: "rotate", of, layout: "half", base, by: { positions: { from: 0, count } } }]
          : [];
    const alibi = encoding === "alibi" && { alibi: { heads: 8, head: 0 } };
    return [...placed, { name, does: "attention", query: x, key: x, value: of, exact: true, ...alibi }];
  };
  const known = changes[at].slice(0, 2).flatMap(({ before, after }, row) =>
    [0, count - 1].flatMap((column) => [
      { of: "before", at: [row, column], is: exactly(before[column]) },
      { of: "after", at: [places[row], places[column]], is: exactly(after[column]) },
    ]),
  );
  return {
    steps: [
      vectors("words", words),
      vectors("reordered", reordered),
      ...table,
      ...attended("before", "words"),
      ...attended("after", "reordered"),
    ],
    known,
  };
}
