import type { Source } from "./quotations";

export const en = {
  title: "Checked: what five posts say about positional encodings",
  heading: "Checked",
  lead: "Forty-three statements and examples of five posts, each computed again in your browser when you come to it; trainings, which take longer, are stored, and repeated in the lab. No verdict is written by hand: it follows from the numbers beside it.",
  nameOf: (id: string) => `Post ${id}`,
  verdicts: {
    holds: "holds",
    conditional: "holds with a condition",
    partial: "holds in part",
    refuted: "does not hold",
    illustrative: "illustrative numbers",
  },
  waiting: "Computed when it comes into view.",
  failed: "This check could not be run.",
  fromStored: "Trainings: from stored results.",
  again: "Run again",
  seed: "seed",
  sizes: {
    words: "words",
    positions: "positions",
    dimensions: "dimensions",
    wordsBefore: "words before",
    shift: "shift",
    position: "position",
  },
  figure: (panel: string) => `See it in the figure “${panel}”`,
  summary: (computed: number, all: number) => (computed < all ? `${computed} of ${all} so far:` : `All ${all}:`),
  overview: "All statements",
  notComputed: "not computed yet",
  computeAll: "Compute all now",
  filters: "Which statements are shown",
  verdict: "Verdict",
  post: "Post",
  all: "all",
  shown: (count: number, all: number) => `${count} of ${all} statements are shown.`,
  source: (post: string, { title, by, date }: Source) =>
    [`Post ${post}: “${title}”`, by, date].filter(Boolean).join(", "),
  sources: "The posts",
  titles: {
    A: "“Transformer源码-位置编码(PositionalEncoder)”, a blog post by wang, 22 February 2025.",
    B: "“位置编码:赋予Transformer位置感知能力”, a blog post.",
    C: "“Transformer组件(三):位置编码”, a blog post (paperreading).",
    D: "“正余弦位置编码和RoPE位置编码”, a blog post; the class for sinusoids in it is Hyunwoong’s.",
    E: "“深度解析 Transformer 模型中的位置嵌入（Positional Embedding）”, an article by 老牛同学, 27 December 2024.",
  },
};

export type CheckedText = typeof en;
