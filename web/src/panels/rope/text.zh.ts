import { html } from "lit-html";
import { claim } from "../../core/claim";
import { plain } from "../../core/format";
import { term } from "../../core/glossary/term";
import { frac, math, row, sqrt, sub, sup } from "../../draw/math";
import { relativeRotation, rotation } from "./formulas";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      三个 token 互相关注：查询和${term("key", "键")}从虚线转到实线，值不转。先一起转，再让值也跟着转，看看输出会怎样。
    </p>
  `,
  outro: () => html`
    <p>
      <strong>为什么不旋转值？</strong>查询和键转过同样的角度，得分不变：这一对词在文本中的绝对位置就消掉了。${term("value", "值")}不参与比较，只被加权求和；旋转过的值会把绝对位置带进输出，整段文本一移动，输出就跟着转。
    </p>
    <p>
      ${claim("C11", "帖子 C")} 用三个二维的 token 做了演示，分别旋转 10、20、30 度，这幅图就从它的数字开始。
    </p>
    <p>
      <strong>只有角度差起作用。</strong>旋转不改变箭头的长度，所以点积的变化只来自两个箭头之间的夹角。用“一起转”滑块给所有 token
      加上同一个角度：所有箭头都转了，注意力权重却一个也没变（只可能有末位的舍入误差）：
    </p>
    ${relativeRotation()}
    <p>
      所以除了词本身的内容，得分里只有两个 token 的相对距离，没有它们各自的绝对位置。把三个角度设成一样，上面两张权重表就完全一致。
    </p>
    <p>
      <strong>要学的是什么？</strong>是产生箭头的 ${math(sub("W", "q"))} 和 ${math(sub("W", "k"), "，")}旋转本身没有可学的。在“更多设置”里改动它们：权重会变，但所有 token 一起转时，仍然不变。
    </p>
    <p>
      权重是 ${math("softmax", "(", row("Q", "′", sup(row("K", "′"), "⊤")), "/", sqrt("d"), ")", "，")}其中
      ${math(row("d", "=", "2"), "；")}输出是权重乘 ${math("V", "。")}查询、键、值都是
      ${math(row("x", sup("W", "⊤")), "，")}与${claim("C11", "帖子里的程序")}相同。真实模型有 ${math("d")} 维，就有
      ${math(frac("d", "2"))} 个这样的平面，各按各的速度转，这些速度正是上面那些波的频率。
    </p>
    <details>
      <summary>旋转的公式</summary>
      ${rotation()}
    </details>
  `,
  plane: "三个 token 的 Q 与 K，旋转前后",
  handle: (name) => `${name} 的角度`,
  angle: (token, word) => (word === "" ? `token ${token}` : `${token} ${word}`),
  shift: "一起转",
  none: "不转",
  noShift: "移动“一起转”，让所有 token 转过同样的角度。",
  drift: "一起转之后，权重的最大变化：",
  tokens: "token",
  entry: (name) => (line, column) => `${name}，第 ${line} 行第 ${column} 列`,
  toPost: "回到帖子的数字",
  values: "值",
  valueChoices: { kept: "不旋转", rotated: "也旋转" },
  outputDrift: "输出的最大变化：",
  output: "输出",
  withRotation: "旋转后的注意力权重",
  withoutRotation: "不旋转的注意力权重",
  legend: {
    q: { before: "Q 旋转前", after: "Q′ 旋转后" },
    k: { before: "K 旋转前", after: "K′ 旋转后" },
  },
  describe: (angles, shift) =>
    `十二个箭头：三角箭头是查询，圆圈箭头是键；虚线是旋转前，实线是旋转后，角度为 ${angles.join("、")}${
      shift === 0 ? "" : `，并一起转 ${plain(shift)}°`
    }。`,
};
