import type { Language } from "../../src/core/i18n";

/** What only the pages without scripts say. */
export const words: Readonly<
  Record<
    Language,
    { description: string; stills: string; live: string; other: string; play: string; story: string; checked: string }
  >
> = {
  en: {
    description:
      "How a transformer learns which word came first, told with pictures: sinusoids, relative positions, rotation (RoPE), long texts.",
    stills: "The story with still pictures, made with the library. With JavaScript you can play with all of them:",
    live: "the figures",
    other: "In English",
    play: "Play with this figure",
    story: "The whole story",
    checked: "Drawn by posenc; every number is computed.",
  },
  zh: {
    description: "用图讲清 Transformer 怎样知道词的先后：正弦编码、相对位置、旋转（RoPE）、长文本。",
    stills: "这里是配静态图的全文，图由计算库画成。启用 JavaScript 后，每幅图都可以动手玩：",
    live: "去看可以玩的图",
    other: "中文版",
    play: "动手玩这幅图",
    story: "从头读起",
    checked: "图由 posenc 画成，每个数字都是算出来的。",
  },
};
