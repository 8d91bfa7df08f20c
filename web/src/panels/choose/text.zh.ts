import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { storedMean } from "../../training/results";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      <strong>一行是一个模型，一个符号是一层；</strong>符号小，表示这一层只看一个窗口。选你的用途：为此而做的模型保持原样，其余变淡。
    </p>
  `,
  outro: () => html`
    <p>
      <strong>新做文本模型，先用 RoPE 最稳妥；</strong>用现成模型，就必须照它原来的编码。在训练长度之内，好的编码只差百分之几，名次随实验而变：困惑度在
      <a href="https://arxiv.org/abs/2108.12409">Press 等（2022）</a>的 2.47 亿参数模型里是 ALiBi 17.6、T5 18.0、RoPE 18.6，在
      <a href="https://blog.eleuther.ai/rotary-embeddings/">EleutherAI</a> 的 14 亿参数模型里是 RoPE 8.78、T5 9.23、可学习 9.39。
    </p>
    <p>
      <strong>ALiBi 和 T5 能接着往下读，为什么大家还用 RoPE？</strong>在外推实验里，不作处理的 RoPE 确实失效（8 倍长度时困惑度
      ${storedMean("text", "RoPE", 8)}，T5 是 ${storedMean("text", "T5", 8)}）。但 RoPE
      只改查询和键，注意力本身不变：快速算子可以直接用，键可以转好再${term("cache", "缓存", "。")}偏置却要加到每一个得分上：T5 的偏置要学，每秒只训练 4300
      词，RoPE 是 11500 词；不过 ALiBi 的偏置固定，有 15500 词（Press 等）。而且 RoPE 以后还能靠改频率来扩展。用这些来解释它的流行，部分是推断；惯性也起了作用。
    </p>
    <p>
      <strong>正在发生的变化：</strong>不少模型把旋转的层（SmolLM3；Llama 4
      只在分块里旋转）和看全文、${term("nope", "不加位置编码")}的层混着用。Jamba、Nemotron 3、Kimi
      K3 一层也不旋转，次序由循环层记住。2026 年的模型大多只旋转头的一部分维度，像当年的 GPT-J。
    </p>
    <p>
      <strong>标称的长上下文是设定，不是实测能力。</strong>ALiBi 在远处困惑度依旧低，但到训练长度的两倍时，多根针一根也找不到；不加位置编码的模型能找到
      36%（<a href="https://arxiv.org/abs/2512.12167">Gelberg 等 2026</a>，DroPE，5 亿参数）。
    </p>
    <p class="note">
      这里是找得到配置的模型，是样本，不是普查。数值取自配置的副本、对配置的引用，或 transformers 的默认值；年份是发布年份。
    </p>
  `,
  purpose: "我要",
  purposes: {
    all: "看全部模型",
    short: "新模型，短文本",
    long: "新模型，长文本",
    extend: "扩展已有模型",
    untrained: "不训练就接着读",
    encoder: "编码器",
  },
  advice: {
    short: [
      "每一层都用 RoPE。",
      "快速算子支持它，什么也不用存，以后要扩展也有成熟的办法。文本越长底数越大：32K 大致要 64 万（Men 等，2024）。",
    ],
    long: [
      "少数层看全文，多数层只看窗口。",
      "窗口让缓存不再增长，RoPE 也始终落在学过的距离之内；看全文的层用大底数，或者不加位置编码。",
    ],
    extend: [
      "YaRN 或 Llama 3 的方法，再训练一些。",
      "它们只放慢慢的维度对，相邻位置仍分得开。PI 把所有维度对都放慢，更离不开训练。",
    ],
    untrained: [
      "按距离的偏置：ALiBi 或 T5。",
      "多远都有偏置，ALiBi 越远越低，T5 远处共用一个：模型能读下去，但几乎分不清远处的词。",
    ],
    encoder: ["带窗口的 RoPE；512 词以内，一张表就够了。", "前后都看得到，分清前后全靠编码：没有掩码的模型离不开它。"],
  },
  marks: {
    rotates: "RoPE",
    part: "只旋转头的一部分",
    none: "不加位置编码",
    recurrent: "循环层",
    bias: "偏置：ALiBi、T5",
    added: "在第一层之前相加",
  },
  chart: "各模型的前十二层怎样处理位置，按年份",
  layers: "前 12 层",
  base: "底数",
  context: "上下文",
  any: "不限",
  window: (size) => `窗口 ${size}`,
  rules: { linear: "PI", yarn: "YaRN", llama3: "Llama 3 的方法" },
  describe: (chosen, all, names) =>
    chosen === all
      ? `共 ${all} 个模型，由库从各自的 config.json 读出。`
      : `${all} 个模型中的 ${chosen} 个：${names.join("、")}。`,
};
