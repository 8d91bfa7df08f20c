import { html } from "lit-html";
import { display, frac, math, row, sub, sup } from "../../../draw/math";
import type { en } from "./text.en";

const power = sup("b", row("2", "i", "/", "d"));

export const zh: typeof en = {
  outro: () => html`
    <p>每两个维度为一对，存放同一个波的正弦和余弦；越靠后的维度对，波长越长。原始 Transformer 论文（2017）的定义是：</p>
    ${display(row("PE", "(", "p", ",", row("2", "i"), ")", "=", "sin", frac("p", power)))}
    ${display(row("PE", "(", "p", ",", row("2", "i", "+", "1"), ")", "=", "cos", frac("p", power)))}
    <p>其中 ${math("p")} 是位置，${math("d")} 是维数，${math("b")} 是底数，通常取 10000。</p>
    <p>
      <strong>怎么看这幅图？</strong>最上面几行变化很快：它们的波大约每六个位置重复一次（准确地说是
      ${math("2", "π")} 个）。越往下波拉得越长，最底下几行在整幅图里几乎不变。这和钟表是一个道理：快针区分相邻的位置，慢针区分相隔很远的位置。把底数调小，慢针也会转起来；把排列改成“先正弦后余弦”，波还是那些波，只是正弦都排到了上面。
    </p>
    <details>
      <summary>图是怎么画的</summary>
      <p>
      表很长时，格子比屏幕的像素还多。这时每个像素显示它所覆盖的格子的加权平均，快速的波会淡成中间的浅色，而不会画出数据里并不存在的条纹。几个维度共用一个像素时，正弦画在上半部，余弦画在下半部：若取两者的平均，会得到任何格子里都没有的数。
      </p>
    </details>
    <details>
      <summary>为什么一对维度共用一个频率？</summary>
      <p>
        同一频率 ${math(sub("ω", "i"))} 的正弦与余弦放在一起，位置前进 ${math("k")} 步，就相当于把这对数旋转
        ${math("k", sub("ω", "i"), "，")}与原来在哪个位置无关。这样的旋转是固定的线性变换，模型可以学会它，从而实现“关注往前第三个词”。
      </p>
    </details>
  `,
  offset: "起始位置",
  timeScale: "位置乘以",
  exponent: "指数",
  exponents: { paper: "2i/d（论文）", "double-stepped": "4i/d（步长加倍）", half: "i/(d/2 − s)" },
  hint: "位置在二十多亿以内都能精确计算，也可以是负数或小数。指数取 i/(d/2 − s) 且 s = 1 时，最后一个波正好长 2πb 个位置，tensor2tensor、Whisper、diffusers 和 MLX 都是如此。指数 4i/d 是常见的笔误：循环变量步长已经是 2，又多乘了一次 2，结果后一半的波慢得看不出变化。Stable Diffusion 的扩散时间步编码就是 diffusers 的实现，只是先余弦后正弦，并取 s = 0。",
  position: "位置",
  index: "第几列（从 0 数）",
  dimension: "维度序号",
  empty: "恒为 0",
  omega: "频率 ω（弧度/位置）",
  lambda: "波长 2π/ω（位置数）",
};
