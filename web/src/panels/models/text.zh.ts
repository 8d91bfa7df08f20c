import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import type { en } from "./text.en";

export const zh: typeof en = {
  intro: () => html`
    <p>
      从 BERT、GPT-2 到今天：库从各模型公开的 <code>config.json</code> 里读出位置编码。2023 年以来几乎都是
      ${term("rope", "RoPE", "；")}变化的是${term("base", "底数", "、")}扩展长文本的规则，以及缓存的大小。
    </p>
  `,
  outro: () => html`
    <p>
      <strong>底数。</strong>文本越长，底数越大：取 10000 时，最慢的维度对也没有富余；改成 500000 或
      1000000，训练之前就让它们慢下来，以后再扩展时要改的就少了。
    </p>
    <p>
      <strong>${term("cache", "KV 缓存")}里存的是什么？</strong>每一层、每个 token 的键和值。键按自己的位置旋转，而这个位置不会再变，所以可以存旋转之后的键；查询总是新的，用到时才旋转。最后一列是保留全部历史时，一个
      token 用 bfloat16 存要占多少。只看一个窗口的层，最多存一个窗口。
    </p>
    <p>
      年份是发布年份。BLOOM 的配置里没有写长度；T5 的长度是配置里的 <code>n_positions</code>，transformers 里的模型并不读它：这种偏置不限制长度。数值来自 Hugging Face 上配置的副本、对它们的引用，或 transformers 的默认值，只留下与位置有关的部分；DeepSeek 的注意力为所有头存一个公共向量，键和值都由它得出。想细看某一个，可以去“读懂 config.json”。
    </p>
  `,
  by: "排序",
  orders: { year: "年份", base: "底数", context: "上下文", cache: "缓存" },
  table: "公开模型的位置编码",
  columns: {
    year: "年份",
    name: "模型",
    encoding: "编码",
    base: "底数",
    rule: "规则",
    context: "上下文",
    cache: "每个 token 的缓存",
  },
  encodings: {
    rotary: "RoPE",
    learned: "可学习",
    alibi: "ALiBi",
    t5: "T5 偏置",
    sinusoidal: "正弦",
    none: "无",
    unknown: "未知",
  },
  notNamed: "未写明",
  axes: {
    year: "config.json 里的上下文长度（位置数，对数刻度）",
    context: "config.json 里的上下文长度（位置数，对数刻度）",
    base: "底数（取模型中最大的，对数刻度）",
    cache: "每个 token 的缓存（bfloat16，对数刻度）",
  },
  describe: (count, rotary, longest, context) =>
    `${count} 个模型，其中 ${rotary} 个用 RoPE。上下文最长的是 ${longest}，${context} 个位置。`,
};
