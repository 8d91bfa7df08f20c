import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, math, row, sub, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      每一对${term("dimension", "维度")}好比一根表针，各以自己的速度匀速转动；对照的二进制计数器数着同一个位置。可以点选、按方向键，或按播放。
    </p>
  `,
  outro: () => html`
    <p>
      <strong>为什么要用许多种${term("wavelength", "波长", "？")}</strong>道理和钟表、计数器一样：快的分辨近处，慢的分辨远处。共 ${math("d")} 维，第
      ${math("i")} 对每个位置转 ${math(sub("ω", "i"))} 弧度，转满一圈要 ${math(sub("λ", "i"))} 个位置：
    </p>
    ${display(row(sub("ω", "i"), "=", frac("1", sup("b", row("2", "i", "/", "d")))))}
    ${display(row(sub("λ", "i"), "=", frac(row("2", "π"), sub("ω", "i")), "=", row("2", "π"), sup("b", row("2", "i", "/", "d"))))}
    <p>
      <strong>一个连续版的二进制计数器。</strong>最低位每步翻转一次，下一位每两步翻转一次，依此类推，周期逐位加倍。指针做的是同一件事，只是没有跳变；从一对到下一对，周期变为原来的
      ${math(sup("b", row("2", "/", "d")))} 倍。这种平滑变化的“位”用线性层就能读出来，而且无论从哪里出发，前进同样多的位置总是转过同样的角度。
    </p>
    <p>
      <strong>为什么是 10000？</strong>${term("base", "底数")}决定最慢的指针：转一圈要将近 2π · 10000 个位置，远远超过 2017
      年时的文本长度，因此在它看来没有两个位置是一样的。拖动看看：底数太小，所有指针在文本内都转了好几圈，位置开始重复；底数太大，大多数指针几乎不动，维度就浪费了。10000
      并没有什么特别；长文本模型取 500000 甚至更大（见“今天的模型：用哪种编码？”）。
    </p>
    <p>
      <strong>比文本还长的周期。</strong>在整段文本里转不满一圈的指针用虚线表示。模型从未见过这样的指针转完一圈：一旦超出训练长度，它遇到的就是全新的角度。所以 NTK、YaRN 等长上下文方法主要放慢这些慢指针，基本不动快指针。
    </p>
  `,
  pairs: "维度对序号 i（最多八对）",
  dim: "维数 d",
  base: "底数 b",
  length: "文本长度",
  position: "位置 p",
  ladder: (finished, pairs, slowest) =>
    `${Math.ceil(pairs)} 对里有 ${finished} 对在文本之内转满一圈；最慢的一圈要 ${slowest} 个位置。`,
  counter: "二进制计数器",
  hands: "波与指针",
  bit: (at) => `第 ${at} 位`,
  bitPeriod: (period) => `周期 ${period}`,
  positionAxis: "位置",
  longer: "比文本长",
  longerCount: (count, all) =>
    count === 0 ? "图中所有周期都在文本长度之内。" : `图中 ${all} 个周期里有 ${count} 个比文本还长。`,
  chosenPair: "所选维度对 i",
  omega: "频率 ω（弧度/位置）",
  degrees: "指针在本圈内的角度（度）",
  binary: "p 的二进制",
  sine: "sin(p·ω)",
  cosine: "cos(p·ω)",
  none: "序号超出范围。请写几个从 0 数起的序号，例如 0 1 2 3。",
  canvas: "波与指针。左右方向键改变位置，上下方向键换一对；Home 和 End 到第一个和最后一个位置。",
  roledescription: "波形图",
  describe: (o) =>
    `${o.dim} 维中第 ${o.pairs.join("、")} 对的波，共 ${o.length} 个位置：实线是正弦，点线是余弦，指针停在位置 ${o.position} 的角度上。${o.longer}选中：${o.sentence}。`,
};
