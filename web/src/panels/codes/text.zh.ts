import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      怎样把位置写成向量？在一段文本和一段两倍长的文本上试试四种办法：第一幅图是每个位置到下一个位置的步长，第二幅是编码的大小，并与${term("embedding", "词向量")}比较。
    </p>
  `,
  outro: () => html`
    <p><strong>直接计数：0、1、2。</strong>编码随文本变长而变大，加到词向量上，很快就把词盖过去了。</p>
    <p><strong>归一化：除以长度。</strong>编码都在 0 和 1 之间，但同样大的一步，在不同的文本里代表不同的距离，模型就学不会“下一个词”。</p>
    <p><strong>二进制。</strong>步长不再随文本变化，编码也不大，但会跳变：从 7 到 8 翻转四位，从 8 到 9 只翻转一位。相邻的位置并不相近。</p>
    <p>
      <strong>正弦和余弦。</strong>让每一位平滑地转动：无论哪段文本、哪个位置，每一步都一样大，每个编码都一样长。为什么要成对？只用正弦，一个周期里同一个值会出现两次，步长也不均匀；正弦和余弦合在一起，就是圆上的一个点。
    </p>
  `,
  rule: "编码办法",
  rules: { count: "计数", share: "归一化", bits: "二进制", waves: "正弦和余弦" },
  length: "文本的词数",
  position: "位置 p",
  axis: "位置 p",
  step: "从 p 到 p + 1 的步长",
  size: "编码的大小",
  text: (words) => `${words} 个词的文本`,
  word: "词向量",
  ofPosition: (position) => `位置 ${position} 的编码：`,
  describe: {
    count: (last, times) => `位置 ${last} 的编码长度是词向量的 ${times} 倍，盖过了词。`,
    share: (short, long) => `每走一步，一段文本里编码增加 ${short}，另一段里增加 ${long}：同样的数代表不同的距离。`,
    bits: (least, most, from) => `步长从 ${least} 到 ${most} 不等：从 ${from} 到 ${from + 1} 时跳变。`,
    waves: (step, size) => `两段文本里，每一步都是 ${step}，每个编码的长度都是 ${size}。`,
  },
};
