import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { math, row, sqrt, sub, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>曲线表示四种计算方式到各个位置为止的角度误差。</strong>曲线越过你允许的界线之后，模型的角度就离公式太远了。
    </p>
  `,
  outro: () => html`
    <p>
      位置 ${math("p")} 在第 ${math("i")} 对的角度是 ${math("p", sub("ω", "i"), "。")}真正起作用的只是角度除以 2π 的余数，而大角度丢掉的恰恰是这部分的精度：到位置
      100000，${term("float32", "float32")} 的角度在小数点后只剩约两位，${term("bfloat16", "bfloat16")} 的角度连一位也不剩。各种模型的角度计算方式不同。这幅图逐一照做，在每个位置上量出所得的余弦、正弦与真值之间的夹角，取各对中最大的一个。
    </p>
    <p>
      <strong>四种计算方式。</strong><em>float32 角度</em>：频率与乘积都用 float32，大多数模型代码就是这样。<em>逐步累乘</em>：把一个向量一次又一次转过一个位置，每次都舍入到
      float32。<em>bfloat16 角度</em>：位置、频率、乘积都舍入到 8 位有效数字（二进制），如果在使用前就把缓冲区转成 bfloat16，就会这样；从位置 257
      起，连相邻的位置都分不开。<em>bfloat16 余弦</em>：角度是准的，只把余弦、正弦舍入到 8 位，在任何位置误差都不超过 ${math(sqrt(2), "·", sup(2, row("−", 9)), "。")}
    </p>
    <p>
      <strong>真值</strong>取自本库的表：由精确的角度算出，只舍入一次，在任何位置误差都不超过 ${math(sup(2, row("−", 24)))}。
    </p>
  `,
  pairs: "维度对数 d/2",
  base: "底数 b",
  reach: "位置个数",
  limit: "误差界 x（弧度）",
  position: "位置 p",
  ways: {
    float32: "float32 角度",
    running: "逐步累乘",
    bfloat16: "bfloat16 角度",
    stored: "bfloat16 余弦",
  },
  drifts: (way, limit, position) => `${way}从位置 ${position} 起误差就超过 ${limit} 弧度。`,
  holds: (way, limit, position) => `${way}到位置 ${position} 为止误差都不超过 ${limit} 弧度`,
  most: (error) => `，最大为 ${error}。`,
  soFar: "。",
  question: (limit) => `从哪个位置起，模型的角度误差超过 ${limit}？`,
  from: (position) => `从位置 ${position} 起`,
  notUpTo: (position) => `到位置 ${position} 为止都没有`,
  searching: (position) => `到位置 ${position} 还没有，仍在计算……`,
  progress: (done, all) => `已算 ${done} 个位置，共 ${all} 个`,
  way: "角度计算方式",
  first: (limit) => `首次误差 > ${limit}`,
  errorAt: (position) => `位置 ${position} 处的误差（弧度）`,
  worst: "到该处为止最大（弧度）",
  pair: "维度对序号 i",
  positionAxis: "位置 p",
  errorAxis: "到 p 为止的最大误差（弧度）",
  canvas:
    "最大误差随位置变化的曲线，两轴都是对数刻度。左右方向键改变位置，Page Up 和 Page Down 加倍或减半，Home 和 End 到第一个和最后一个位置。",
  describe: (o) => `角度的最大误差随位置变化，${o.dims} 维，底数 ${o.base}，到位置 ${o.reach} 为止，两轴都是对数刻度。`,
};
