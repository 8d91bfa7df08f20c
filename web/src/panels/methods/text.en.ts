import { html, type TemplateResult } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import type { MethodName } from "./model";
import type { Question } from "./statements";

/** A post, as a link to its statement. */
type Post = TemplateResult | string;

export const en = {
  intro: () => html`
    <p>
      Six methods answer six questions, counted and computed on your machine. Press an answer for its evidence and for what
      posts say to the same question; ≠ marks where they differ.
    </p>
  `,
  outro: () => html`
    <p>
      ${claim("C18", "Post C")} ends with a table: which method can be trained, which ${term("extrapolation", "extrapolates")} to longer texts, which knows relative
      positions, what each costs. Here the methods themselves are asked: each answer is counted or computed on your machine from
      what the library returns. A3 to D2 name statements on the page of checked statements; the letter is the
      post's.
    </p>
    <p>
      <strong>How distance is tested:</strong> eight queries and keys get their positions, then all of them
      move on by seven. If scores depend on distances alone, none changes by more than rounding. Sinusoids fail this test,
      since the words' own vectors are in the sum, although their codes do carry relative offsets: the code at p + k is a
      fixed linear map of the code at p.
    </p>
    <p>
      <strong>“Longer texts” has two sides.</strong> Whether a position beyond the table has a code at all is asked
      above. Whether a trained model copes with codes it never saw is another matter: RoPE computes any position, and models
      still fail beyond their training length unless the frequencies are changed, which “Past the training length”
      is about; “Extrapolation measured” measures it on small models.
    </p>
    <p>
      <strong>n² values need not be stored.</strong> A ${term("bias", "relative bias")} has 2n − 1 values per head; hollow bars show all n² of
      them. Sinusoids and RoPE need not keep their tables either: they can be recomputed. Codes of their own are those that no other position, or distance, shares: T5's
      buckets and Shaw's clipping share on purpose.
    </p>
  `,
  length: "Positions n",
  dim: "Dimensions d",
  heads: "Heads",
  methods: {
    sinusoid: "Sinusoids, added",
    learned: "Learned table, added",
    shaw: "Relative, learned (Shaw, ±16)",
    t5: "T5 buckets (32)",
    alibi: "ALiBi",
    rope: "RoPE",
  } as Record<MethodName, string>,
  short: {
    sinusoid: "Sinusoids",
    learned: "Learned",
    shaw: "Shaw",
    t5: "T5",
    alibi: "ALiBi",
    rope: "RoPE",
  } as Record<MethodName, string>,
  yes: "yes",
  no: "no",
  method: "Method",
  question: "Question",
  answers: "Six methods: press an answer for its evidence",
  post: (id: string) => `Post ${id[0]} (${id})`,
  questions: {
    trainable: {
      asks: "Does it have numbers to train?",
      means: "Counted: what a training would change.",
    },
    stored: {
      asks: "How much must be stored?",
      means: "Trained numbers alone: the rest can be computed again. How they grow from n to 2n is counted.",
    },
    relative: {
      asks: "Beside the words, do scores depend on distance alone?",
      means: "Queries and keys move on by seven positions; nothing but rounding may change.",
    },
    distinct: {
      asks: "Has every position a code of its own?",
      means: "Or every distance, where the code is one of distances.",
    },
    beyond: {
      asks: "Is there a code for position 2n?",
      means: "Only whether it can be computed. Whether a trained model reads on is another question, of the lab.",
    },
    time: {
      asks: "How does the time grow?",
      means: "Measured in this tab when you ask; the nearest power of n from 256 to 1024 positions.",
    },
  } as Record<Question, { asks: string; means: string }>,
  orders: ["O(1)", "O(n)", "O(n²)", "O(n³)"],
  statements: {
    same: (post: Post, answer: string) => html`✓ ${post}: ${answer}`,
    differs: (post: Post, answer: string) => html`≠ ${post}: ${answer}`,
    unmeasured: (post: Post, answer: string) => html`${post}: ${answer}`,
    trained: (post: Post, answer: string) => html`${post} asks it of trained models: ${answer}`,
    codes: (post: Post, answer: string) =>
      html`${post} asks it of the codes before they are added: ${answer} (see there)`,
  },
  unmeasured: "not measured",
  grows: (from: number, to: number, times: string) => `${from} → ${to}: × ${times}`,
  compared: (statements: number, differing: number, sources: readonly string[], isTimed: boolean) =>
    `${statements} statements of posts answer a question that is computed here: ${
      differing === 0
        ? "all agree"
        : `${statements - differing} agree, ${differing} ${differing === 1 ? "differs and is" : "differ and are"} marked ≠ (${sources.join(", ")})`
    }.${isTimed ? "" : " Times come in once they are measured."}`,
  tableEnds: (last: string) => `table ends at ${last}`,
  parameters: (count: number) => (count === 1 ? "1 parameter" : `${count} parameters`),
  change: (value: string) => `scores change by ${value}`,
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
