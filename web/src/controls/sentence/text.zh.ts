import type { en } from "./text.en";

export const zh: typeof en = {
  cut: (kept, typed) => `最多 ${kept} 个字符：输入了 ${typed} 个，只取了前 ${kept} 个。`,
  shown: (shown, all) => `共 ${all} 个词，这里显示前 ${shown} 个。`,
  bar: "你的句子",
  words: "句子里的词：选中一个，所有图一起选中",
  edit: "修改句子",
  close: "收起",
  box: "句子",
  player: "逐词播放",
  now: (position, word) => (word === undefined ? `位置 ${position}` : `位置 ${position}：${word}`),
  empty: "还没有词",
  examples: "也可以试试这些",
  sentences: ["猫追狗", "我爱你", "The cat sat on the mat"],
};
