import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { bold, display, frac, math, row, sub } from "../../draw/math";
import { bar, bound } from "./formulas";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      查询与键相同时，键离得越远，得分平均来看先下降，然后来回起伏；RoFormer 论文给出的上界也随距离下降。可以点选，也可以用方向键或滑块选择距离。
    </p>
  `,
  outro: () => html`
    <p>
      常说 RoPE 让注意力随距离衰减。查询与键相同时，平均来看确实如此。RoFormer
      论文证明的结论要弱一些，只是一个得分不会超过的上界。上面两幅图画的就是得分和上界，各取两个${term("base", "底数", "。")}向量全是 1 时，得分就是余弦的平均，其中第 ${math("i")} 对每个位置转 ${math(sub("θ", "i"))} 弧度：
    </p>
    ${display(row(frac("2", "d"), "∑", "cos", row("m", sub("θ", "i"))))}
    <p>
      <strong>是趋势，不是定律。</strong>曲线都不是只降不升：下方窄条的每条刻线，都表示这里比前一个取点更高。底数越大，下降来得越晚、越慢，这正是长文本模型要调大底数的原因之一。换成两个随机向量，就没有什么可衰减的了：得分在任何距离都在零附近摆动，衰减的只是上界。
    </p>
    <p>距离 200 以内逐个计算，更远处每个数量级取 160 个点；两个取点之间的波动没有画出来，但画出的每个点都是精确的。</p>
    <details>
      <summary>上界的公式</summary>
      <p>
        把查询和键的第 ${math("j")} 对看作复数，记它们的乘积为 ${math(sub("h", "j"), "，")}再记
        ${math(bar(sub("h", row("j", "+", "1")), "−", sub("h", "j")))} 的最大值为 ${math("c", "，")}则相距 ${math("m")} 时的得分满足
      </p>
      ${bound()}
      <p>
        前一个因子只看词，后一个因子只看距离。上界那幅图画的是后一个因子与它在距离 0 处之比，得分那幅图画的是得分本身与
        ${math(bar(bold("q")), bar(bold("k")))} 之比。
      </p>
    </details>
  `,
  lines:
    "粗线：局部平均（距离在 1/1.25 到 1.25 倍之间）。色带：上边连接各个波峰，下边连接各个波谷。细线：算出的每一个值。",
  pairs: "维度对数 d/2",
  base: "底数一",
  otherBase: "底数二",
  vectors: "查询与键",
  kinds: { ones: "全是 1", same: "同一个随机向量", random: "两个随机向量" },
  seed: "随机种子",
  reach: "最远距离",
  distance: "距离 m",
  distanceAxis: "距离 m",
  boundTitle: "上界：Σ|S(m)| 与 Σ|S(0)| 之比",
  scoreTitle: "得分：q·R(m)k 与 |q||k| 之比",
  riseStrip: "各底数的上升处",
  curve: (base) => `底数 ${base}`,
  atDistance: (distance) => `距离 ${distance} 处`,
  bound: "上界",
  score: "得分",
  line: "曲线",
  value: "数值",
  firstRise: "首次上升",
  rises: "上升次数",
  risesOf: (count, all) => `${count}／${all}`,
  never: "没有",
  canvas:
    "上界与得分随距离变化的曲线。左右方向键到相邻的取点，Page Up 和 Page Down 一次五十个，Home 和 End 到第一个和最后一个。",
  describe: (o) =>
    `${o.dims} 维 RoPE 的远程衰减，底数 ${o.bases.join("、")}，查询与键：${o.vectors}，距离 1 到 ${o.reach}，横轴为对数刻度。距离 ${o.distance} 处的得分：${o.scores.map(([base, score]) => `底数 ${base} 时为 ${score}`).join("，")}。`,
};
