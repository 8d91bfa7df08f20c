import type { Place } from "../core/block";
import { page, reader, selection } from "../core/page-state";
import type { PageName } from "../core/pages";
import type { PanelEntry } from "../core/panel";
import { choice, defineState, type Row } from "../core/state";
import { state as choose } from "./choose/state";
import { state as codes } from "./codes/state";
import { state as config } from "./config/state";
import { state as context } from "./context/state";
import { state as decay } from "./decay/state";
import { state as derive } from "./derive/state";
import { first, firstChapter } from "./first";
import { state as lab } from "./lab/state";
import { state as mix } from "./mix/state";
import { state as mrope } from "./mrope/state";
import { state as pairs } from "./pairs/state";
import { state as patches } from "./patches/state";
import { state as precision } from "./precision/state";
import { state as relative } from "./relative/state";
import { state as rope } from "./rope/state";
import { state as similarity } from "./similarity/state";
import { state as waves } from "./waves/state";

const titled = <State>(en: string, zh: string, state: State) => ({ title: { en, zh }, state });

/**
 * The panels: those of the story in its order, then those of other pages. The code of each is `panel` in its folder, fetched
 * when its section comes near.
 */
export const panels = {
  problem: first,
  codes: titled("Three codes that fail, and one that does not", "怎样给位置编码：三种不行，一种可以", codes),
  waves: titled("Sines, cosines and base 10000: hands of a clock", "正弦、余弦与底数 10000：钟表的指针", waves),
  mix: titled("Word + position: why add, and not concatenate?", "词加位置：为什么相加，而不是拼接？", mix),
  similarity: titled("Dot products of sinusoids: distance alone", "正弦编码的点积：只看远近", similarity),
  relative: titled("A bias for each distance: ALiBi and T5", "按距离给得分加偏置：ALiBi、T5", relative),
  derive: titled("RoPE, derived: which rule sees distance alone?", "推导 RoPE：哪种做法只看距离？", derive),
  pairs: titled("Pairs of dimensions: many planes, many speeds", "两维一组：每组一个平面，转速各不相同", pairs),
  rope: titled("Why queries and keys, and not values?", "为什么旋转查询和键，不旋转值？", rope),
  decay: titled("Fading with distance: a tendency, not a rule", "远程衰减：是趋势，不是定律", decay),
  context: titled("Longer texts: PI, NTK, YaRN", "超出训练长度怎么办：PI、NTK、YaRN", context),
  choose: titled("Which encoding to choose, and what models use", "怎么选？今天的模型用哪种位置编码？", choose),
  lab: titled("Extrapolation measured: train short, test long", "外推实验：用短文本训练，用长文本测试", lab),
  patches: titled("RoPE in 2-D: rows and columns of an image", "二维 RoPE：图像的行与列", patches),
  mrope: titled("M-RoPE: an image between words", "图文混排的位置（M-RoPE）", mrope),
  config: titled("Read a config.json", "读懂 config.json", config),
  precision: titled("Angles lose digits at large positions", "位置越大，角度越不准", precision),
} as const satisfies Readonly<Record<string, PanelEntry>>;

export type PanelId = keyof typeof panels;
export const panelIds = Object.keys(panels) as PanelId[];

/** The figures that others have replaced, and these. */
const replaced: Readonly<Record<string, PanelId>> = {
  order: "problem",
  heatmap: "waves",
  sum: "mix",
  absolute: "similarity",
  score: "derive",
  models: "choose",
  methods: "choose",
};

/** A part of a page: its figures. */
export interface Chapter {
  readonly id: string;
  readonly title: PanelEntry["title"];
  readonly figures: readonly PanelId[];
  /** Where its encodings act in attention, and that in words. */
  readonly acts?: readonly [Place, Readonly<Record<"en" | "zh", string>>];
}

const story: readonly Chapter[] = [
  { id: "problem", title: firstChapter, figures: ["problem", "codes"] },
  {
    id: "add",
    title: { en: "Add: sinusoidal encoding", zh: "加法：正弦位置编码" },
    figures: ["waves", "mix"],
    acts: [
      "word",
      { en: "Acts on the words: a vector is added to each.", zh: "作用于词：给每个词向量加上一个位置向量。" },
    ],
  },
  {
    id: "relative",
    title: { en: "Count the distance: relative position bias", zh: "相对位置：ALiBi、T5" },
    figures: ["similarity", "relative"],
    acts: [
      "score",
      { en: "Acts on the score: a number for each distance.", zh: "作用于注意力分数（得分）：每种距离加一个数。" },
    ],
  },
  {
    id: "rotate",
    title: { en: "Rotate: RoPE", zh: "旋转：RoPE" },
    figures: ["derive", "pairs", "rope", "decay"],
    acts: [
      "rotation",
      { en: "Acts on queries and keys: both are rotated, values are not.", zh: "作用于查询和键：两者都旋转，值不动。" },
    ],
  },
  {
    id: "further",
    title: { en: "Longer texts, and which to choose", zh: "更长的文本，怎么选" },
    figures: ["context", "choose"],
  },
];
const more: readonly Chapter[] = [
  { id: "lab", title: { en: "Small models, trained here", zh: "小模型实验" }, figures: ["lab"] },
  { id: "images", title: { en: "Beyond text", zh: "文本之外" }, figures: ["patches", "mrope"] },
];
const tools: readonly Chapter[] = [
  {
    id: "engineers",
    title: { en: "For engineers: config.json, precision", zh: "工程：config.json、精度" },
    figures: ["config", "precision"],
  },
];
/** The chapters of each page that has figures, in their order. */
export const chapters: Readonly<Record<Exclude<PageName, "checked">, readonly Chapter[]>> = {
  index: story,
  more,
  tools,
};

const own = choice("at", ["", ...panelIds]);

/** The last slide, which has all questions. */
export const questions = "questions";

/** The panel that the link leads to, and the slide that it shows. */
export const { at, slide } = defineState({
  slide: choice("slide", ["", ...panelIds, questions]),
  at: Object.assign(own, {
    parse: (text: string) => ["" as const, ...panelIds].find((id) => id === (replaced[text] ?? text)),
  }),
});

const rowsOf = (state: Readonly<Record<string, Row>>) => Object.values(state);

/** The rows of figures, which links between pages keep. */
export const linkedRows: readonly Row[] = [
  page,
  { at, slide },
  selection,
  reader,
  ...panelIds.map((id) => panels[id].state),
].flatMap(rowsOf);
