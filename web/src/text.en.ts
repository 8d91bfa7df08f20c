import type { PanelId } from "./state";

/** The page's own words, in English. */
export const en = {
  title: "posenc: positional encodings, exact, in your browser",
  name: "posenc",
  statement: "A transformer sees all words at once. Here is how it learns which came first.",
  lead: "Figures to play with. Every number in them is computed on your machine, at this moment, by the same C++ library you can install from npm.",
  contents: "Figures",
  panels: {
    heatmap: "A page of waves",
    waves: "Hands of a clock",
    sum: "The cat sat on the mat",
    similarity: "Similar when near, wherever you stand",
    relative: "How far apart",
    rope: "Turning instead of adding",
    decay: "Fading with distance",
    precision: "Angles that lose their digits",
  } satisfies Record<PanelId, string> as Record<PanelId, string>,
  checked: "Checked: what five popular posts say, computed again",
  language: "Language",
  theme: "Theme",
  themes: { auto: "Auto", light: "Light", dark: "Dark" },
  loading: "Starting the library…",
  failed:
    "The figures cannot be shown: the WebAssembly library did not start. A recent browser with WebAssembly is needed (Chrome 91, Firefox 89, Safari 15.4 or later).",
  fetching: "This figure is on its way…",
  lost: "This figure could not be fetched:",
  again: "Try again",
  refused: "The library refuses this:",
  tools: "Take it with you",
  csv: "CSV",
  svg: "SVG",
  png: "PNG",
  showTable: "Show as table",
  hideTable: "Hide table",
  tableCut: (rows: number, columns: number) =>
    `At most ${rows} rows and ${columns} columns are shown here; the CSV file has all of them.`,
  player: { play: "Play", pause: "Pause", back: "A step back", forward: "A step forward" },
  copyLink: "Copy link",
  copied: "Link copied",
  reset: "Reset",
  sources: "Where the examples come from",
  sourceList: [
    "Document 002: “Transformer组件（三）：位置编码” (in Chinese), a blog post on positional encodings.",
    "Document 004: “深度解析 Transformer 模型中的位置嵌入（Positional Embedding）” (in Chinese), an article of 27 December 2024.",
    "The formulas: “Attention Is All You Need” (Vaswani et al., 2017) and “RoFormer” (Su et al., 2021).",
    "Colours of the heatmap: ColorBrewer, by Cynthia A. Brewer, The Pennsylvania State University.",
  ],
  version: (version: string) => `posenc ${version}. Nothing you type here leaves your browser.`,
};
export type ShellText = typeof en;
