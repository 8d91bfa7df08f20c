import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, math, row, sub } from "../../draw/math";
import { storedMean } from "../../training/results";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>每根条是一个得分的一部分；橙色的两根是词与位置混在一起的。</strong>位置向量可以加到词向量上，也可以接在后面${term("concatenation", "拼接", "）", "（")}。
    </p>
  `,
  outro: () => html`
    <p>相加时，两个词的点积有四个部分；拼接时只有第一个和最后一个：</p>
    ${display(row("(", sub("w", "m"), "+", sub("p", "m"), ")", "·", "(", sub("w", "n"), "+", sub("p", "n"), ")"))}
    ${display(row("=", sub("w", "m"), "·", sub("w", "n"), "+", sub("w", "m"), "·", sub("p", "n")))}
    ${display(row("+", sub("p", "m"), "·", sub("w", "n"), "+", sub("p", "m"), "·", sub("p", "n")))}
    <p>
      <strong>相加省下一半的矩阵。</strong>拼接算的是 ${math(row("A", "w", "+", "B", "p"), "，")}相加就是
      ${math("A", "=", "B")}
      的特例。相加之后还分得开：维数多时，词向量与位置向量几乎互相垂直（拖动看看），${term("projection", "学得的矩阵")}还能把两者进一步分开；模型也可以学着留出几维专放位置。
    </p>
    <p>
      <strong>实测：</strong>宽度相同的小 Transformer 学同一篇文本，正弦编码加到所有维上，或放在词旁边、各占一半。训练长度内的困惑度是
      ${storedMean("text", "sinusoid", 1, "sinusoid", 2)} 和 ${storedMean("text", "concatenated", 1, "concatenated", 2)}；8 倍长度时是
      ${storedMean("text", "sinusoid", 8)} 和 ${storedMean("text", "concatenated", 8)}。
    </p>
    <p>
      <strong>相加的代价：</strong>维数少时，橙色部分就是得分里的噪声，距离只占四项中的一项。相对位置偏置和 RoPE
      正是为此而来。Transformer 论文先把词向量乘以 √d，没有说明理由；常见的解释是，免得位置盖过词。
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
  score: "得分（不经过 W_q 与 W_k）：",
  parameters: "W_q、W_k、W_v 的参数个数：",
  describe: (isAdded, dim, share) =>
    `${isAdded ? "相加" : "拼接"}，${dim} 维：${isAdded ? `对所有位置平均，“词 · 位置”是“位置 · 位置”的 ${share} 倍` : "词与位置互不混合"}。词向量是随机的。`,
};
