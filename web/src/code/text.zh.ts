import type { en } from "./text.en";

/** The words around code, in Chinese. */
export const zh: typeof en = {
  title: (figure) => `${figure}：代码`,
  codeFor: "用于",
  languages: { pytorch: "PyTorch", javascript: "JavaScript（posenc）" },
  heading: (figure) => `${figure}，按 posenc 页面上的当前设置`,
  expected: "posenc 的计算结果，用来对照：",
  note: "这段代码按当前设置计算图中的数，与计算库的结果对照，一致就输出“ok”。",
  none: "按当前设置，没有可以计算的内容。",
};
