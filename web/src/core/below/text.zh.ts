import type { en } from "./text.en";

/** The words of the menu below a figure, in Chinese. */
export const zh: typeof en = {
  files: { csv: "数据（CSV）", svg: "图片（SVG）", png: "图片（PNG）" },
  code: "代码",
  embed: "嵌入",
  link: "复制链接",
  linked: "链接已复制",
  noFile: "文件没能生成",
  inAddress: "链接已放入地址栏",
};
