import { html } from "lit-html";
import { claim } from "../../core/claim";
import { term } from "../../core/glossary/term";
import { bold, display, math, row, sub } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      旋转位置编码${term("rope", "RoPE", "）", "（")}不往词向量上加任何东西，而是让查询和键各按自己的位置旋转。把两个位置一起平移，箭头跟着转，${term("logit", "得分")}却不变。可以按播放，也可以拖动虚线箭头的尖端；选中尖端后可用方向键微调，按住
      Shift 步长为十倍。
    </p>
  `,
  outro: () => html`
    <p>
      查询在位置 ${math("m", "，")}键在位置 ${math("n", "，")}各自转过“位置 × 每个位置的角度”，得分于是成为
    </p>
    ${display(row(row(bold("q"), "′", "·", bold("k"), "′"), "=", row("(", bold("q"), "·", bold("k"), ")"), "cos", "Δ"))}
    ${display(row("−", row("(", bold("q"), "×", bold("k"), ")"), "sin", "Δ"))}
    <p>
      其中 ${math("Δ")} 是两者转角之差，等于 ${math(row("(", "n", "−", "m", ")"))}
      乘每个位置的角度；${math(row(bold("q"), "×", bold("k")))} 是
      ${math(row(sub("q", "0"), sub("k", "1"), "−", sub("q", "1"), sub("k", "0")), "。")}式中 ${math("m")} 和
      ${math("n")} 都没有单独出现。
    </p>
    <p>
      <strong>得分取决于词和距离。</strong>它与两个向量的长度、夹角都有关；位置只以 ${math(row("n", "−", "m"))}
      的形式出现。向量由学得的 ${math(sub("W", "q"))} 和 ${math(sub("W", "k"))} 产生，旋转则不需要学习。
    </p>
    <p>
      <strong>第二项不能丢。</strong>${claim("C9", "帖子 C")} 还给出了一个更短的式子
      ${math(row("(", bold("q"), "·", bold("k"), ")"), "cos", "Δ", "。")}只有当 ${math(bold("q"))} 与 ${math(bold("k"))}
      同向或反向，或者 ${math("Δ")} 是 180° 的整数倍时，它才成立。把两个虚线箭头拖成同一方向，两个式子的值就一样了。
    </p>
  `,
  plane: "平面上的一个查询和一个键，旋转前后",
  handle: (name) => `${name} 的尖端`,
  slide: "一起平移",
  none: "不平移",
  slideAxis: "平移",
  scoreAxis: "得分",
  trace: "各平移距离上的得分。左右方向键一起平移两个位置。",
  together: "两者一起平移",
  keyAlone: "只平移键",
  spoken: (slide, score, alone) => `平移 ${slide}：得分 ${score}；只平移键时为 ${alone}`,
  queryAt: "查询的位置 m",
  keyAt: "键的位置 n",
  angle: "每个位置的角度",
  entry: (name) => (_line, column) => `${name}，第 ${column} 维`,
  toPost: "回到帖子的 10° 和 30°",
  rotation: "位置 → 角度",
  drift: (count) => `平移 ${count} 次，得分最多变化`,
  shortened: "帖子 C 的简式 (q · k) cos Δ",
  swap: {
    prompt: (query, key) => `现在两者互换位置：查询到位置 ${query}，键到位置 ${key}。得分会怎样？`,
    answers: { stays: "不变", changes: "会变" },
    changes: (before, after, angle) =>
      `从 ${before} 变成 ${after}：键相对查询的转角成了 ${angle}°，带正弦的那一项变号。旋转分得清在前还是在后。`,
    stays: (score) => `仍是 ${score}：只有带正弦的那一项分得清前后，而这里它等于 0。`,
  },
  describe: (positions, degrees, score) =>
    `查询在位置 ${positions[0]}，转了 ${degrees[0]}°；键在位置 ${positions[1]}，转了 ${degrees[1]}°。虚线是旋转前，实线是旋转后。无论一起平移到哪里，得分都是 ${score}：两个实线箭头之间的扇形角度不变。`,
};
