import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>每个位置是一列数；每两行是一个波，在下面画成一根表针。</strong>快针分辨近处，慢针分辨远处。
    </p>
  `,
  outro: () => html`
    <p>
      共 ${math("d")} ${term("dimension", "维", "，")}第 ${math("i")} 对每个位置转 ${math(sub("ω", "i"))}
      弧度，转满一圈要一个${term("wavelength", "波长")} ${math(sub("λ", "i"), "：")}
    </p>
    ${display(row(sub("ω", "i"), "=", frac("1", sup("b", row("2", "i", "/", "d")))), ", ", row(sub("λ", "i"), "=", frac(row("2", "π"), sub("ω", "i"))))}
    <p>
      <strong>平滑的“位”。</strong>像二进制计数器一样，一对比一对慢，只是没有跳变：无论从哪里出发，前进同样多的位置，总是转过同样的角度。（书上常把位置画成竖排。）
    </p>
    <p>
      <strong>为什么是 10000？</strong>${term("base", "底数")}决定最慢的指针：维数多时，转一圈将近 2π · 10000
      个位置，远远超过 2017 年时的文本。拖动看看：底数太小，所有指针都转好几圈，位置开始重复；底数太大，多数指针几乎不动。10000
      并没有什么特别：长文本模型常把它调大；DeepSeek-V3 不改底数，改用 YaRN；gpt-oss 两样都用。
    </p>
    <p>
      <strong>虚线：比文本还长。</strong>模型从没见过这样的指针转完一圈；超出训练长度，遇到的就是新的角度。NTK 和 YaRN 要处理的正是这些指针。
    </p>
  `,
  prompt: (base, larger, length) => `底数从 ${base} 变成 ${larger}，在 ${length} 个位置之内转满一圈的指针会怎样？`,
  answers: { more: "变多", same: "一样多", fewer: "变少" },
  why: (before, after, all) =>
    `${all} 根指针里，原来有 ${before} 根转满一圈，后来是 ${after} 根：底数越大，除第一根外每根都变慢，本来越慢的放慢得越多。`,
  pairs: "维度对序号 i（最多四对）",
  dim: "维数 d",
  base: "底数 b",
  length: "文本长度",
  position: "位置 p",
  ladder: (finished, pairs, slowest) =>
    `${Math.ceil(pairs)} 根指针里有 ${finished} 根在文本之内转满一圈；最慢的要 ${slowest} 个位置。`,
  hands: "编码表，以及其中四对维度的波和表针",
  positionAxis: "位置",
  dimension: "维度",
  canvas: "编码表、波与表针。左右方向键改变位置，上下方向键换一对；Home 和 End 到第一个和最后一个位置。",
  roledescription: "波形图",
  describe: (o) =>
    `${o.dim} 维，${o.length} 个位置：紫色为正，橙色为负。下面实线是正弦，点线是余弦，指针停在位置 ${o.position}。${o.ladder}`,
};
