import type { Language } from "../../src/core/i18n";

/** Texts of the pages without scripts. */
export const words: Readonly<
  Record<
    Language,
    { description: string; stills: string; live: string; other: string; play: string; story: string; checked: string }
  >
> = {
  en: {
    description:
      "How a transformer learns which word came first, explained in pictures: sinusoids, relative positions, rotation (RoPE), long texts.",
    stills:
      "This is the story with still pictures, drawn by the library when the page was built. Dragging, keys and your machine are features of the live page, which needs JavaScript:",
    live: "figures to play with.",
    other: "In English",
    play: "Play with this figure",
    story: "The whole story",
    checked: "Drawn by posenc; every number is computed.",
  },
  zh: {
    description: "用图讲清 Transformer 怎样知道词的先后：正弦编码、相对位置、旋转（RoPE）、长文本。",
    stills:
      "这里是配静态图的全文，图在制作网页时由计算库算出。文中提到的拖动、按键和“你的机器”，说的是可以动手玩的网页，它需要 JavaScript：",
    live: "去动手玩。",
    other: "中文版",
    play: "动手玩这幅图",
    story: "从头读起",
    checked: "图由 posenc 画成，每个数字都是算出来的。",
  },
};
