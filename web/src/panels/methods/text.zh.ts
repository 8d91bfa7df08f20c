import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>六种方法回答六个问题，答案都在你的机器上统计、计算得出。点一个答案，看它的依据和帖子对同一问题的说法；≠ 表示两者不同。</p>
  `,
  outro: () => html`
    <p>
      ${claim("C18", "帖子 C")}
      以一张对比表收尾：哪种方法可以训练，哪种能${term("extrapolation", "外推")}到更长的文本，哪种能编码相对位置，各要多少开销。这里直接检验这些方法本身：每个答案都由库的返回值统计或计算得出。A3 到 D2 是“核对”页上各条说法的编号，字母表示哪篇帖子。
    </p>
    <p>
      <strong>距离是这样检验的：</strong>让八个查询和八个键各就各位，再整体后移七个位置。如果得分只取决于距离，变化就不会超过舍入误差。正弦编码通不过，因为词向量也在和里面；不过它的编码确实带有相对位移的信息：位置
      p + k 的编码是位置 p 的编码的固定线性变换。
    </p>
    <p>
      <strong>“外推”有两层意思。</strong>表以外的位置究竟有没有编码，上面已有答案。训练好的模型遇到没见过的编码能否应付，是另一回事：RoPE
      任何位置都算得出，但不调整频率，模型超出训练长度后照样会失效，这正是“超过训练长度”一图的内容；“外推实验”一图用小模型做了实测。
    </p>
    <p>
      <strong>n² 个值不必都存下来。</strong>每个头的${term("bias", "相对偏置")}只有 2n − 1 个不同的值；空心条是全部写出 n²
      个值所占的字节。正弦编码和 RoPE 的表也不必保存，可以随时重算。“独一无二”是指不与其他位置（或距离）共用：T5 的分桶和 Shaw 的截断本来就是要共用的。
    </p>
  `,
  length: "位置个数 n",
  dim: "维数 d",
  heads: "头数",
  methods: {
    sinusoid: "正弦编码（相加）",
    learned: "可学习位置编码（相加）",
    shaw: "可学习的相对编码（Shaw，±16）",
    t5: "T5 分桶（32 桶）",
    alibi: "ALiBi",
    rope: "RoPE",
  },
  short: { sinusoid: "正弦", learned: "可学习", shaw: "Shaw", t5: "T5", alibi: "ALiBi", rope: "RoPE" },
  yes: "是",
  no: "否",
  method: "方法",
  question: "问题",
  answers: "六种方法：点一个答案，看它的依据",
  post: (id) => `帖子 ${id[0]}（${id}）`,
  questions: {
    trainable: { asks: "有要训练的数值吗？", means: "统计训练会改动的数值。" },
    stored: {
      asks: "必须存多少？",
      means: "只算训练得来的数值，其余都可以重算；再统计从 n 到 2n 它们如何增长。",
    },
    relative: {
      asks: "除词本身以外，得分只取决于距离吗？",
      means: "查询和键整体后移七个位置，除舍入误差外不应有变化。",
    },
    distinct: { asks: "每个位置的编码都独一无二吗？", means: "编码的是距离时，则看每种距离。" },
    beyond: {
      asks: "位置 2n 有编码吗？",
      means: "只看算不算得出。训练好的模型能否处理这么长的文本是另一个问题，见“外推实验”。",
    },
    time: {
      asks: "用时如何增长？",
      means: "按下按钮后在这个标签页里测量；取 256 到 1024 个位置之间最接近的 n 的幂次。",
    },
  },
  orders: ["O(1)", "O(n)", "O(n²)", "O(n³)"],
  statements: {
    same: (post, answer) => html`✓ ${post}：${answer}`,
    differs: (post, answer) => html`≠ ${post}：${answer}`,
    unmeasured: (post, answer) => html`${post}：${answer}`,
    trained: (post, answer) => html`${post}说的是训练好的模型：${answer}`,
    codes: (post, answer) => html`${post}说的是相加之前的编码：${answer}（见核对页）`,
  },
  unmeasured: "未测量",
  grows: (from, to, times) => `${from} → ${to}：× ${times}`,
  compared: (statements, differing, sources, isTimed) =>
    `帖子中有 ${statements} 条说法与这里计算的是同一问题：${
      differing === 0
        ? "全部一致"
        : `${statements - differing} 条一致，${differing} 条不同，已用 ≠ 标出（${sources.join("、")}）`
    }。${isTimed ? "" : "用时测量之后再计入。"}`,
  tableEnds: (last) => `表到位置 ${last} 为止`,
  parameters: (count) => `${count} 个参数`,
  change: (value) => `得分变化 ${value}`,
  distinct: {
    positions: (count, of) => `${of} 个位置中的 ${count} 个`,
    distances: (count, of) => `${of} 种距离中的 ${count} 种`,
  },
  chart: "字节数：实际保存的（实心条）与写出全部 n² 对的（空心条）",
  measure: "测量用时",
  measuring: "正在测量……重新开始",
  notYet: "点“测量用时”后，在本机上实测。",
  conditions:
    "在这台机器的这个标签页里测得：先热身一次，再测七轮，每轮不少于 4 毫秒，取中位数。其他程序在运行时，结果会变。",
  measured: "处理一个序列的实测用时",
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
