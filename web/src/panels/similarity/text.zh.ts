import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, math, row, sub } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>一格比较两个位置的编码；同一条对角线只有一种颜色。</strong>滑动 ${math("p", "：")}它那一行就是实线，无论滑到哪里都与虚线重合。
    </p>
  `,
  outro: () => html`
    <p>
      两个编码的${term("product", "点积")}只与距离有关：同一频率的正弦与余弦合在一起，正好是余弦的差角公式，
    </p>
    ${display(row("PE", "(", "p", ")", "·", "PE", "(", "q", ")", "=", "∑", "cos", row(sub("ω", "i"), "(", "q", "−", "p", ")")))}
    <p>
      <strong>序列长了，编码并不会变得相似，</strong>与${claim("B1", "一篇博文")}说的相反：位置 1000 附近的两个相邻位置，与开头的两个同样相似。
    </p>
    <p>
      <strong>总体上越近越像，但不是越远就越不像。</strong>曲线先迅速下降，然后起伏。它还左右对称：没有训练出来的
      ${math(sub("W", "q"))} 和 ${math(sub("W", "k"), "，")}只看点积分不出“在前”还是“在后”。
    </p>
  `,
  length: "位置个数",
  pairs: "频率个数 d/2",
  base: "底数 b",
  slideP: "滑动 p",
  matrix:
    "位置 p（行）与 q（列）的编码的点积。方向键移动一格，Page Up 和 Page Down 移动十行，Home 和 End 到第一列和最后一列。",
  curve: "点积随距离 q − p 的变化",
  from: (p) => `从 p = ${p} 到各个 q`,
  all: "只看距离",
  sides: {
    prompt: (p) => `位置 ${p} 前面和后面各有一个同样远的位置，哪一个的编码与 ${p} 更相似？`,
    answers: {
      before: (p) => `前面的 ${p}`,
      after: (p) => `后面的 ${p}`,
      same: "同样相似",
    },
    same: (product, step) =>
      `两个点积都是 ${product}：−${step} 与 +${step} 的余弦相同，所以点积能反映距离，却分不出方向。`,
    differ: (before, after) => `前面的点积是 ${before}，后面的是 ${after}。`,
  },
  describe: (signed) => `${signed ? "紫色为正，橙色为负，浅色接近零。" : "颜色越深，点积越大。"}`,
};
