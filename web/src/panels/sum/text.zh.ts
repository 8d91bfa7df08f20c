import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, math, row, sqrt, sub } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      空心点是${term("embedding", "词向量", "，")}箭头是位置加上去的部分：第一幅图用帖子的数字，第二幅用公式的数字。
    </p>
  `,
  outro: () => html`
    <p>
      位置信息怎样加进词向量？直接相加。有两篇帖子拿“The cat sat on the mat”做例子，用的是简单的数字；这里把原文的数字和公式真正给出的值并排画出来。
    </p>
    <p>每个词有一个向量 ${math("W", "，")}每个位置有一个向量 ${math("P", "，")}模型读到的是两者之和：</p>
    ${display(row(sub("X", "p"), "=", sub("W", "p"), "+", sub("P", "p")))}
    <p>
      <strong>文中的位置向量只是示意：</strong>两篇帖子的位置向量都不是公式的值。${claim("E2", "帖子 E")} 自己写了“假设”，里面只有
      ${math(sub("P", "0"))} 与公式一致：两维时，真正的 ${math(sub("P", "1"))} 是 1
      的正弦和余弦。不过，两篇帖子的加法本身每一位都是对的。
    </p>
    <p>
      <strong>位置各不相同，和却可能相同。</strong>${claim("E3", "帖子 E")} 的六个位置向量确实互不相同；但加到词向量上，“the”和“mat”恰好都得到“[1.8,
      1.4]”，模型分不清这两个词。换成公式的位置向量，两者相距很远，看第二幅图便知。理论上，无论用哪种编码，和都有可能相同；但维度有几百个时，实际上不会遇到。
    </p>
    <p>
      <strong>把倍数调大看看。</strong>论文在相加之前先把词向量乘以 ${math(sqrt("d"), "：")}位置向量每一维的绝对值不超过 1；词向量放大之后，不会被位置向量盖过。
    </p>
    <p>
      还有一处细节：${claim("C2", "帖子 C")} 里“The”和“the”的词向量相同，只能靠位置来区分；${claim("E1", "帖子 E")} 给了它们不同的向量，“[0.1,
      0.2]”和“[0.9, 1.0]”，就像区分大小写的分词器那样。
    </p>
  `,
  source: "例子",
  sources: { E: "帖子 E", C: "帖子 C", own: "我的句子" },
  sentence: "句子",
  dim: "维数 d",
  scale: "W 的倍数",
  chosen: "词（从 0 数）",
  kinds: { printed: "文中的位置", formula: "公式的位置" },
  note: (source, titles) =>
    source === "E"
      ? html`${claim("E1", "帖子 E")} 是 2024 年 12 月 27 日的《${titles[source]}》。它的向量都是两维，所以公式也取
          ${math(row("d", "=", "2"), "。")}`
      : source === "C"
        ? html`${claim("C3", "帖子 C")} 是《${titles[source]}》。它的每个向量给出了三维，后面是“…”，没有说明总共几维。这里公式取
            ${math("d", "=", "3", "。")}前两维就是位置本身的正弦和余弦，${math("d")} 取多少都一样；第三维则与 ${math("d")} 有关。`
        : html`真正的词向量是训练出来的，这里的<strong>按固定规则生成</strong>：把词的字母哈希成一个整数，再取公式在这个整数处的编码当作词向量。相同的词向量相同，不分大小写。`,
  empty: "请先输入一个词。",
  table: "词向量、位置向量与它们的和",
  position: "位置",
  word: "词",
  embedding: { E: "W（原文）", C: "W（原文）", own: "W（按规则生成）" },
  printed: (source) => `用帖子 ${source} 给出的位置向量`,
  formula: (dim) => `用公式的位置向量，d = ${dim}`,
  asPrinted: "✓ 与原文一致",
  notAsPrinted: "✗ 与原文不同",
  plotPrinted: (source) => `帖子 ${source} 给出的位置向量`,
  plotFormula: "公式的位置向量",
  plotLabel: (title) => `${title}：前两维画在平面上。空心点是词向量，箭头从它指向和。用方向键选词。`,
  describe: (count, equal) =>
    `共 ${count} 个词。${equal
      .map(({ kind, groups }) => {
        const which = kind === "printed" ? "用文中的位置向量" : "用公式的位置向量";
        return groups.length > 0
          ? `${which}，这些词的和相同：${groups.join("；").replaceAll("), ", ")、")}。`
          : `${which}，所有的和都不相同。`;
      })
      .join("")}图中空心点是词向量，箭头尖端是和；只画前两维。`,
};
