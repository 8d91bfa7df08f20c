import type { en } from "./text.en";

/** The words of a figure in a frame, and of the code that puts it there, in Chinese. */
export const zh: typeof en = {
  whole: "出自 posenc：在完整页面中查看这幅图和其他各图",
  code: (title) => `把“${title}”嵌入其他网页的 HTML`,
  note: "把这段代码放进你的网页，就会以现在的设置和语言显示这幅图；读者可以像在这里一样操作。高度取自它在这里的高度。",
};
