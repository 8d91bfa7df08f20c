import type { Term } from "./entries.en";

/** Other words by which readers look for a term. */
export const alsoCalled: Readonly<Partial<Record<Term, string>>> = {
  base: "theta θ rope_theta 10000 wavelengths",
  sinusoid: "sine cosine 余弦",
  extrapolation: "extrapolate long context length generalization beyond training context window 长上下文",
  concatenation: "concat",
  bias: "relative position encoding 相对位置编码",
  rope: "Llama Qwen rotary 旋转",
  mrope: "2D image vision video 二维 图像",
  product: "cosine similarity inner product 余弦相似度 内积",
  projection: "projection matrices 投影矩阵",
  nope: "none without positional encoding",
};

/** Questions of readers that a figure answers, as they type it. */
export const asked: Readonly<Record<string, string>> = {
  problem: "attention is all you need bag of words order permutation 词序 顺序 猫追狗 我爱你",
  codes: "why sines pairs why not count integers normalise bits 为什么用正弦 为什么成对 为什么不直接计数 二进制 归一化",
  waves: "why 10000 why sines pairs base heatmap table 为什么是 10000 为什么用正弦 基数 底数 热力图",
  mix: "why add why not concatenate learned W_q W_k sum 为什么相加 为什么不拼接 学到了什么",
  similarity: "relative position distance absolute 相对位置 绝对位置",
  derive: "rotary rotate derivation why rotate Su Jianlin 苏剑林 推导 旋转 为什么旋转",
  pairs: "layout convention interleaved half rotate_half GPT-NeoX 布局 配对 前后两半 相邻两维 对半",
  rope: "why not values rotate V learned W_q W_k W_v 为什么不旋转值 为什么旋转查询和键",
  decay: "long-term decay far words 远程衰减",
  patches: "2D vision ViT image 二维 图像",
  context:
    "past beyond training length longer texts context window 超过训练长度 长上下文 更长的文本 上下文窗口 位置内插 扩展",
  choose:
    "which to choose best compare Llama 2 3.1 GPT-2 BERT BLOOM Mistral Qwen DeepSeek Gemma gpt-oss Kimi Jamba what holds 大模型 开源模型 怎么选 哪个好 选哪种 用哪种",
  config: "port bug mistake wrong layout convention rope_scaling llama.cpp vLLM KV 缓存里存什么 移植 错误 出错 布局",
};

/** The figures of each term: first the one that explains it. */
export const figuresOf: Readonly<Record<Term, readonly [string, ...string[]]>> = {
  token: ["rope"],
  embedding: ["codes"],
  dimension: ["waves", "pairs"],
  attention: ["problem", "rope"],
  query: ["relative", "rope", "derive"],
  key: ["rope", "relative", "derive"],
  value: ["rope"],
  nope: ["choose", "lab"],
  concatenation: ["mix"],
  projection: ["mix", "rope"],
  cache: ["choose", "config"],
  shaw: ["lab", "relative"],
  kerple: ["lab"],
  fire: ["lab"],
  fox: ["lab"],
  longrope: ["config"],
  logit: ["derive", "decay"],
  softmax: ["rope"],
  product: ["similarity", "derive"],
  head: ["pairs", "lab"],
  mask: ["lab", "problem"],
  sinusoid: ["waves", "similarity"],
  wavelength: ["waves", "context"],
  frequency: ["config", "waves", "context"],
  base: ["waves", "decay", "choose"],
  learned: ["lab"],
  bias: ["relative"],
  alibi: ["relative", "lab"],
  t5: ["relative", "lab"],
  rope: ["derive", "pairs", "rope", "decay", "choose"],
  mrope: ["mrope", "patches"],
  extrapolation: ["lab", "context"],
  interpolation: ["context", "lab"],
  ntk: ["context", "lab"],
  yarn: ["context"],
  perplexity: ["lab", "context"],
  float32: ["precision", "lab"],
  bfloat16: ["precision"],
  ulp: ["precision"],
};
