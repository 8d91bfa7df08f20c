import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      每一对维度是一个独立的平面，各按自己的速度旋转，每个位置一个箭头。指向或点选箭头，或者按方向键：左右换维度对，上下换位置。
    </p>
  `,
  outro: () => html`
    <p>真实的${term("head", "注意力头")}有很多维。RoPE 把它们两两配对，每前进一个位置，第 ${math("i")} 对转过的弧度是</p>
    ${display(row(sub("θ", "i"), "=", frac("1", sup("b", row("2", "i", "/", "d")))))}
    <p>${claim("C12", "帖子 C")} 用十二个都等于 5 的维度，在位置 0、1、2、5、10 上画出了六个平面。这里的同一幅图是算出来的。</p>
    <p>
      <strong>从秒针到日历。</strong>第一对每个位置转一弧度，约 6.3 个位置转完一圈。最后几对在十个位置里几乎不动，箭头重叠在一起，标签也合在一处。把位置改到几千，就能看到它们转起来。
    </p>
    <p>
      <strong>哪两维是一对？</strong>RoFormer 和${claim("C10", "这篇帖子的程序")}里是相邻的 2i 与 2i + 1；GPT-NeoX 以及 Hugging Face 版的
      Llama 里是 i 与 i + d/2。所有维都相等时，两种布局画出的平面一样，只是维度的编号不同。换成真实的向量，布局错了得分就是错的，而且不会报错，所以 posenc 要求明确写出布局，不设默认值。
    </p>
  `,
  count: "维度对数 d/2",
  value: "每一维的值",
  base: "底数 b",
  layout: "布局",
  layouts: { interleaved: "相邻两维", half: "前后两半" },
  positions: "位置",
  position: (_line, column) => `第 ${column + 1} 个位置（共 5 个）`,
  toPost: "回到帖子的 ones(12) · 5",
  planes: "各对维度的平面，每个位置一个箭头。左右方向键选择维度对，上下方向键选择位置。",
  roledescription: "平面图",
  title: (dims) => `第 ${dims[0]}、${dims[1]} 维`,
  pair: "维度对序号 i",
  which: "查看的位置",
  cosSin: "式中的因子是 cos θ 与 sin θ，由精确的角度算出。",
  describe: (dim, positions, value, first, last) =>
    `${dim} 维，每一维都是 ${value}，位置为 ${positions.join("、")}。第一对每个位置转 ${first}°，最后一对转 ${last}°。每个平面上方的数是它每个位置的转角。`,
};
