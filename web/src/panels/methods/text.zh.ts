import { html } from "lit-html";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>六种方法在你的机器上统计、计算的结果，旁边是文档 002 的对比表里的说法；答案不同的格子会标出来。</p>
  `,
  outro: () => html`
    <p>
      文档 002
      以一张对比表收尾：哪种方法可以训练，哪种能外推到更长的文本，哪种懂得相对位置，各要多少开销。这里直接去问这些方法本身：每一格都由库的返回值在你的机器上统计或计算得出。“可训练”与“相对”两列回答的正是文档的问题，答案不同的格子会标出来；“位置
      2n 有编码”与“能外推”则是两回事，后者只有训练才能回答。
    </p>
    <p>
      <strong>“相对”是这样检验的：</strong>让八个查询和八个键各就各位，再整体后移七个位置。如果得分只取决于距离，变化就不会超过舍入误差。正弦编码通不过，因为词向量也在和里面；不过它的编码确实带有相对位移的信息：位置
      p + k 的编码是位置 p 的编码的固定线性变换。
    </p>
    <p>
      <strong>“外推”有两层意思。</strong>表以外的位置究竟有没有编码，看最后一列。训练好的模型遇到没见过的编码能否应付，是另一回事：RoPE
      任何位置都算得出，但不调整频率，模型超出训练长度后照样会失效，这正是“比训练时读得更远”一图的内容；“学会之后，再拉长”一图用小模型做了实测。
    </p>
    <p>
      <strong>n² 个值不必都存下来。</strong>每个头的相对偏置只有 2n − 1 个不同的值；小字给出的是全部写出 n²
      个值要多少字节。正弦编码和 RoPE 的表也不必保存，可以随时重算。“唯一”数的是不与其他位置（或距离）共用的编码：T5 的分桶和 Shaw 的截断本来就是要共用的。
    </p>
  `,
  length: "位置个数 n",
  dim: "维度 d",
  heads: "头数",
  counted: "统计与计算结果",
  columns: ["方法", "可训练", "占用字节", "相对：只看距离", "编码唯一", "位置 2n 有编码"],
  methods: {
    sinusoid: "正弦编码（相加）",
    learned: "可学习位置编码（相加）",
    shaw: "可学习的相对编码（Shaw，±16）",
    t5: "T5 分桶（32 桶）",
    alibi: "ALiBi",
    rope: "RoPE",
  },
  yes: "是",
  no: "否",
  document: (claim) => `文档：${claim}`,
  extrapolates: (claim) => `文档说能否外推：${claim}`,
  tableEnds: (last) => `表到位置 ${last} 为止`,
  compared: (cells, differing) =>
    `有 ${cells} 格与文档回答的是同一问题：${differing === 0 ? "没有不同" : `${differing} 格不同，已标出`}。开销一栏，文档只给出增长的阶；外推一栏，文档说的是训练好的模型：两者都无法逐格对照。`,
  parameters: (count) => `${count} 个参数`,
  ofPairs: (size) => `写出全部 n² 对要 ${size}`,
  change: (by, value) => `整体后移 ${by} 位，得分变化 ${value}`,
  distinct: {
    positions: (count, of) => `${of} 个位置中的 ${count} 个`,
    distances: (count, of) => `${of} 种距离中的 ${count} 种`,
  },
  chart: "字节数：实际保存的（实心条）与写出全部 n² 对的（空心条）",
  measure: "测量用时",
  measuring: "正在测量……重新开始",
  notYet: "用时要等你按下按钮，才在此时此地测量。",
  conditions:
    "在这台机器的这个标签页里测得：先热身一次，再测七轮，每轮不少于 4 毫秒，取中位数。其他程序在运行时，结果会变。",
  measured: "处理一个序列的实测用时",
  doubled: "512 → 1024",
  work: {
    sinusoid: "生成编码表并相加，[n, d]",
    learned: "加上对应的行，[n, d]",
    shaw: "全部 n² 对的行号",
    t5: "所有头、全部 n² 对的偏置",
    alibi: "所有头、全部 n² 对的偏置",
    rope: "旋转一个查询和一个键，[n, d]",
  },
  describe: (length, dim, heads, relative) =>
    `六种方法，${length} 个位置，${dim} 维，${heads} 个头。得分只取决于距离的是：${relative.join("、")}。`,
};
