import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, row, sqrt, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      柱高表示换一种顺序之后，一个词有多少注意力转移到了别的词上：不加位置编码时为零，加上任何一种都不为零。可以拖动下面的词，也可以用词旁的箭头。
    </p>
  `,
  outro: () => html`
    <p><strong>没有位置，就看不见顺序。</strong>${term("attention", "注意力")}让每个词与句中所有的词逐一比较，依据的只是词向量：</p>
    ${display(row("softmax", "(", row("Q", sup("K", "⊤")), "/", sqrt("d"), ")"))}
    <p>
      换个顺序，每个词面对的还是同一批词，给每个词的权重也和原来一样。在模型眼里，“我爱你”和“你爱我”就是同一句话。
    </p>
    <p>
      <strong>不同的编码用不同的办法引入顺序。</strong>正弦编码和${term("learned", "可学习位置编码")}给每个词加上一个向量；RoPE
      旋转查询和键；ALiBi 降低相距较远的词对的得分。这里的 ALiBi 不带${term("mask", "掩码", "，")}只看距离、不看方向：把句子整个倒过来，任意两个词的距离都和原来一样。
    </p>
    <p>
      词向量有十六维，由词的拼写按固定规则生成，相同的词向量相同；查询和键都直接取词向量，不再乘矩阵。可学习的表没有经过训练，由种子随机生成。
    </p>
  `,
  text: "我的句子",
  empty: "请先输入一个词。",
  shuffle: "打乱",
  chips: "第二种顺序的词",
  left: (word) => `把“${word}”向左移`,
  right: (word) => `把“${word}”向右移`,
  title: "每个词有多少注意力转移了（各行纵轴刻度不同）",
  bars: "每个词有多少注意力转移了，一行是一种编码，一列是一个词。用方向键选择柱子。",
  encodings: { none: "无", sinusoid: "正弦", learned: "可学习", rope: "RoPE", alibi: "ALiBi" },
  encoding: "编码",
  word: "词（从 0 数）",
  oneOrder: "所有的词都相同：只有一种顺序，没有可比的。",
  sameOrder: "现在两种顺序相同：移动一个词，就能看到差别。",
  mirrored: "ALiBi 这一行是 0：任意两个词的距离都和原来一样，而它只看距离。",
  describeSame: (first) => `“${first}”，两种顺序相同：什么都不会变。`,
  describe: (first, second, none, others) =>
    `“${first}”与“${second}”相比。不加位置编码时，没有注意力转移（${none}）。各种编码下转移最多的词：${others.join("，")}。`,
};
