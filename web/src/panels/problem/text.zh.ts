import { html } from "lit-html";
import { bag } from "./model";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () =>
    html`<p><strong>拖动一个词，看它下面的方格：那是它的输出。</strong>注意力让每个词与句中所有的词逐一比较。</p>`,
  outro: () => html`
    <p>
      <strong>没有位置，句子只是一袋词。</strong>${bag("“", "”和“", "”是同一袋词。")}不管怎么排，每个词面对的都是同样一批词：词挪到哪里，输出就跟到哪里，值不变。（这里没有因果掩码。像 GPT
      那样只看前文的模型，两层以上可以自己推断出顺序，见实验里的“谁爱谁”。）
    </p>
    <p>
      <strong>位置编码让顺序重新起作用。</strong>这里在注意力之前，给每个词加上一个由正弦和余弦组成的向量，每个位置各不相同：同样的词换个顺序，输出就不同了。
    </p>
    <details>
      <summary>这里算的是什么</summary>
      <p>
        每个词有一个由字母得出的十六维向量，查询、键、值都直接取它。弧线的粗细表示所选的词给另一个词的权重；方格是它的输出，一格一维，颜色从 −1 到
        1，有位置编码时从 −2 到 2。“相同”是指除舍入误差外相等。
      </p>
    </details>
  `,
  positions: "位置编码",
  areOn: { off: "关", on: "开" },
  chips: "句子里的词。用左右方向键移动当前的词。",
  chip: (word, place) => `${word}，这一排的第 ${place} 个（从 0 起）`,
  again: "最初的顺序",
  left: (word) => `把“${word}”左移`,
  right: (word) => `把“${word}”右移`,
  same: "相同",
  changed: "变了",
  picture: (word, list) => `“${word}”关注的是：${list.join("、")}。`,
  describe: {
    none: "请先输入一个词。",
    cut: (count, all) => `共 ${all} 个词，这里显示前 ${count} 个。`,
    offFirst: "位置编码已关闭。移动一个词：它的输出跟着它走。",
    off: (count) => `位置编码已关闭。顺序变了，${count} 个词的输出都和原来相同。`,
    onFirst: "位置编码已打开。现在移动一个词，输出就会变。",
    on: (changed, count) => `位置编码已打开。换了顺序之后，${count} 个词里有 ${changed} 个输出变了。`,
    twins: (word) => `两个“${word}”的输出相同。`,
  },
};
