import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { math, sub } from "../../draw/math";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>一个点是一对维度：这种方法让它慢多少倍。橙色是麻烦：快的被放慢，或慢的遇到没见过的角度。</strong>模型要读训练时
      f 倍长的文本，哪些可以放慢？
    </p>
  `,
  outro: () => html`
    <p>
      训练中转过许多圈的维度对，所有角度模型都见过，相邻的词靠它分辨；一圈都没转完的，再往后就是新的角度。各种方法放慢的对象不同：
    </p>
    <p>
      <strong>PI</strong>（位置${term("interpolation", "插值")}，又叫 linear；Chen 等，2023）把所有 ${math(sub("ω", "i"))} 都除以
      ${math("f", "：")}没有新角度，但“下一个词”的转角只剩
      1/f。<strong>${term("ntk", "NTK")}</strong>（bloc97，2023）调大底数：最快的几对几乎不变，相邻的词仍分得开；慢的还是会遇到新角度。<strong>${term("yarn", "YaRN")}</strong>（Peng 等，2023）不动快的，把慢的放回见过的角度，中间平滑过渡，并让注意力更尖锐；Llama 3 的方法与它相近，但不改注意力。
    </p>
    <p>
      <strong>不微调，直接测：</strong>PI 没有新角度，困惑度反而最高：在这里，模型学过的“相邻”比新角度更要紧。实验里的模型很小，每个头只有六对维度。大模型会用新频率再训练一段，那时 PI 也管用。
    </p>
  `,
  prompt: (stretch) => `用短文本训练的模型，不再训练，直接读 ${stretch} 倍长。用哪种方法效果最差？`,
  why: (perplexities) => `困惑度：${perplexities}。PI 把角度都压回见过的范围，反而最差：相邻两个词之间的转角缩小了。`,
  rule: "方法",
  names: { default: "无", linear: "PI", ntk: "NTK", yarn: "YaRN", llama3: "Llama 3" },
  factor: "扩展倍数 f",
  trained: "训练长度",
  base: "底数 b",
  pairs: "维度对数 d/2",
  pair: "维度对序号 i",
  slower: "慢多少倍",
  fast: "快：分辨相邻的词",
  slow: "一圈也没转完",
  first: "← 最快的一对",
  last: "最慢的一对 →",
  picture: "这种方法让各对维度慢多少倍。左右方向键选择一对。",
  spoken: (pair, slower) => `第 ${pair} 对：慢 ${slower} 倍`,
  pairOf: (pair) => `第 ${pair} 对：`,
  rotations: "训练中转的圈数",
  measured: (length, stretch) => `实测困惑度：${length} → ${length * stretch} 个字符`,
  within: (perplexity) => `竖线：训练长度处的 ${perplexity}`,
  describe: (o) =>
    `${o.rule}：${o.pairs} 对中有 ${o.squeezed} 对本来快却被放慢，${o.unseen} 对在位置 ${o.trained} 到 ${o.reach} 之间遇到新角度。${o.attentionFactor === "" ? "" : `注意力缩放因子 ${o.attentionFactor}。`}条形越短越好；竖线是训练长度处的 ${o.within}。`,
};
