import type { en } from "./text.en";

/** The words of slides, and of the last of them, which has all questions, in Chinese. */
export const zh: typeof en = {
  back: "上一幅",
  next: "下一幅",
  end: "结束",
  lead: "先提问，请大家举手，再展开答案。答案都由相应的图按当前设置算出。",
  answer: "答案",
  all: "展开全部答案",
  none: "收起全部答案",
  figure: (title) => `图：${title}`,
};
