import type { en } from "./text.en";

/** The words below the figures, in Chinese. */
export const zh: typeof en = {
  sources: "例子的出处",
  sourceList: [
    "五篇中文博文。A：《Transformer源码-位置编码(PositionalEncoder)》，wang，2025 年 2 月 22 日。",
    "B：《位置编码:赋予Transformer位置感知能力》。",
    "C：《Transformer组件(三):位置编码》，paperreading。",
    "D：《正余弦位置编码和RoPE位置编码》。",
    "E：《深度解析 Transformer 模型中的位置嵌入（Positional Embedding）》，老牛同学，2024 年 12 月 27 日。",
    "热力图的配色：ColorBrewer，作者 Cynthia A. Brewer，宾夕法尼亚州立大学。",
  ],
  papers: "论文与文章",
  cite: "引用 posenc",
  citation: "posenc 的 BibTeX 条目",
  reference: "库的接口文档：全部函数、选项与报错（英文）",
  licences: "本页所含程序的许可证（英文）",
};
