// The sentences of explain in both languages, made from the numbers of a finding.

import type { FindingCode } from "../types/engines.js";
import type * as t from "../types/index.js";

// biome-ignore lint/suspicious/noExplicitAny: the numbers depend on the code of the finding
type Sentence = (numbers: any) => string;

type Sentences = { readonly [code in FindingCode]: Sentence };

/** A number to six digits, without trailing zeros. */
const short = (value: number) => String(Number(value.toPrecision(6)));

/** The texts of one language. */
export interface Texts {
  readonly sentences: Sentences;
  /** A sentence that rests on what is assumed. */
  assumed(sentence: string): string;
  /** A trait, with the key that says it. */
  trait(name: t.KnownTrait, key: string | null): string;
  readonly comma: string;
  readonly second: { readonly of: { readonly [name: string]: string }; readonly unknown: string };
}

const en: Sentences = {
  rotary: ({ layers, layerType, base, count, dim }) =>
    `${layerType ? `Layers of the type ${layerType}` : "Queries and keys"}${layers && ` (layers ${layers})`} rotate: ${count} of ${dim} dimensions of a head, base ${short(base)}.`,
  none: () => "Masks and recurrent layers alone distinguish positions.",
  unknown: () =>
    "How this model uses positions is not known: its type is not listed, and no key of its config says it.",
  grid: ({ preset, dim, dims, base }) =>
    `Queries and keys rotate by the coordinates of a cell, ${dim} dimensions${dims ? ` (by axis ${dims})` : ""}, ` +
    `as rotaryGrid's preset ${preset} does${base ? `, with base ${short(base)}` : ""}.`,
  learned: ({ rows, firstRow }) =>
    `A learned table of ${rows} rows is added to the embeddings${firstRow ? `; position 0 has row ${firstRow}` : ""}.`,
  sinusoidal: ({ firstRow }) =>
    `A sinusoidal table is added to the embeddings${firstRow ? `; position 0 has row ${firstRow}` : ""}.`,
  alibi: ({ heads }) => `ALiBi: each of ${heads} heads subtracts its slope times the distance from its scores.`,
  t5: ({ heads, buckets, maxDistance }) =>
    `T5's learned bias: ${buckets} buckets of distances for ${heads} heads, the last from ${maxDistance} on.`,
  shaw: ({ maxDistance, ofKeys }) =>
    `Scores add the query${ofKeys ? " and the key" : ""} times a learned row of the distance, up to ${maxDistance} (transformers 4; transformers 5 adds a table).`,
  layout: ({ layout }) =>
    layout === "half"
      ? "Of r rotated dimensions, dimension i is rotated with dimension i + r/2."
      : layout === "interleaved"
        ? "Dimension 2i is rotated with dimension 2i + 1."
        : "Dimensions 2i and 2i + 1 are read, and written to dimensions i and i + r/2: a cache of these keys fits no other layout.",
  scaling: ({ type, factor, originalLength }) =>
    `Frequencies are changed by the rule ${type}, factor ${short(factor)}${originalLength ? `, trained with ${originalLength} positions` : ""}.`,
  "attention-factor": ({ factor, ofScores }) =>
    `Cosines and sines are multiplied by ${short(factor)}, and scores so by ${short(ofScores)}.`,
  window: ({ layers, size }) => `A query reaches the last ${size} keys in layers ${layers}.`,
  chunk: ({ layers, size }) => `A query reaches the keys of its own chunk of ${size} positions in layers ${layers}.`,
  partial: ({ count, dim }) => `Only the first ${count} of ${dim} dimensions rotate.`,
  "split-head": ({ first, count, dim }) =>
    `Heads are split: ${count} of ${dim} dimensions rotate, from dimension ${first} on.`,
  inverse: () => "Queries and keys are rotated by the opposite angle.",
  sections: ({ sections, order, axes }) =>
    `Positions have ${axes} numbers; pairs are shared among them as ${sections}, ${order}.`,
  "layers-without": ({ layers, count, of }) => `${count} of ${of} layers do not rotate: ${layers}.`,
  "several-bases": ({ count }) => `There are ${count} sets of frequencies: a layer needs that of its own type.`,
  temperature: ({ layers, slope, period }) =>
    `Queries are multiplied by 1 + ${short(slope)} ln(1 + the periods of ${period} positions before) in layers ${layers}.`,
  scale: ({ scale, usual }) =>
    `Scores are multiplied by ${short(scale)}, where 1/√(dimensions) would be ${short(usual)}.`,
  norm: ({ layers, when }) => `Queries and keys are normalized ${when} any rotation in layers ${layers}.`,
  softcap: ({ layers, cap }) => `Scores s become ${short(cap)} · tanh(s / ${short(cap)}) in layers ${layers}.`,
  sinks: ({ layers }) => `Softmax has a learned sink of each head in layers ${layers}.`,
  indexer: ({ layers, layout, count, dim }) =>
    `Layers ${layers} choose keys by heads of their own: ${count} of ${dim} dimensions rotate, in the layout ${layout}.`,
  compression: ({ layers, size }) => `In layers ${layers} one key stands for ${size} positions.`,
  "rotates-outputs": () => "The attention's output is rotated back by the query's position.",
  ids: ({ rule }) => `Tokens of images and videos are numbered as ${rule} does.`,
  "ids-unknown": () => "Positions have several numbers, and how this type of model makes them is not known.",
  "layout-unknown": () => "Which dimensions rotate together is not known for this type of model.",
  "length-dependent": ({ type }) =>
    `With the rule ${type} frequencies change with the length: keys that were cached before have to be rotated again.`,
  "original-length-missing": ({ type, length }) =>
    `The rule ${type} needs the length of training, which the config does not have: ${length}, the length that it is to read, is used.`,
  "factor-disagrees": ({ factor, ratio, length, originalLength }) =>
    `The factor is ${short(factor)}, but ${length} / ${originalLength} is ${short(ratio)}.`,
  "types-disagree": ({ type, ropeType }) =>
    `type is ${type} and rope_type ${ropeType}: transformers goes by rope_type, others go by type or refuse.`,
  "factor-below-one": ({ factor }) =>
    `The factor ${short(factor)} is below 1: positions are further apart than those of training.`,
  unscaled: ({ length, originalLength }) =>
    `It was trained with ${originalLength} positions and is to read ${length}, and no rule changes its frequencies.`,
  "too-long": ({ length, most }) => `${length} positions are more than the ${most} that the config allows.`,
  "unknown-key": ({ path }) => `${path} is ignored: if it concerns positions or scores, this is without it.`,
  second: ({ of, how }) => `Beside that, of ${of}: ${how}`,
  "other-code": ({ path }) =>
    `${path} says that its code is another than the one that was read for this type: what no key says is assumed.`,
  "window-both": ({ layers, size }) =>
    `A query reaches ${size} keys on either side, its own counted in both, in layers ${layers}.`,
  "known-numbers": ({ traits, from }) => `Checked against numbers that its own code computed (${from}): ${traits}.`,
  "known-config": ({ traits }) => `From the config: ${traits}.`,
  "known-source": ({ traits, from }) => `Read in its code (${from}), no key of the config says it: ${traits}.`,
  "known-assumed": ({ traits }) => `Assumed, without a key that says it or its code that was read: ${traits}.`,
  "known-unknown": ({ traits }) => `Not known: ${traits}.`,
};

const zh: Sentences = {
  rotary: ({ layers, layerType, base, count, dim }) =>
    `${layerType ? `${layerType} 类型的层` : "查询和键"}` +
    `${layers && `（第 ${layers} 层）`}：每个头 ${dim} 维，旋转 ${count} 维，底数 ${short(base)}。`,
  none: () => "除了掩码和循环层，没有任何东西区分位置。",
  unknown: () => "不知道这个模型怎样使用位置：它的类型没有收录，配置里也没有说明位置编码的键。",
  grid: ({ preset, dim, dims, base }) =>
    `查询和键按格子的坐标旋转，共 ${dim} 维${dims ? `（各轴 ${dims}）` : ""}，` +
    `同 rotaryGrid 的预设 ${preset}${base ? `，底数 ${short(base)}` : ""}。`,
  learned: ({ rows, firstRow }) =>
    `词向量加上一个 ${rows} 行的可学习表${firstRow ? `；位置 0 对应第 ${firstRow} 行` : ""}。`,
  sinusoidal: ({ firstRow }) => `词向量加上正弦表${firstRow ? `；位置 0 对应第 ${firstRow} 行` : ""}。`,
  alibi: ({ heads }) => `ALiBi：${heads} 个头各自从得分中减去斜率乘以距离。`,
  t5: ({ heads, buckets, maxDistance }) =>
    `T5 的可学习偏置：${heads} 个头，距离分成 ${buckets} 个桶，最后一个桶从 ${maxDistance} 开始。`,
  shaw: ({ maxDistance, ofKeys }) =>
    `得分加上查询${ofKeys ? "和键" : ""}与按距离（最多 ${maxDistance}）学得的行之积（transformers 4；transformers 5 用位置表）。`,
  layout: ({ layout }) =>
    layout === "half"
      ? "旋转的 r 维中，第 i 维与第 i + r/2 维一起旋转。"
      : layout === "interleaved"
        ? "第 2i 维与第 2i + 1 维一起旋转。"
        : "读取第 2i 和 2i + 1 维，写到第 i 和 i + r/2 维：这样缓存的键不适合其他布局。",
  scaling: ({ type, factor, originalLength }) =>
    `频率按规则 ${type} 改变，扩展倍数 ${short(factor)}${originalLength ? `，训练长度 ${originalLength}` : ""}。`,
  "attention-factor": ({ factor, ofScores }) => `余弦和正弦乘以 ${short(factor)}，得分因此乘以 ${short(ofScores)}。`,
  window: ({ layers, size }) => `第 ${layers} 层的查询只看最近的 ${size} 个键。`,
  chunk: ({ layers, size }) => `第 ${layers} 层的查询只看自己所在的 ${size} 个位置的块。`,
  partial: ({ count, dim }) => `${dim} 维中只有前 ${count} 维旋转。`,
  "split-head": ({ first, count, dim }) => `头分成两部分：${dim} 维中从第 ${first} 维起的 ${count} 维旋转。`,
  inverse: () => "查询和键按相反的角度旋转。",
  sections: ({ sections, order, axes }) => `每个位置有 ${axes} 个数；各维对按 ${sections} 分给它们，方式为 ${order}。`,
  "layers-without": ({ layers, count, of }) => `${of} 层中有 ${count} 层不旋转：第 ${layers} 层。`,
  "several-bases": ({ count }) => `有 ${count} 组频率：每层要用自己类型的那一组。`,
  temperature: ({ layers, slope, period }) =>
    `第 ${layers} 层的查询乘以 1 + ${short(slope)} ln(1 + 已过去的周期数)，每个周期 ${period} 个位置。`,
  scale: ({ scale, usual }) => `得分乘以 ${short(scale)}，而 1/√维数 是 ${short(usual)}。`,
  norm: ({ layers, when }) => `第 ${layers} 层的查询和键在旋转（如果有）之${when === "before" ? "前" : "后"}归一化。`,
  softcap: ({ layers, cap }) => `第 ${layers} 层的得分 s 变为 ${short(cap)} · tanh(s / ${short(cap)})。`,
  sinks: ({ layers }) => `第 ${layers} 层的 softmax 里，每个头有一个学得的注意力汇。`,
  indexer: ({ layers, layout, count, dim }) =>
    `第 ${layers} 层用自己的头挑选键：${dim} 维中的 ${count} 维旋转，布局为 ${layout}。`,
  compression: ({ layers, size }) => `第 ${layers} 层中一个键代表 ${size} 个位置。`,
  "rotates-outputs": () => "注意力的输出按查询的位置反向旋转。",
  ids: ({ rule }) => `图像和视频的 token 按 ${rule} 的方式编号。`,
  "ids-unknown": () => "每个位置有几个数，而这类模型怎样得到它们尚不清楚。",
  "layout-unknown": () => "这类模型哪些维一起旋转，尚不清楚。",
  "length-dependent": ({ type }) => `规则 ${type} 的频率随长度改变：之前缓存的键必须重新旋转。`,
  "original-length-missing": ({ type, length }) =>
    `规则 ${type} 需要训练长度，而配置里没有：改用要处理的长度 ${length}。`,
  "factor-disagrees": ({ factor, ratio, length, originalLength }) =>
    `扩展倍数是 ${short(factor)}，而 ${length} / ${originalLength} 是 ${short(ratio)}。`,
  "types-disagree": ({ type, ropeType }) =>
    `type 是 ${type}，rope_type 是 ${ropeType}：transformers 以 rope_type 为准，别的引擎以 type 为准或拒绝。`,
  "factor-below-one": ({ factor }) => `扩展倍数 ${short(factor)} 小于 1：位置之间比训练时离得更远。`,
  unscaled: ({ length, originalLength }) => `训练长度是 ${originalLength}，要处理 ${length}，却没有规则改变频率。`,
  "too-long": ({ length, most }) => `${length} 个位置超过配置允许的 ${most}。`,
  "unknown-key": ({ path }) => `${path} 被忽略：如果它与位置或得分有关，这里没有它。`,
  second: ({ of, how }) => `此外，${of}：${how}`,
  "other-code": ({ path }) => `${path} 表明它的代码不是为该类型读过的那份：没有键写明的，都属假定。`,
  "window-both": ({ layers, size }) => `第 ${layers} 层的查询向前、向后各看 ${size} 个键，两边都算上它自己的。`,
  "known-numbers": ({ traits, from }) => `与模型自己的代码（${from}）算出的数字核对过：${traits}。`,
  "known-config": ({ traits }) => `配置里写明：${traits}。`,
  "known-source": ({ traits, from }) => `配置没有写，从模型代码（${from}）读到：${traits}。`,
  "known-assumed": ({ traits }) => `配置没有写，也没有读过它的代码，属假定：${traits}。`,
  "known-unknown": ({ traits }) => `不知道：${traits}。`,
};

const traits: { readonly [trait in t.KnownTrait]: readonly [string, string] } = {
  encoding: ["the kind of encoding", "编码的种类"],
  layers: ["which layers there are", "有哪些层"],
  rotating: ["which of them rotate", "其中哪些层旋转"],
  base: ["base", "底数"],
  dims: ["dimensions that rotate", "旋转的维数"],
  layout: ["layout", "布局"],
  scaling: ["scaling rule", "缩放规则"],
  reach: ["windows", "注意力窗口"],
  mask: ["direction of attention", "注意力的方向"],
  scale: ["scale of scores", "得分的缩放"],
  temperature: ["temperature", "温度"],
  norm: ["norms of queries and keys", "查询和键的归一化"],
  softcap: ["cap of scores", "得分软上限"],
  sinks: ["attention sinks", "注意力汇"],
  ids: ["numbering of tokens", "token 的编号"],
};

const inChinese = Object.fromEntries(
  [
    "boxes 方框,cells 单元格,decoder 解码器,distances 距离,distances of boxes 方框的距离,encoder 编码器,entities 实体",
    "global keys 全局键,images 图像,paths 路径,speech 语音,table 另一个表,text 文本,timesteps 时间步",
  ].flatMap((pairs) => pairs.split(",").map((pair) => /(.*) (.*)/.exec(pair)?.slice(1) as [string, string])),
);

export const textsOf: { readonly [language in "en" | "zh"]: Texts } = {
  en: {
    sentences: en,
    assumed: (sentence) => sentence.replace(/\.$/, " (assumed)."),
    trait: (name, key) => traits[name][0] + (key === null ? "" : ` (${key})`),
    comma: ", ",
    second: { of: {}, unknown: "an encoding that is not known here." },
  },
  zh: {
    sentences: zh,
    assumed: (sentence) => sentence.replace(/。$/, "（属假定）。"),
    trait: (name, key) => traits[name][1] + (key === null ? "" : `（${key}）`),
    comma: "、",
    second: { of: inChinese, unknown: "另有编码，这里不知道。" },
  },
};
