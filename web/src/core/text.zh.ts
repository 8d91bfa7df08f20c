import type { ShellText } from "./text.en";

/** The page's own words, in Chinese. */
export const zh: ShellText = {
  ofPage: {
    index: {
      title: "posenc：在浏览器里精确计算位置编码",
      statement: "Transformer 一眼看完整个句子。词的先后，它怎么知道？",
    },
    more: { title: "posenc：外推实验，图像的 RoPE", statement: "哪种编码能接着往下读？图像里的一块，位置怎么算？" },
  },
  sentence: "猫追狗",
  slides: "幻灯片",
  questions: "全部问题与答案",
  pages: "各页",
  contents: "目录",
  skip: "跳到图",
  linkTo: "链接到：",
  language: "语言",
  theme: "外观",
  themes: { auto: "自动", light: "浅色", dark: "深色" },
  loading: "正在启动计算库……",
  failed:
    "图无法显示：WebAssembly 计算库没能启动。请使用支持 WebAssembly 的较新浏览器（Chrome 91、Firefox 89、Safari 15.4 或更高版本）。",
  fetching: "正在载入这幅图……",
  lost: "这幅图没能载入：",
  again: "重试",
  tools: "这幅图",
  menu: "文件、代码、链接",
  showTable: "以表格显示",
  hideTable: "收起表格",
  player: { play: "播放", pause: "暂停", back: "后退一步", forward: "前进一步" },
  reset: "恢复默认",
  comma: "，",
  semicolon: "；",
  gap: "",
  colon: "：",
  stop: "。",
};
