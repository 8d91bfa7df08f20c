import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { math, sub } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      每条曲线是一种扩展上下文的规则，画的是各对维度的波长；曲线经过阴影的地方，维度对会遇到训练时没有出现过的角度。指向或点选一对维度，或者按方向键。
    </p>
  `,
  outro: () => html`
    <p>
      模型能不能处理比训练时更长的文本？对 RoPE
      来说，这是波长的问题。训练中转过许多圈的维度对，所有角度模型都见过；波长比训练文本还长的维度对，一圈都没转完，再往后就会出现模型没见过的角度。这些规则让一部分维度对转慢，使更长的文本仍落在见过的角度之内；快慢的界线怎么划，各有各的做法。
    </p>
    <p>
      <strong>怎么看这幅图？</strong>线性${term("interpolation", "插值")}把整条曲线往上平移，每一对维度里，相邻位置的角度差都变小。${term("ntk", "NTK")} 不动第一对，越靠后波长拉得越长（曲线绕左端抬起）。${term("yarn", "YaRN")} 和 Llama 3
      的规则不碰训练长度内转很多圈的维度对，只放慢转不完一圈的，中间平滑过渡。几种规则最后一对的波长都变成原来的
      f 倍。
    </p>
    <p>
      YaRN 与 LongRoPE
      还给余弦和正弦乘上一个注意力缩放因子，使 softmax 更尖锐。改完频率，模型是否真的能用，要靠实验：多数模型还要用新频率再训练一段。下一幅图用小模型试了线性插值和 NTK（不做微调）。
    </p>
  `,
  rule: "规则",
  names: { default: "无", linear: "线性插值", ntk: "NTK", yarn: "YaRN", longrope: "LongRoPE", llama3: "Llama 3" },
  rules: {
    default: "每一对的波长都不变。",
    linear: html`位置插值：每一对都是 ${math(sub("ω", "i"), "/", "f", "。")}`,
    ntk: html`底数变成 b · f^(d/(d − 2))：第一对不变，最后一对除以 f。`,
    yarn: html`训练长度内转 32 圈以上的不变，不到 1 圈的除以 f，中间按序号线性过渡。`,
    longrope: html`每一对有自己的除数。公开模型的除数是搜索出来的；这里没有模型，就用从 1 到 f
      的等比数列代替。“读懂 config.json”那幅图里有 Phi-3 的真实数值。`,
    llama3: html`训练长度内至少转 4 圈的不变，至多 1 圈的除以 f，中间按圈数混合。`,
  },
  factor: "扩展倍数 f",
  trained: "训练长度",
  base: "底数 b",
  pairs: "维度对数 d/2",
  trainedLine: (length) => `训练长度 ${length}`,
  reachLine: (length) => `目标长度 ${length}`,
  unseen: (length) => `到位置 ${length} 为止，训练时没见过的角度`,
  afterRule: (rule) => `采用所选规则后的 λ′：${rule}`,
  surprised: (length) => `${length} 个位置内遇到未见角度的维度对数`,
  stretch: "放慢倍数 ω / ω′",
  rotations: "训练长度内的圈数",
  attentionFactor: "注意力缩放因子",
  chart: {
    label: "各对维度在规则前后的波长。左右方向键选择一对。",
    roledescription: "图表",
    pair: "维度对序号 i",
    wavelength: "波长（位置数）",
    before: "不用规则时的 λ",
  },
  describe: (rule, pairs, unfinished, trained, surprised, reach) =>
    `规则：${rule}（粗线），细线是其他规则。${pairs} 对中有 ${unfinished} 对在 ${trained} 个位置内转不完一圈：波长落在阴影里的维度对，在位置 ${reach} 之前就会遇到没见过的角度；采用该规则后${surprised === 0 ? "都不会遇到" : `仍有 ${surprised} 对`}。`,
};
