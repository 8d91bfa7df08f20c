import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { titles } from "../../core/printed";
import { math, row } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      把句子的后半截挪到前面：每个词的编号都变了，但大多数词与邻词的间隔没有变。可以用方向键或滑块选择一对相邻的词。
    </p>
  `,
  outro: () => html`
    <p>
      说一个词在哪里，有两种说法。绝对位置：给每个位置编号，1、2、3（与${claim("C5", "帖子 C")} 一样从 1 数）。相对位置：说下一个词离它多远，即
      ${math(row("j", "−", "i"), "。")}
    </p>
    <p>
      <strong>${claim("C6", "帖子 C")}（《${titles.C}》）说，所有相对位置都不变。</strong>大多数确实不变：在前后两半的内部，每个词到下一个词都是一步。但在切开的地方，“sat”到“on”的偏移从
      +1 变成了往回跳一大步。五个间隔里有四个成立，不成立的只有切开处的那一个，这也在意料之中。标点也算一个 ${term("token", "token", "，")}分词器就是这样做的，所以逗号也有编号。
    </p>
    <p>
      <strong>两个正弦编码的点积只取决于偏移。</strong>上面两行算式的末尾就是这个点积：偏移相同，点积就相同，与绝对编号无关。绝对位置编码就是这样隐含相对位置信息的。
    </p>
  `,
  first: "句子 1",
  second: "句子 2",
  empty: "请至少输入两个词。",
  missing: "第二个句子里没有这两个词。",
  ties: "两个句子里相同的词，用线连着；方向键选择一对相邻的词",
  which: "第几对邻词（从 0 数）",
  legend: "弧线：从每个词到下一个词的偏移。红色虚线：在另一个句子里偏移不同，或者没有这一对。",
  leftOut: (shown, all) => `共 ${all} 个 token（标点也算），这里显示前 ${shown} 个。`,
  describe: (positions, words, offsets, pairs) =>
    `绝对位置：${words} 个词${positions === 0 ? "全都变了" : `中有 ${positions} 个没变`}。相对偏移：${pairs} 对相邻的词中有 ${offsets} 对没变。`,
};
