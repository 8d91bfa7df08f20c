/** The words below the figures, in English. */
export const en = {
  sources: "Where the examples come from",
  sourceList: [
    "Post C: “Transformer组件（三）：位置编码” (in Chinese), a blog post on positional encodings.",
    "Post E: “深度解析 Transformer 模型中的位置嵌入（Positional Embedding）” (in Chinese), an article of 27 December 2024.",
    "Colours of the heatmap: ColorBrewer, by Cynthia A. Brewer, The Pennsylvania State University.",
  ],
  papers: "The papers",
  cite: "Cite posenc",
  citation: "posenc for BibTeX",
  numbers: "What was done to these numbers? Mistakes of ports, recognised by their numbers",
  reference: "The library's reference: every function, option and error",
  licences: "Licences of what this page consists of",
};
