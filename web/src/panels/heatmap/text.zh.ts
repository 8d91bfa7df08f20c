import { html } from "lit-html";
import { plain } from "../../format";
import { display, frac, math, row, sub, sup } from "../../math";
import type { en } from "./text.en";

const turn = sup("b", row("2", "i", "/", "d"));

export const zh: typeof en = {
  intro: () => html`
    <p>
      给句子里的每个位置配上一个独有的图案，词的先后就能从图案里读出来。2017 年的 Transformer
      用的是波：每两个维度为一对，存放同一个波的正弦和余弦；越往后的对，波长越长。
    </p>
    ${display(row("PE", "(", "p", ",", row("2", "i"), ")", "=", "sin", frac("p", turn)))}
    ${display(row("PE", "(", "p", ",", row("2", "i", "+", "1"), ")", "=", "cos", frac("p", turn)))}
    <p>
      其中 ${math("p")} 是位置，${math("d")} 是维度总数，${math("b")} 是底数，通常取
      10000。下图中一列是一个位置，一行是一个维度。把指针移到图上，或者让图获得焦点后按方向键，就能看到代入数字的公式。
    </p>
  `,
  outro: () => html`
    <p>
      <strong>看什么？</strong>最上面几行闪得很快：它们的波大约每六个位置重复一次（准确地说是
      ${math("2", "π")}）。越往下波拉得越长，最底下几行在整幅图里几乎不变。这和钟表是一个道理：快针区分相邻的位置，慢针区分相隔很远的位置。把底数调小，慢针也会转起来；把排列改成“先正弦后余弦”，波还是那些波，只是正弦都排到了上面。
    </p>
    <p>
      表很长时，格子比屏幕的像素还多。这时每个像素显示它所覆盖的格子的加权平均，快速的波会淡成中间的浅色，而不会画出数据里并不存在的条纹。公式旁边放大的格子从不做平均。
    </p>
    <details>
      <summary>为什么一对维度共用一个频率？</summary>
      <p>
        同一频率 ${math(sub("ω", "i"))} 的正弦与余弦放在一起，位置前进 ${math("k")} 步，就相当于把这一对数旋转
        ${math("k", sub("ω", "i"))}，与原来在哪个位置无关。这样的旋转是固定的线性变换，模型学得会，于是能做到“往前看三个词”。
      </p>
    </details>
  `,
  length: "位置个数",
  dim: "维度 d",
  base: "底数 b",
  order: "排列方式",
  interleaved: "正弦余弦交替",
  split: "先正弦后余弦",
  palette: "配色",
  puor: "橙 – 紫",
  rdbu: "红 – 蓝",
  advanced: "进阶：起始位置与指数",
  offset: "起始位置",
  exponent: "指数",
  paper: "2i/d（论文）",
  doubleStepped: "4i/d（步长翻了两次）",
  advancedHint:
    "位置一直精确到二十多亿，也可以是负数或小数。指数 4i/d 是常见的笔误：循环变量已经两个两个地数，又多乘了一次 2，结果后一半的波慢得看不出变化。",
  position: "位置",
  index: "第几列（从 0 数）",
  lane: "维度序号",
  omega: "频率 ω（弧度/位置）",
  lambda: "波长 2π/ω（位置数）",
  positionAxis: "位置",
  laneAxis: "维度序号",
  valueAxis: "数值",
  lens: "选中的格子及其四周的数值，横向是位置，纵向是维度",
  canvas:
    "位置编码热力图。左右方向键改变位置，上下方向键改变维度；Home 和 End 到第一个和最后一个位置，Page Up 和 Page Down 一次移动十六个维度。",
  roledescription: "热力图",
  describe: (o, sentence) =>
    `从 ${plain(o.offset)} 起的 ${o.length} 个位置，${o.dim} 个维度，底数 ${plain(o.base)}，${
      o.order === "split" ? "先正弦后余弦" : "正弦余弦交替"
    }${o.exponent === "paper" ? "" : "，指数步长翻了两次"}。橙色或红色为负，紫色或蓝色为正，浅色接近零。选中：${sentence}。`,
};
