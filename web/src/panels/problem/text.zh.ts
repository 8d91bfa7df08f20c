import { html } from "lit-html";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`<p>注意力让每个词与句中所有的词（包括它自己）逐一比较。拖动一个词，它的输出会变吗？</p>`,
  outro: () => html`
    <p class="lead">除了事先存好的训练结果（图中会注明，也可以在这里重算），本页的数字都是在你的浏览器里由同一个 C++ 库（npm 包 posenc）实时算出来的。</p>
    <p>
      <strong>没有位置，句子只是一袋词。</strong>不管怎么排，每个词面对的都是同样一批词：词挪到哪里，输出就跟到哪里，值不变。两个“the”无论在哪里，输出都一样。
    </p>
    <p>
      <strong>位置编码让顺序重新起作用。</strong>这里在注意力之前，给每个词加上一个由正弦和余弦组成的向量，每个位置各不相同：同样的词换个顺序，输出就不同了。这样的向量长什么样，人们还想出了哪些办法，各自能处理多长的文本，就是本页要讲的。
    </p>
    <details>
      <summary>这里算的是什么</summary>
      <p>
        每个词有一个由字母得出的十六维向量，查询、键、值都直接取它。弧线的粗细表示所选的词给另一个词的权重；方格是它的输出，一格一维，颜色从 −1 到 1，有位置编码时从 −2 到 2。“相同”是指除舍入误差外，与最初顺序下的输出相等。
      </p>
    </details>
  `,
  positions: "位置编码",
  areOn: { off: "关", on: "开" },
  chips: "句子里的词。用左右方向键移动当前的词。",
  chip: (word, place) => `${word}，这一排的第 ${place + 1} 个`,
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
