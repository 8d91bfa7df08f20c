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
  order: { title: { en: "Order, unseen", zh: "看不见的顺序" }, state: order },
  heatmap: { title: { en: "A page of waves", zh: "一页波纹" }, state: heatmap },
  waves: { title: { en: "Hands of a clock", zh: "钟表的指针" }, state: waves },
  sum: { title: { en: "The cat sat on the mat", zh: "The cat sat on the mat" }, state: sum },
  similarity: { title: { en: "Similar when near, wherever you stand", zh: "只看远近，不看在哪里" }, state: similarity },
  absolute: { title: { en: "Where, or how far apart", zh: "数位置，还是数间隔" }, state: absolute },
  relative: { title: { en: "How far apart", zh: "相距多远" }, state: relative },
  rope: { title: { en: "Rotating instead of adding", zh: "不做加法，改做旋转" }, state: rope },
  score: { title: { en: "The score stands still", zh: "得分纹丝不动" }, state: score },
  decay: { title: { en: "Fading with distance", zh: "随距离衰减" }, state: decay },
  pairs: { title: { en: "Many planes, many speeds", zh: "许多平面，许多转速" }, state: pairs },
  patches: { title: { en: "Rotation in two dimensions", zh: "在二维里旋转" }, state: patches },
  mrope: { title: { en: "An image between words", zh: "词与词之间的图像" }, state: mrope },
  context: { title: { en: "Further than trained", zh: "比训练时读得更远" }, state: context },
  lab: { title: { en: "Learn it, then stretch it", zh: "学会之后，再拉长" }, state: lab },
  precision: { title: { en: "Angles that lose their digits", zh: "丢失精度的角度" }, state: precision },
  methods: { title: { en: "Methods side by side", zh: "各种方法放在一起" }, state: methods },
  config: { title: { en: "Read a config.json", zh: "读懂 config.json" }, state: config },
} as const satisfies Readonly<Record<string, PanelEntry>>;

export type PanelId = keyof typeof panels;
export const panelIds = Object.keys(panels) as PanelId[];

/** A part of the story: the figures that tell it, and instruments that are one click deeper. */
export interface Chapter {
  readonly id: string;
  readonly title: PanelEntry["title"];
  readonly story: readonly PanelId[];
  readonly more: readonly PanelId[];
}

/** In the order of the page, which is that of the panels. */
export const chapters: readonly Chapter[] = [
  { id: "problem", title: { en: "The problem", zh: "问题" }, story: ["problem"], more: ["order"] },
  {
    id: "add",
    title: { en: "Add", zh: "相加" },
    story: ["heatmap", "waves", "sum", "similarity"],
    more: ["absolute"],
  },
  { id: "relative", title: { en: "Relative", zh: "相对" }, story: ["relative"], more: [] },
  {
    id: "rotate",
    title: { en: "Rotate", zh: "旋转" },
    story: ["rope", "score", "decay"],
    more: ["pairs", "patches", "mrope"],
  },
  {
    id: "further",
    title: { en: "Further", zh: "更远" },
    story: ["context", "lab", "precision"],
    more: ["methods", "config"],
  },
];

/** The panel that the link leads to. */
export const { at } = defineState({ at: choice("at", ["", ...panelIds]) });

const rowsOf = (state: Readonly<Record<string, Row>>) => Object.values(state);

/** All rows that links hold, but for those of the other page. */
export const linkedRows: readonly Row[] = [
  page,
  { at },
  selection,
  reader,
  ...panelIds.map((id) => panels[id].state),
].flatMap(rowsOf);
