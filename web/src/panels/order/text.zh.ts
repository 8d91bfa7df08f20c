import { html } from "lit-html";
import { display, row, sqrt, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      注意力把每个词与其他各词两两比较，依据的只是词向量。把词换个顺序，每个词面对的还是同一批词，输出的向量也就和原来一样。
    </p>
    ${display(row("softmax", "(", row("Q", sup("K", "⊤")), "/", sqrt("d"), ")", "V"))}
    <p>
      把下面的词拖成任意顺序，也可以用词旁的箭头，或者随机打乱。每个数是一个词在两种顺序下，输出向量各维变化的最大值：没有位置编码时是
      0，有了任何一种就不是。
    </p>
  `,
  outro: () => html`
    <p>
      <strong>没有位置，就看不见顺序。</strong>“我爱你”和“你爱我”在模型眼里将是同一句话。词换到哪里，输出就跟到哪里，此外什么也不变；第一行即使不全是零，剩下的也只是舍入误差。
    </p>
    <p>
      <strong>每种编码打破它的方式不同。</strong>正弦编码和可学习的位置表给每个词加上一个向量；RoPE
      转动查询和键；ALiBi 压低远处词对的得分。这里的 ALiBi 不带掩码，只看距离、不看方向：把句子整个倒过来，它那一行又会变成 0。
    </p>
    <p>
      词向量有十六维，由词的字母编造，相同的词向量相同；查询、键、值都直接取词向量，不再乘矩阵。可学习的位置表没有经过训练，由种子随机生成。
    </p>
  `,
  text: "我的句子",
  empty: "请先输入一个词。",
  shuffle: "打乱",
  chips: "第二种顺序的词",
  earlier: (word) => `把“${word}”前移`,
  later: (word) => `把“${word}”后移`,
  title: "每个词的输出最多变了多少",
  matrix: "每个词的注意力输出的最大变化，一行是一种编码，一列是一个词。用方向键选择格子。",
  encodings: { none: "无", sinusoid: "正弦", learned: "可学习", rope: "RoPE", alibi: "ALiBi" },
  encoding: "行（编码）",
  word: "词（从 0 数）",
  lane: "维度",
  describe: (first, second, none, least) =>
    `“${first}”与“${second}”相比。没有位置编码时，输出的变化都不超过 ${none}；用四种编码中的任何一种，总有输出至少变化 ${least}。`,
};
