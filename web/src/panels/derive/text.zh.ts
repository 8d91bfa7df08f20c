import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { display, math, row, sub, sup } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>同一列是距离相同的所有词对；做法对了，一列就落在同一点上。</strong>要找一种做法 ${math("f", "，")}把位置放进查询和键里，使两者的${term("logit", "得分")}只与距离有关。
    </p>
  `,
  outro: () => html`
    ${display(row("f", "(", "q", ", ", "m", ")", "·", "f", "(", "k", ", ", "n", ")", "=", "g", "(", "n", "−", "m", ")"))}
    <p>
      <strong>试试相加：</strong>给向量加上位置的编码。点积展开有四项，只有 ${math(row(sub("p", "m"), "·", sub("p", "n")))}
      与距离有关；${math(row("q", "·", sub("p", "n")))} 和 ${math(row(sub("p", "m"), "·", "k"))} 把每一列都拉散了。
    </p>
    <p>
      <strong>试试缩放：</strong>乘以 ${math(sup("s", "m"), "。")}长度相乘，位置就相加：得到的是
      ${math(sup("s", row("m", "+", "n")), "，")}而我们要的是两者之差。
    </p>
    <p>
      <strong>试试旋转：</strong>每个位置转一个角度 ${math("θ", "，")}每一列都落到一点上。长度不变，两个箭头的夹角只改变
      ${math(row("(", "n", "−", "m", ")", "θ"), "。")}两者互换，角度变号，所以旋转还分得清在前还是在后。
    </p>
    <p>
      <strong>只能是旋转。</strong>把两维看作一个复数。一步一步往下走的做法，就是每个位置乘一个 ${math("z", "，")}得分里于是有
    </p>
    ${display(row(sup(row("|", "z", "|"), row("2", "m")), sup("z", row("n", "−", "m"))))}
    <p>
      只有 ${math(row("|", "z", "|"), "=", "1")} 时 ${math("m")}
      才消掉：不伸长，不缩短，只转动。这就是旋转位置编码${term("rope", "RoPE", "）", "（")}。推导思路来自苏剑林《<a href="https://kexue.fm/archives/8265">博采众长的旋转式位置编码</a>》（2021）和
      <a href="https://arxiv.org/abs/2104.09864" lang="en">RoFormer</a> 论文。
    </p>
  `,
  rule: "做法 f",
  rules: { add: "相加", scale: "缩放", rotate: "旋转" },
  slide: "一起平移：查询在 m",
  distance: "距离：从查询往回数几个位置",
  angle: "每个位置的角度",
  entry: (name) => (_line, column) => `${name}，第 ${column} 维`,
  picture: "所有词对的得分，按距离排列。左右方向键选择距离。",
  score: "得分",
  apart: (degrees) => `夹角 ${degrees}°`,
  lengths: (query, key) => `长度 ${query} 和 ${key}`,
  both: (m, n) => `○ ${m} 与 ${n}`,
  prompt: "先猜一猜：哪种做法能让距离相同的词对得分都相同？",
  answers: { add: "加上编码", scale: "把向量拉长", rotate: "把向量转一个角度" },
  why: (spread) =>
    `距离相同时，加上编码，得分最多相差 ${spread.add}（查询还会遇到键的编码）；拉长向量，相差 ${spread.scale}（越靠后越长）；一起转动，相差 ${spread.rotate}：夹角不变。`,
  found: ({ distance, count, low, high, isOne }) =>
    `距离 ${distance}，共 ${count} 对：${isOne ? `得分都是 ${low}` : `得分从 ${low} 到 ${high}`}。`,
  describe: (rule, says, m, n) =>
    `做法：${rule}。${says}圆圈是图中画出箭头的那一对，查询在 ${m}，键在 ${n}；小点是箭头在其他位置时的尖端。`,
};
