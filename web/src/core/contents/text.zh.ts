import type { ContentsText } from "./text.en";

export const zh: ContentsText = {
  search: "搜索图和术语",
  key: "Ctrl 或 ⌘ + K",
  kinds: { chapter: "章", figure: "图", term: "术语", page: "页面" },
  count: (found) => `找到 ${found} 条`,
  none: "没有找到。",
};
