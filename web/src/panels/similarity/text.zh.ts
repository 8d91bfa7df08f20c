import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      每个格子比较两个位置 ${math("p")} 与 ${math("q")} 的编码，结果只取决于两者的距离。滑动 ${math("p")}
      或按播放：实线就是标出的那一行，它沿着虚线滑动，始终不离开虚线。
    </p>
  `,
  outro: () => html`
    <p>
      两个位置的编码有多像？逐维相乘再相加，也就是求${term("product", "内积")}。同一频率的正弦与余弦合在一起，正好是余弦的差角公式，位置本身就消掉了，只剩下距离：
    </p>
    ${display(row("PE", "(", "p", ")", "·", "PE", "(", "q", ")", "="))}
    ${display(row("∑", "sin", row(sub("ω", "i"), "p"), "sin", row(sub("ω", "i"), "q")))}
    ${display(row("+", "∑", "cos", row(sub("ω", "i"), "p"), "cos", row(sub("ω", "i"), "q")))}
    ${display(row("=", "∑", "cos", row(sub("ω", "i"), "(", "q", "−", "p", ")")))}
    <p>
      <strong>序列长了，编码并不会变得相似。</strong>${claim("B1", "帖子 B")}《位置编码:赋予Transformer位置感知能力》说，长序列的位置编码会越来越接近。矩阵给出的结论相反：同一条对角线上的内积处处相等，所以第
      1000 个位置附近的两个邻居，与开头的两个邻居一样像。最大的内积是 ${math(frac("d", "2"))}，即一个位置与它自己的内积。
    </p>
    <p>
      <strong>近的相似，但不是单调的。</strong>曲线先迅速下降，然后起伏：离得更远的两个位置，有时反而比离得近的更像。曲线还左右对称：如果没有训练出来的
      ${math(sup("W", "Q"))} 和 ${math(sup("W", "K"))}，只看内积分不出“在前”还是“在后”。
    </p>
  `,
  length: "位置个数",
  pairs: "频率个数 d/2",
  base: "底数 b",
  slideP: "滑动 p",
  drift: "整个矩阵里，内积与“只看距离”的值最多相差：",
  matrix:
    "位置 p（行）与 q（列）的编码的内积。方向键移动一格，Page Up 和 Page Down 移动十行，Home 和 End 到第一列和最后一列。",
  curve: "内积随距离 q − p 的变化",
  from: (p) => `从 p = ${p} 到各个 q`,
  all: "只看距离（从 p = 0 算起）",
  sides: {
    prompt: (p) => `与位置 ${p} 的编码更像的，是它前面不远的一个，还是它后面同样远的一个？`,
    answers: {
      before: (p) => `前面的 ${p}`,
      after: (p) => `后面的 ${p}`,
      same: "一样像",
    },
    same: (product, step) =>
      `两个内积都是 ${product}：−${step} 与 +${step} 的余弦相同，所以内积知道相距多远，却不知道在哪一边。`,
    differ: (before, after) => `前面的内积是 ${before}，后面的是 ${after}。`,
  },
  describe: (sentence, signed) =>
    `${signed ? "紫色或蓝色为正，橙色或红色为负，浅色接近零。" : "颜色越深，内积越大。"}每条对角线只有一种颜色。选中：${sentence}。`,
};
