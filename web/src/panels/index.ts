import type { Place } from "../core/block";
import { page, reader, selection } from "../core/page-state";
import type { PanelEntry } from "../core/panel";
import { choice, defineState, type Row } from "../core/state";
import { state as codes } from "./codes/state";
import { state as config } from "./config/state";
import { state as context } from "./context/state";
import { state as decay } from "./decay/state";
import { state as heatmap } from "./heatmap/state";
import { state as lab } from "./lab/state";
import { state as mix } from "./mix/state";
import { state as models } from "./models/state";
import { state as mrope } from "./mrope/state";
import { state as pairs } from "./pairs/state";
import { state as patches } from "./patches/state";
import { state as precision } from "./precision/state";
import { state as problem } from "./problem/state";
import { state as relative } from "./relative/state";
import { state as rope } from "./rope/state";
import { state as score } from "./score/state";
import { state as similarity } from "./similarity/state";
import { state as sum } from "./sum/state";
import { state as waves } from "./waves/state";

/**
 * The panels in the order of the page. The code of each is `panel` in its folder, fetched when its section comes near.
 */
export const panels = {
  problem: {
    title: { en: "A bag of words: attention without positions", zh: "没有位置编码：句子只是一袋词" },
    state: problem,
  },
  codes: {
    title: {
      en: "Count, divide, bits, waves: four codes for a position",
      zh: "计数、归一化、二进制、正弦：怎样给位置编码",
    },
    state: codes,
  },
  heatmap: { title: { en: "The sinusoidal table: a wave in every row", zh: "正弦位置编码的样子" }, state: heatmap },
  waves: {
    title: { en: "Sine, cosine and base 10000: hands of a clock", zh: "正弦、余弦与底数 10000：钟表的指针" },
    state: waves,
  },
  sum: { title: { en: "Word vector + position vector", zh: "词向量 + 位置向量" }, state: sum },
  mix: { title: { en: "Why add, and not concatenate?", zh: "为什么相加，而不是拼接？" }, state: mix },
  similarity: {
    title: { en: "Dot products of sinusoids: distance alone", zh: "正弦编码的点积：只看远近" },
    state: similarity,
  },
  relative: {
    title: {
      en: "Relative position bias (ALiBi,\u00a0T5): count the distance",
      zh: "相对位置偏置（ALiBi、T5）：只看相距多远",
    },
    state: relative,
  },
  score: {
    title: { en: "Rotary position embedding (RoPE): turn instead of add", zh: "旋转位置编码（RoPE）：不加，而转" },
    state: score,
  },
  pairs: {
    title: { en: "Pairs of dimensions: many planes, many speeds", zh: "维度对：许多平面，许多转速" },
    state: pairs,
  },
  rope: { title: { en: "Why queries and keys, and not values?", zh: "为什么旋转查询和键，不旋转值？" }, state: rope },
  decay: { title: { en: "Long-term decay: a tendency, not a rule", zh: "远程衰减：是趋势，不是定律" }, state: decay },
  patches: {
    title: { en: "RoPE in 2-D: rows and columns of an image", zh: "二维 RoPE：图像的行与列" },
    state: patches,
  },
  mrope: { title: { en: "M-RoPE: an image between words", zh: "图文混排的位置（M-RoPE）" }, state: mrope },
  context: {
    title: { en: "Past the training length: PI, NTK, YaRN", zh: "超过训练长度：PI、NTK、YaRN" },
    state: context,
  },
  lab: { title: { en: "Extrapolation measured: train short, test long", zh: "外推实验：短训练，长测试" }, state: lab },
  models: { title: { en: "Which encoding do today's models use?", zh: "今天的模型：用哪种编码？" }, state: models },
  config: { title: { en: "Read a config.json", zh: "读懂 config.json" }, state: config },
  precision: { title: { en: "Angles lose digits at large positions", zh: "位置越大，角度越不准" }, state: precision },
} as const satisfies Readonly<Record<string, PanelEntry>>;

export type PanelId = keyof typeof panels;
export const panelIds = Object.keys(panels) as PanelId[];

/** A part of the story: its figures, and instruments that are one click deeper. */
export interface Chapter {
  readonly id: string;
  readonly title: PanelEntry["title"];
  readonly story: readonly PanelId[];
  readonly more: readonly PanelId[];
  /** Where its encodings act in attention, and that in words. */
  readonly acts?: readonly [Place, Readonly<Record<"en" | "zh", string>>];
}

/** In the order of the page, which is that of the panels. */
export const chapters: readonly Chapter[] = [
  {
    id: "problem",
    title: { en: "Why positional encoding", zh: "为什么需要位置编码" },
    story: ["problem", "codes"],
    more: [],
  },
  {
    id: "add",
    title: { en: "Add: sinusoidal encoding", zh: "加法：正弦位置编码" },
    story: ["heatmap", "waves", "sum", "mix"],
    more: [],
    acts: [
      "word",
      { en: "Acts on the words: a vector is added to each.", zh: "作用于词：给每个词向量加上一个位置向量。" },
    ],
  },
  {
    id: "relative",
    title: { en: "Count the distance: relative position bias", zh: "相对位置：ALiBi、T5" },
    story: ["similarity", "relative"],
    more: [],
    acts: ["score", { en: "Acts on the score: a number for each distance.", zh: "作用于得分：每种距离加一个数。" }],
  },
  {
    id: "rotate",
    title: { en: "Rotate: RoPE", zh: "旋转：RoPE" },
    story: ["score", "pairs", "rope", "decay"],
    more: ["patches", "mrope"],
    acts: [
      "rotation",
      {
        en: "Acts on queries and keys, not on values: both are rotated.",
        zh: "作用于查询和键，不作用于值：两者都被旋转。",
      },
    ],
  },
  {
    id: "further",
    title: { en: "Longer texts, and today's models", zh: "更长的文本，今天的模型" },
    story: ["context", "lab", "models"],
    more: [],
  },
  {
    id: "engineers",
    title: { en: "For engineers: ports, config.json, precision", zh: "工程：移植、config.json、精度" },
    story: ["config"],
    more: ["precision"],
  },
];

/** The panel that the link leads to. */
export const { at } = defineState({ at: choice("at", ["", ...panelIds]) });

const rowsOf = (state: Readonly<Record<string, Row>>) => Object.values(state);

/** The rows of this page that links keep. */
export const linkedRows: readonly Row[] = [
  page,
  { at },
  selection,
  reader,
  ...panelIds.map((id) => panels[id].state),
].flatMap(rowsOf);
