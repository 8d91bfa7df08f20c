import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, frac, row, sub } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>曲线是往前 m 个词处的得分：细线是单个距离，粗线是趋势。</strong>查询与键相同时，平均来看，越远得分越低，近处的词分量更重。
    </p>
  `,
  outro: () => html`
    <p>
      <strong>为什么会衰减？</strong>距离为 0 时各对维度方向一致；远几个词，快的转到了别处，互相抵消；再远，慢的也跟着抵消。向量全是 1 时，得分就是余弦的平均：
    </p>
    ${display(row(frac("2", "d"), "∑", "cos", row("m", sub("θ", "i"))))}
    <p><strong>${term("base", "底数")}越大，下降来得越晚。</strong>慢的维度对抵消得晚，这是长文本模型调大底数的原因之一。</p>
    <p>
      <strong>是趋势，不是定律。</strong>没有一条曲线是一路下降的。两个随机向量之间没有什么可衰减：得分在零附近摆动。各对维度方向一致的地方也不一定在距离
      0：查询和键若相差一个转角，就会在别处。RoFormer 论文只证明了得分有一个上界，并用图说明它随距离下降。
    </p>
  `,
  pairs: "维度对数 d/2",
  base: "底数一",
  otherBase: "底数二",
  vectors: "查询与键",
  kinds: { ones: "全是 1", same: "同一个随机向量", random: "两个随机向量" },
  seed: "随机种子",
  reach: "最远距离",
  distance: "距离 m",
  distanceAxis: "距离 m（往前几个词）",
  curve: (base) => `底数 ${base}`,
  score: "得分与 |q||k| 之比",
  canvas: "得分随距离的变化。左右方向键到相邻的取点，Page Up 和 Page Down 一次五十个，Home 和 End 到第一个和最后一个。",
  describe: (distance, scores) =>
    `距离 ${distance} 处的得分：${scores.map(([base, score]) => `底数 ${base} 时为 ${score}`).join("，")}。`,
};
