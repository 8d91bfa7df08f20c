import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sqrt, sub, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>每行是一个${term("query", "查询")}（正在看的词），每列是一个键（被看的词）；同一条对角线距离相同，数也相同。</strong>不给词编号，只给每一对词的得分加一个数。
    </p>
  `,
  outro: () => html`
    <p>
      要让注意力层知道位置，还有一种办法：给查询 ${math("i")} 与键 ${math("j")} 的得分加一个数，这个数由两者相距多远决定：
    </p>
    ${display(row("softmax", "(", frac(row("Q", sup("K", "⊤")), sqrt(sub("d", "k"))), "+", "R", ")", "V"))}
    ${display(row(sub("R", row("i", "j")), "=", "r", "(", "j", "−", "i", ")"))}
    <p>
      <strong>${term("alibi", "ALiBi")}</strong> 每远一个位置就减去同样多，每个头快慢不同。<strong>${term("t5", "T5")}</strong>
      把距离分桶，越远桶越宽，每个头里每个桶学一个数。训练时没见过的距离，两者也都有定义。
    </p>
    <p>
      <strong>分不分前后？</strong>ALiBi
      对前后给出同样的偏置；在解码器里没有损失，因为掩码遮住了后文。T5 编码器则把桶分成两半，分别给“在前”和“在后”。
    </p>
  `,
  method: "方法",
  methods: { alibi: "ALiBi", t5: "T5", offset: "j − i" },
  size: "位置数 n",
  buckets: "桶数",
  maxDistance: "最远距离",
  keys: "查询之后的键",
  directions: { past: "遮住（解码器）", both: "看得到（编码器）" },
  heads: "头数",
  head: "第几个头（从 0 起）",
  queryAxis: "查询 i",
  keyAxis: "键 j",
  offsetAxis: "相对位置 j − i",
  valueAxis: { alibi: "偏置", t5: "桶", offset: "相对位置" },
  matrix:
    "相对位置矩阵，纵向是查询，横向是键。方向键移到另一个格子，Home 和 End 到行首和行尾；格子所在的对角线会被标出。",
  colours: {
    signed: "橙色为负，紫色为正，浅色接近零。",
    amounts: "格子越深，数值比零小得越多。",
    buckets: "数字是桶的编号，所以每个桶各用一种颜色，每隔十二个桶重复一次。",
  },
  curve: "同样的数，按相对位置画出",
  alike: {
    prompt: (buckets) => `T5 编码器有 ${buckets} 个桶，一半给查询之前的键。往前数，哪两个距离会落进同一个桶？`,
    answer: (near, far) => `${near} 和 ${far}`,
    why: (found) =>
      `${found
        .map(([pair, [near, far]]) =>
          near === far ? `距离 ${pair} 同在 ${near} 号桶` : `距离 ${pair} 分属 ${near} 号和 ${far} 号桶`,
        )
        .join("；")}。近处每个距离各有一个桶，越远桶越宽。`,
  },
  describe: (o) =>
    `${o.method}：${o.pairs} 对词，只需 ${o.values} 个数。${o.colours}标出的是相对位置 ${o.offset} 的对角线。`,
};
