import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sqrt, sub, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      一行是一个${term("query", "查询", "，")}一列是一个键：同一条对角线上的数都相同，因为起作用的只有相对位置
      ${math("j", "−", "i", "。")}点选一个格子，或者用方向键移动，就会标出它所在的对角线。
    </p>
  `,
  outro: () => html`
    <p>
      要让注意力层知道先后，还有一种办法：不给词编号，而是给每一对词加一个偏置，它只取决于两者的相对位置。这个数加到查询 ${math("i")} 与键
      ${math("j")} 的得分上，或者用来从表里取一个向量：
    </p>
    ${display(row("softmax", "(", frac(row("Q", sup("K", "⊤")), sqrt(sub("d", "k"))), "+", "R", ")", "V"))}
    ${display(row(sub("R", row("i", "j")), "=", "r", "(", "j", "−", "i", ")"))}
    <p>
      <strong>要存的数并不多。</strong>${math("n")} 个词有 ${math(sup("n", "2"))} 对，却只有
      ${math("2", "n", "−", "1")} 种相对位置，所以不必存下整个矩阵。截断之后更少：超过 ${math("k")}
      的相对位置共用一个数。T5 把距离${term("t5", "分桶", "，")}越远桶越宽，每个桶、每个头各学一个偏置。${term("alibi", "ALiBi")} 和 KERPLE
      则用公式：前者是一条向下的直线，后者是带两个可学习参数的曲线。凡是有公式、或者有“最后一个桶”的方法，对训练时没见过的距离也都有定义。
    </p>
    <p>
      <strong>分不分前后。</strong>ALiBi 和 KERPLE 对 ${math("j", "−", "i")} 与 ${math("i", "−", "j")}
      给出同样的偏置；在解码器里这没有损失，因为查询只看得到它之前的键。编码器则需要知道谁在前，T5 为此把桶分成两半，分别给“在前”和“在后”。
    </p>
  `,
  method: "方法",
  methods: {
    alibi: "ALiBi",
    offset: "j − i",
    clip: "截断",
    t5: "T5 分桶",
    kerple: "KERPLE",
    learned: "可学习偏置",
  },
  size: "词数 n",
  clip: "最远的相对位置 k",
  buckets: "桶数",
  maxDistance: "最远距离",
  direction: "查询之后的键",
  directions: { both: "另用一半的桶（编码器）", past: "都归 0 号桶（解码器）" },
  t5Hint: "T5 用 32 个桶，最远距离 128。",
  heads: "头数",
  head: "第几个头（从 1 数）",
  kernel: "核函数",
  kernels: { logarithmic: "对数", power: "幂" },
  r1: "r₁",
  r2: "r₂",
  biases: "每个相对位置的偏置",
  biasOf: (offset) => `相对位置 ${offset} 的偏置`,
  learnedHint: "超过 ±7 的相对位置共用最后一个偏置。选中矩阵后，按 + 和 − 可把选中对角线的偏置增减 0.1。",
  queryAxis: "查询 i",
  keyAxis: "键 j",
  offsetAxis: "相对位置 j − i",
  valueAxis: "数值",
  diagonal: "这条对角线上等于此值的格子",
  equal: (count, all) => `${all} 格中 ${count} 格`,
  counted: (pairs, values) => `${pairs} 对，${values} 个数`,
  pairs: "词对数 n²，以及够用的数值个数 2n − 1",
  constant: "与所在对角线不一致的格子数",
  slope: "这个头的斜率 m",
  matrix:
    "相对位置矩阵，纵向是查询，横向是键。方向键移到另一个格子，Home 和 End 到行首和行尾；格子所在的对角线会被标出。",
  colours: {
    signed: "橙色或红色为负，紫色或蓝色为正，浅色接近零。",
    amounts: "格子越深，数值比零小得越多。",
    buckets: (count) =>
      `共 ${count} 个桶：数字只是桶的编号，所以每个桶各用一种颜色${count > 12 ? "，每隔十二个桶重复一次" : ""}。`,
  },
  curve: "同样的数，按相对位置画出",
  alike: {
    prompt: (buckets) =>
      `T5 把所有距离分进 ${buckets} 个桶，每个桶学一个偏置。对于查询之前的键，哪两个距离会落进同一个桶？`,
    answer: (near, far) => `${near} 和 ${far}`,
    why: (found) =>
      `${found
        .map(([pair, [near, far]]) =>
          near === far ? `距离 ${pair} 同在 ${near} 号桶` : `距离 ${pair} 分属 ${near} 号和 ${far} 号桶`,
        )
        .join("；")}。近处每个距离各有一个桶，越远桶越宽。`,
  },
  describe: (o) =>
    `${o.method}，${o.size} 个词。${o.colours}相对位置为 ${o.offset} 的 ${o.equal} 个格子数值全都相同。选中：${o.sentence}。`,
};
