import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, math, row, sub } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      位置向量是接在词向量后面${term("concatenation", "拼接", "）", "（")}，还是相加？条形图是一个得分的各个部分；曲线表示相加时，词与位置互相干扰的程度随维数怎样变化。
    </p>
  `,
  outro: () => html`
    <p>相加时，两个 token 的点积有四个部分；拼接时只有第一个和最后一个：</p>
    ${display(row("(", sub("w", "m"), "+", sub("p", "m"), ")", "·", "(", sub("w", "n"), "+", sub("p", "n"), ")", "="))}
    ${display(row(sub("w", "m"), "·", sub("w", "n"), "+", sub("w", "m"), "·", sub("p", "n")))}
    ${display(row("+", sub("p", "m"), "·", sub("w", "n"), "+", sub("p", "m"), "·", sub("p", "n")))}
    <p>
      <strong>为什么相加就够了？</strong>维数多的时候，词向量与位置向量几乎互相垂直：中间两项相对最后一项越来越小，曲线画的就是这个。何况${term("projection", "投影矩阵")}
      ${math(sub("W", "q"))} 和 ${math(sub("W", "k"))} 是学得的，还能把两者进一步分开：需要时，模型会专门留出几维给位置。
    </p>
    <p>
      <strong>为什么不拼接？</strong>凡是读这个更宽的向量的矩阵都要变大：位置与词的维数相同时，三个矩阵的参数就翻倍。再说，拼接等于词和位置各用一个矩阵再相加：${math(row("A", "w", "+", "B", "p"), "；")}${math("A", "=", "B")}
      时就是 ${math(row("A", "(", "w", "+", "p", ")"), "。")}
    </p>
    <p>
      <strong>同样的预算，训练出来呢？</strong>实验里有宽度相同的 Transformer 学同一篇文本：正弦编码加到所有维上，或者放在词的旁边，各占一半的维度。“外推实验”里可以比较两者，也可以自己训练。
    </p>
    <p>
      <strong>相加的短处。</strong>维数少，或者词向量比位置向量长得多时，中间两项就成了得分里的噪声，距离只占四项中的一项。相对位置偏置和 RoPE 就是从这里出发的。
    </p>
  `,
  way: "位置与词",
  ways: { add: "相加", concatenate: "拼接" },
  pairs: "维度对数 d/2",
  seed: "随机词的种子",
  query: "查询的位置 m",
  key: "键的位置 n",
  parts: {
    words: "词 m · 词 n",
    wordPosition: "词 m · 位置 n",
    positionWord: "位置 m · 词 n",
    positions: "位置 m · 位置 n",
  },
  bars: "得分的各个部分",
  axis: "维度对数",
  share: "“词 · 位置”与“位置 · 位置”之比",
  curve: "混合项与“位置 · 位置”之比，随维度对数的变化",
  spoken: (pairs, share) => `${pairs} 对：${share}`,
  score: "得分（不经过 W_q 与 W_k）：",
  parameters: "W_q、W_k、W_v 的参数个数：",
  describe: (isAdded, dim, share, parameters) =>
    `${isAdded ? "相加" : "拼接"}，${dim} 维：${isAdded ? `词与位置的点积是两个位置的点积的 ${share} 倍` : "词与位置互不混合"}；三个矩阵共 ${parameters} 个参数。词向量是随机的。`,
};
