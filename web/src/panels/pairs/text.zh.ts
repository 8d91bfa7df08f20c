import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>一个表盘是一对维度，一个箭头是一个位置。</strong>每一对转速不同：箭头叠在一起，就是还没有转动。
    </p>
  `,
  outro: () => html`
    <p>
      真实的${term("head", "注意力头")}多为 64 到 256 维。RoPE 把它们两两配对，每前进一个位置，第 ${math("i")} 对转过的弧度是
    </p>
    ${display(row(sub("θ", "i"), "=", frac("1", sup("b", row("2", "i", "/", "d")))))}
    <p>
      这正是上面那些波的频率。${claim("C12", "一篇博文")}用十二个都等于 5 的维度画过同样的图。
    </p>
    <p>
      <strong>从秒针到日历。</strong>第一对约 6.3 个位置转一圈，最后几对在十个位置里几乎不动。合在一起，远近都分得清。
    </p>
    <p>
      <strong>哪两维是一对？</strong>RoFormer 里是相邻的 2i 与 2i + 1；GPT-NeoX 以及 Hugging Face 版的 Llama 里是 i 与 i +
      d/2。弄错了得分就是错的，而且不会报错，所以 posenc 要求明确写出布局，不设默认值。
    </p>
  `,
  count: "维度对数 d/2",
  value: "每一维的值",
  base: "底数 b",
  layout: "布局",
  layouts: { interleaved: "相邻两维", half: "前后两半" },
  positions: "位置",
  position: (_line, column) => `第 ${column} 个位置（从 0 起，共 5 个）`,
  planes: "各对维度的平面，每个位置一个箭头。左右方向键选择维度对，上下方向键选择位置。",
  roledescription: "平面图",
  title: (dims) => `第 ${dims[0]}、${dims[1]} 维`,
  pair: "维度对序号 i",
  which: "位置",
  describe: (dim, positions, value, first, last) =>
    `${dim} 维，每一维都是 ${value}，位置为 ${positions.join("、")}。表盘上方是它的两维和每个位置的转角，从 ${first}° 到 ${last}°。`,
};
