import { page, reader, selection } from "../core/page-state";
import type { PanelEntry } from "../core/panel";
import { choice, defineState, type Row } from "../core/state";
import { state as absolute } from "./absolute/state";
import { state as config } from "./config/state";
import { state as context } from "./context/state";
import { state as decay } from "./decay/state";
import { state as heatmap } from "./heatmap/state";
import { state as lab } from "./lab/state";
import { state as methods } from "./methods/state";
import { state as mrope } from "./mrope/state";
import { state as order } from "./order/state";
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
  problem: { title: { en: "The same words, another order", zh: "同样的词，另一种顺序" }, state: problem },
  order: { title: { en: "Order, unseen", zh: "没有位置编码，就看不出顺序" }, state: order },
  heatmap: { title: { en: "A page of waves", zh: "正弦位置编码的样子" }, state: heatmap },
  waves: { title: { en: "Hands of a clock", zh: "钟表的指针" }, state: waves },
  sum: { title: { en: "The cat sat on the mat", zh: "The cat sat on the mat" }, state: sum },
  similarity: { title: { en: "Similar when near, at any position", zh: "只看远近，不看在哪里" }, state: similarity },
  absolute: { title: { en: "Where, or how far apart", zh: "绝对位置与相对位置" }, state: absolute },
  relative: { title: { en: "How far apart", zh: "相对位置偏置：只看相距多远" }, state: relative },
  rope: { title: { en: "Rotating instead of adding", zh: "旋转位置编码（RoPE）：不加，而转" }, state: rope },
  score: { title: { en: "The score stays the same", zh: "一起平移，得分不变" }, state: score },
  decay: { title: { en: "Fading with distance", zh: "随距离衰减" }, state: decay },
  pairs: { title: { en: "Many planes, many speeds", zh: "许多平面，许多转速" }, state: pairs },
  patches: { title: { en: "Rotation in two dimensions", zh: "二维 RoPE" }, state: patches },
  mrope: { title: { en: "An image between words", zh: "图文混排的位置（M-RoPE）" }, state: mrope },
  context: { title: { en: "Further than trained", zh: "上下文扩展：PI、NTK、YaRN" }, state: context },
  lab: { title: { en: "Learn it, then stretch it", zh: "外推实验：短训练，长测试" }, state: lab },
  precision: { title: { en: "Angles that lose their digits", zh: "位置越大，角度越不准" }, state: precision },
  methods: { title: { en: "Methods side by side", zh: "六种方法对比" }, state: methods },
  config: { title: { en: "Read a config.json", zh: "读懂 config.json" }, state: config },
} as const satisfies Readonly<Record<string, PanelEntry>>;

export type PanelId = keyof typeof panels;
export const panelIds = Object.keys(panels) as PanelId[];

/** A part of the story: its figures, and instruments that are one click deeper. */
export interface Chapter {
  readonly id: string;
  readonly title: PanelEntry["title"];
  readonly story: readonly PanelId[];
  readonly more: readonly PanelId[];
}

/** In the order of the page, which is that of the panels. */
export const chapters: readonly Chapter[] = [
  { id: "problem", title: { en: "The problem", zh: "为什么需要位置编码" }, story: ["problem"], more: ["order"] },
  {
    id: "add",
    title: { en: "Add", zh: "加法：正弦编码" },
    story: ["heatmap", "waves", "sum", "similarity"],
    more: ["absolute"],
  },
  { id: "relative", title: { en: "Relative", zh: "相对位置：ALiBi、T5" }, story: ["relative"], more: [] },
  {
    id: "rotate",
    title: { en: "Rotate", zh: "旋转：RoPE" },
    story: ["rope", "score", "decay"],
    more: ["pairs", "patches", "mrope"],
  },
  {
    id: "further",
    title: { en: "Further", zh: "更长的文本" },
    story: ["context", "lab", "precision"],
    more: ["methods", "config"],
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
