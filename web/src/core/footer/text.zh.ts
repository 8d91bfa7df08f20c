import type { en } from "./text.en";

/** The words below the figures, in Chinese. */
export const zh: typeof en = {
  sources: "例子的出处：五篇博文，逐条核对",
  papers: "论文与文章",
  cite: "引用 posenc",
  citation: "posenc 的 BibTeX 条目",
  reference: "库的接口文档：全部函数、选项与报错（英文）",
  licences: "本页所含程序的许可证（英文）",
};
