/** The words below the figures, in English. */
export const en = {
  sources: "Where the examples come from",
  sourceList: [
    "Five posts in Chinese. A: “Transformer源码-位置编码(PositionalEncoder)”, wang, 22 February 2025.",
    "B: “位置编码:赋予Transformer位置感知能力”.",
    "C: “Transformer组件(三):位置编码”, paperreading.",
    "D: “正余弦位置编码和RoPE位置编码”.",
    "E: “深度解析 Transformer 模型中的位置嵌入（Positional Embedding）”, 老牛同学, 27 December 2024.",
    "Colours of the heatmap: ColorBrewer, by Cynthia A. Brewer, The Pennsylvania State University.",
  ],
  papers: "Papers and articles",
  cite: "Cite posenc",
  citation: "posenc for BibTeX",
  reference: "The library's reference: every function, option and error",
  licences: "Licences of what this page consists of",
};
