import { html } from "lit-html";
import { claim } from "../../core/claim";
import { plain } from "../../core/format";
import { term } from "../../core/glossary/term";
import { math, row, sqrt, sub, sup } from "../../draw/math";
import { relativeRotation } from "./formulas";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>拖“一起转”：查询和键都转了，三个输出不变；再把“值”改成“也旋转”，拖同一个滑块。</strong>三个词元${term("token", "token", "）", "（")}互相关注；三角箭头是查询，圆圈箭头是${term("key", "键", "。")}
    </p>
  `,
  outro: () => html`
    <p>
      <strong>为什么不旋转值？</strong>查询和键转过同样的角度，得分不变：这一对词在文本中的绝对位置消掉了。${term("value", "值")}不参与比较，只被加权求和；旋转过的值会把绝对位置带进输出，整段文本一移动，输出就跟着转。
    </p>
    ${relativeRotation()}
    <p>
      <strong>要学的是什么？</strong>是产生箭头的 ${math(sub("W", "q"))} 和 ${math(sub("W", "k"), "，")}旋转本身没有可学的。权重是
      ${math("softmax", "(", row("Q", "′", sup(row("K", "′"), "⊤")), "/", sqrt("d"), ")", "，")}输出是权重乘
      ${math("V", "。")}数字取自${claim("C11", "一篇博文")}。
    </p>
  `,
  prompt: "值也跟着旋转，整段文本往后移：查询、键、值都多转 90°。什么会变？",
  answers: { weights: "注意力权重", outputs: "输出", both: "两者都变" },
  why: (weights, outputs) =>
    `权重变化 ${weights}，输出最多变化 ${outputs}：共同的转角在每个得分里都消掉了，值却把它带进了加权和。`,
  plane: "三个 token 的 Q 与 K，旋转前后",
  planeTitle: "查询和键",
  outputs: "三个 token 的输出",
  handle: (name) => `${name} 的角度`,
  angle: (token, word) => (word === "" ? `token ${token}` : `${token} ${word}`),
  shift: "一起转",
  none: "不转",
  tokens: "token",
  entry: (name) => (line, column) => `${name}，第 ${line} 行第 ${column} 列`,
  values: "值",
  valueChoices: { kept: "不旋转", rotated: "也旋转" },
  describe: ({ angles, shift, keepsWeights, keepsOutputs }) =>
    `虚线是旋转前，实线是旋转后，角度为 ${angles.join("、")}${shift === 0 ? "。" : `，并一起转 ${plain(shift)}°：注意力权重${keepsWeights ? "没有变" : "变了"}，输出${keepsOutputs ? "也没有变" : "跟着文本转了"}。`}`,
};
