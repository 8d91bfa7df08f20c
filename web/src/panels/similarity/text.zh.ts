import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      每个格子比较两个位置 ${math("p")} 与 ${math("q")} 的编码，结果只取决于两者的距离。滑动 ${math("p")}
      或按播放：实线是图中标出的那一行；无论 ${math("p")} 滑到哪里，它都与虚线重合。
    </p>
  `,
  outro: () => html`
    <p>
      两个位置的编码有多像？逐维相乘再相加，也就是求${term("product", "点积", "。")}同一频率的正弦与余弦合在一起，正好是余弦的差角公式，位置本身就消掉了，只剩下距离：
    </p>
    ${display(row("PE", "(", "p", ")", "·", "PE", "(", "q", ")", "="))}
    ${display(row("∑", "sin", row(sub("ω", "i"), "p"), "sin", row(sub("ω", "i"), "q")))}
    ${display(row("+", "∑", "cos", row(sub("ω", "i"), "p"), "cos", row(sub("ω", "i"), "q")))}
    ${display(row("=", "∑", "cos", row(sub("ω", "i"), "(", "q", "−", "p", ")")))}
    <p>
      <strong>序列长了，编码并不会变得相似。</strong>${claim("B1", "帖子 B")}《位置编码:赋予Transformer位置感知能力》说，长序列的位置编码会越来越接近。矩阵给出的结论相反：同一条对角线上的点积处处相等，所以位置
      1000 附近的两个相邻位置，与开头的两个相邻位置同样相似。最大的点积是 ${math(frac("d", "2"), "，")}即一个位置与它自己的点积。
    </p>
    <p>
      <strong>近的相似，但不是单调的。</strong>曲线先迅速下降，然后起伏：离得更远的两个位置，有时反而比离得近的更像。曲线还左右对称：如果没有训练出来的
      ${math(sub("W", "q"))} 和 ${math(sub("W", "k"), "，")}只看点积分不出“在前”还是“在后”。
    </p>
  `,
  length: "位置个数",
  pairs: "频率个数 d/2",
  base: "底数 b",
  slideP: "滑动 p",
  drift: "整个矩阵里，点积与“只看距离”的值最多相差：",
  matrix:
    "位置 p（行）与 q（列）的编码的点积。方向键移动一格，Page Up 和 Page Down 移动十行，Home 和 End 到第一列和最后一列。",
  curve: "点积随距离 q − p 的变化",
  from: (p) => `从 p = ${p} 到各个 q`,
  all: "只看距离（从 p = 0 算起）",
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
  describe: (sentence, signed) =>
    `${signed ? "紫色或蓝色为正，橙色或红色为负，浅色接近零。" : "颜色越深，点积越大。"}每条对角线只有一种颜色。选中：${sentence}。`,
};
