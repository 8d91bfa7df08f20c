import { html } from "lit-html";
import type { MethodName } from "./model";

export const en = {
  intro: () => html`
    <p>
      Six methods, counted and computed on your machine, beside what document 002's table says of them; where an answer differs,
      the cell is marked.
    </p>
  `,
  outro: () => html`
    <p>
      Document 002 ends with a table: which method can be trained, which extrapolates to longer texts, which knows relative
      positions, what each costs. Here the methods themselves are asked. Each cell is counted or computed on your machine from
      what the library returns. Two columns, “Trainable” and “Relative”, answer the document's own questions; where an answer
      differs, the cell is marked. “Position 2n has a code” is another question than “extrapolates”, which only training can
      answer.
    </p>
    <p>
      <strong>“Relative” is tested like this:</strong> eight queries and keys get their positions, then all of them
      move on by seven. If scores depend on distances alone, none changes by more than rounding. Sinusoids fail this test,
      since the words' own vectors are in the sum, although their codes do carry relative offsets: the code at p + k is a
      fixed linear map of the code at p.
    </p>
    <p>
      <strong>“Longer texts” has two sides.</strong> Whether a position beyond the table has a code at all is in the last
      column. Whether a trained model copes with codes it never saw is another matter: RoPE computes any position, and models
      still fail beyond their training length unless the frequencies are changed, which “Further than trained”
      is about; “Learn it, then stretch it” measures it on small models.
    </p>
    <p>
      <strong>n² bytes need not be stored.</strong> A relative bias has 2n − 1 values per head; the small print gives the
      size of all n² of them. Sinusoids and RoPE need not keep their tables either: they can be recomputed. “Unique” counts codes that no other position, or distance, shares: T5's
      buckets and Shaw's clipping share on purpose.
    </p>
  `,
  length: "Positions n",
  dim: "Dimensions d",
  heads: "Heads",
  counted: "Counted and computed",
  columns: ["Method", "Trainable", "Bytes kept", "Relative: distance alone", "Unique code", "Position 2n has a code"],
  methods: {
    sinusoid: "Sinusoids, added",
    learned: "Learned table, added",
    shaw: "Relative, learned (Shaw, ±16)",
    t5: "T5 buckets (32)",
    alibi: "ALiBi",
    rope: "RoPE",
  } as Record<MethodName, string>,
  yes: "yes",
  no: "no",
  document: (claim: string) => `document: ${claim}`,
  extrapolates: (claim: string) => `document, on extrapolating: ${claim}`,
  tableEnds: (last: string) => `the table ends at position ${last}`,
  compared: (cells: number, differing: number) =>
    `${cells} cells answer what the document answers, too: ${differing === 0 ? "none differs" : `${differing} ${differing === 1 ? "differs and is" : "differ and are"} marked`}. Of costs the document names only the order of growth, of extrapolating what a trained model does: neither can be compared cell by cell.`,
  parameters: (count: number) => (count === 1 ? "1 parameter" : `${count} parameters`),
  ofPairs: (size: string) => `${size} for all n² pairs`,
  change: (by: number, value: string) => `moved by ${by}, scores change by ${value}`,
  distinct: {
    positions: (count: number, of: number) => `${count} of ${of} positions`,
    distances: (count: number, of: number) => `${count} of ${of} distances`,
  },
  chart: "Bytes: kept (full bars) and for all n² pairs (hollow)",
  measure: "Measure the time",
  measuring: "Measuring… start again",
  notYet: "Times are measured when you ask, here and now.",
  conditions:
    "Measured on this machine in this tab: medians of seven rounds of at least 4 ms each, after one to warm up. Other programs at work change them.",
  measured: "Measured time for one sequence",
  doubled: "512 → 1024",
  work: {
    sinusoid: "table made and added, [n, d]",
    learned: "rows added, [n, d]",
    shaw: "row numbers of all n² pairs",
    t5: "bias of all heads and n² pairs",
    alibi: "bias of all heads and n² pairs",
    rope: "a query and a key rotated, [n, d]",
  } as Record<MethodName, string>,
  describe: (length: string, dim: string, heads: string, relative: readonly string[]) =>
    `Six methods for ${length} positions, ${dim} dimensions and ${heads} heads. Scores depend on distance alone with ${relative.join(", ")}.`,
};
