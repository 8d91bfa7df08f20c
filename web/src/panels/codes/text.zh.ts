import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { two } from "./drawing";
import { dim, otherLength } from "./model";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>橙色是不行的地方。</strong>位置要变成数，加到${term("embedding", "词向量")}上：不能比词大，走一步在哪里都应当一样。
    </p>
  `,
  outro: () => html`
    <p>
      <strong>计数：0、1、2。</strong>文本越长数越大，加到词上，很快把词淹没。<strong>除以长度，</strong>数都在 0 和 1
      之间；但同样是“下一个词”，长文本里差得少，短文本里差得多，模型没法从差值认出“下一个词”。
    </p>
    <p><strong>二进制</strong>不大，也不随文本变化；但相邻两个位置的编码可以差得很远。</p>
    <p>
      <strong>正弦和余弦</strong>把翻转换成转动：每一步都一样大。为什么要成对？只用正弦，一个周期里同一个值出现两次，步长也不均匀；两者合在一起，就是圆上的一个点。
    </p>
  `,
  length: "文本的词数",
  picture: "四种把位置写成数的办法，以及从每个位置到下一个位置的步长",
  names: { count: "计数", share: "归一化", bits: "二进制", waves: "正弦和余弦" },
  notes: ({ tooLong, codes, otherStep, flip: [at, here, next] }) => ({
    count: tooLong === undefined ? "还不大" : `从位置 ${tooLong} 起\n比词还大`,
    share: `一步是 ${two(codes.share.steps[0])}，\n${otherLength} 个词时是 ${two(otherStep)}`,
    bits: `从 ${at} 到 ${at + 1} 翻 ${here} 位，\n下一步翻 ${next} 位`,
    waves: "不大，每一步\n都一样",
  }),
  code: "编码",
  step: "每走一步",
  text: (words) => `${words} 个词的文本`,
  grey: "灰色：词向量的大小",
  describe: (last, step) =>
    `位置 0～${last} 的编码。正弦和余弦的每一步都是 ${step}，文本多长都一样。词向量有 ${dim} 维。`,
};
