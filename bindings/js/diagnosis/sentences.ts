// The sentences of diagnose, in both languages.

import type * as t from "../types/index.js";
import { mistakeSentences } from "./mistake-sentences.js";

type Found<Type> = Extract<t.Explanation["found"], { type: Type }>;

/** Six digits, without the zeros at their end. */
const short = (value: number) => String(Number(value.toPrecision(6)));

/** Indices, runs of them as first to last; of many only the first and the last. */
function runs(indices: readonly number[]): string {
  const found: [number, number][] = [];
  for (let i = 0; i < indices.length; ++i) {
    const index = indices[i] as number;
    const last = found[found.length - 1];
    if (last && last[1] === index - 1) last[1] = index;
    else found[found.length] = [index, index];
  }
  const shown = found.length > 4 ? [[...(found[0] ?? [0, 0])], [...(found[found.length - 1] ?? [0, 0])]] : found;
  const texts = shown.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return texts.join(found.length > 4 ? " … " : ", ");
}

type Places = { readonly [name in "tokens" | "heads" | "pairs"]: readonly number[] } & { readonly ofTokens: number };

/** A part of a sentence, where a number is not what it usually is. */
const unless = (usual: number, value: number, part: (text: string) => string) =>
  value === usual ? "" : part(short(value));

/** The remedy of each mistake: dimensions that are permuted, numbers that can be undone, or a new computation. */
const remedyOf = {
  layout: "dims",
  permuted: "dims",
  "first-dim": "dims",
  "rotary-dim": "again",
  "not-rotated": "rotate",
  "exponent-doubled": "again",
  "exponent-halved": "again",
  "exponent-half-minus-one": "again",
  "exponent-head-dim": "again",
  "exponent-rotary-dim": "again",
  reciprocal: "again",
  base: "again",
  "other-layers": "again",
  "scaling-missing": "again",
  "scaling-twice": "again",
  "scaling-other": "again",
  "factor-missing": "factor",
  "factor-twice": "factor",
  "factor-default": "factor",
  "factor-other": "factor",
  sign: "sign",
  exchanged: "exchange",
  "first-position": "shift",
  "position-scale": "positions",
  "angles-float32": "precision",
  "angles-float16": "precision",
  "angles-bfloat16": "precision",
  "angles-product": "precision",
  "angles-exact": "arithmetic",
  restarted: "again",
  "time-rule": "times",
  "next-rule": "times",
  "zero-column": "column",
  "axes-order": "axes",
  "axis-missing": "axes",
  sections: "axes",
  "section-order": "axes",
  arrangement: "columns",
  amplitude: "factor",
  "padding-row": "row",
  slopes: "bias",
  distance: "bias",
  causal: "bias",
  buckets: "bias",
} as const satisfies Record<keyof typeof mistakeSentences.en, string>;

type Numbers = { readonly factor: number; readonly shift: number; readonly scale: number };

/** A sentence, or one that has numbers. */
type Sentence = string | ((numbers: Numbers) => string);

interface KindWords {
  readonly mistakes: Readonly<Record<string, string>>;
  readonly remedies: Readonly<Record<string, Sentence>>;
}

const arithmetic = (name: string) => name.replace("product", "float32");

interface Rule {
  type: string;
  factor?: number;
  fraction?: number;
}

const rule = ({ scaling }: { scaling?: unknown }) => scaling as Rule | undefined;

const en = {
  mistakes: mistakeSentences.en,
  remedyOf,
  remedies: {
    dims: "Reorder the dimensions of the output: dimension i has to be what is dimension dimensions[i] now.",
    rows: "Reorder each head's rows of W_q and W_k: row i has to be what is row rows[i] now.",
    again:
      "Compute the frequencies from the expected plan. Keys that are cached already are rotated back by what was found, and again by what was expected.",
    rotate: "Rotate queries and keys by their positions.",
    factor: ({ factor }: Numbers) =>
      factor === 1 ? "Use the factor that was expected." : `Multiply by ${short(factor)}.`,
    sign: "Negate the sines.",
    exchange: "Exchange sine and cosine.",
    shift: ({ shift }: Numbers) =>
      shift === 0 ? "Start the positions where it was expected." : `Add ${short(shift)} to the positions.`,
    positions: ({ scale }: Numbers) =>
      scale === 1
        ? "Take the positions as they are: the frequencies alone are to be scaled."
        : `Multiply the positions by ${short(scale)}.`,
    precision: "Compute each angle by itself, and in float32 or better; round cosines and sines, not angles.",
    arithmetic: "Compute the angles in the arithmetic that was named.",
    times: "Compute the ids by the rules that were named.",
    axes: "Assign the pairs to the axes as the expected sections and their order say.",
    columns: "Reorder the columns of the table.",
    column: "Compute the last column: the sine of the frequency behind the last pair's.",
    row: "Set the row of the padding position to zero, and no other.",
    bias: "Compute the bias from what was expected: nothing else of it is wrong.",
  },
  /** What is said in other words of some kinds of samples. */
  of: {
    bias: {
      mistakes: {
        sign: "The values have the wrong sign, or queries and keys are exchanged.",
        "first-position": "The first query is at another position.",
        "factor-other": "The slopes are multiplied by a factor.",
      },
      remedies: {
        sign: "Negate the values, or exchange queries and keys.",
        shift: ({ shift }: Numbers) =>
          shift === 0
            ? "Place the first query where it was expected."
            : `Add ${short(shift)} to the queries' positions.`,
      },
    },
    sinusoidal: {
      mistakes: { sign: "The sines have the wrong sign.", "not-rotated": "All rows are alike." },
      remedies: { again: "Compute the table from what was expected." },
    },
    frequencies: { mistakes: {}, remedies: { again: "Compute the frequencies from the expected plan." } },
    ids: {
      mistakes: {
        "first-position": "All ids have the same number added.",
        "scaling-other": "The times are at another rate, or the rule is another one.",
        "axes-order": "The axes of the ids are exchanged.",
        "axis-missing": "An axis has the ids of another, or the indices of the tokens.",
      },
      remedies: {
        again: "Compute the ids by the expected preset.",
        axes: "Give each axis its own ids, in the order of the preset.",
        shift: ({ shift }: Numbers) =>
          shift === 0 ? "Start the ids where it was expected." : `Add ${short(shift)} to the ids.`,
      },
    },
  } as Readonly<Record<string, KindWords>>,
  /** Which of two directions a mistake has. */
  directed: {
    half: 'The dimensions are paired as in "half" in place of "interleaved".',
    interleaved: 'The dimensions are paired as in "interleaved" in place of "half".',
    causal: "The bias is causal where it should be symmetric.",
    symmetric: "The bias is symmetric where it should be causal.",
    row: "There is a row of zeros that should not be there.",
    "no-row": "There is no row of zeros where one should be.",
  },
  found: {
    rotary: (found: Found<"rotary">) => {
      const { plan, firstDim, reads, writes, factor, offset, positionScale, mrope } = found;
      const scaling = rule(plan);
      const layout =
        reads === writes ? `paired as in "${reads}"` : `read as in "${reads}" and written as in "${writes}"`;
      return [
        found.form === undefined
          ? `${plan.rotaryDim ?? plan.dim} of ${plan.dim} dimensions rotate`
          : `A cache of the form "${found.form}" for ${plan.rotaryDim ?? plan.dim} of ${plan.dim} dimensions`,
        unless(0, firstDim, (dimension) => ` from dimension ${dimension} on`),
        reads === undefined ? "" : `, ${layout}`,
        frequenciesEn(plan, scaling),
        unless(1, factor, (by) => `, cosines and sines times ${by}`),
        unless(1, positionScale, (by) => `, positions times ${by}`),
        unless(0, offset, (by) => `, positions plus ${by}`),
        found.inverse ? ", backwards" : "",
        found.exchanged ? ", sine and cosine exchanged" : "",
        found.reciprocal ? ", with wavelengths for frequencies" : "",
        mrope ? `, axes in sections ${mrope.sections.join(", ")} (${mrope.order})` : "",
        arithmeticEn(found.arithmetic),
        ".",
      ].join("");
    },
    sinusoidal: (found: Found<"sinusoidal">) =>
      [
        `A table of sinusoids of ${found.plan.dim} columns, ${found.arrangement}`,
        frequenciesEn(found.plan, rule(found.plan)),
        unless(1, found.amplitude, (by) => `, times ${by}`),
        unless(1, found.positionScale, (by) => `, positions times ${by}`),
        unless(0, found.offset, (by) => `, positions plus ${by}`),
        found.paddingRow ? ", with a row of zeros" : "",
        found.zeroColumn ? ", the last column zeros" : "",
        arithmeticEn(found.arithmetic),
        ".",
      ].join(""),
    frequencies: ({ plan, unit }: Found<"frequencies">) =>
      `${plan.dim / 2} frequencies (${unit})${frequenciesEn(plan, rule(plan))}.`,
    bias: (found: Found<"bias">) =>
      `A bias of the distance, ${found.bias}${found.causal ? ", causal" : ""}${slopesEn(found)}.`,
    ids: ({ preset, offset, time, next }: Found<"ids">) =>
      `Ids of the preset "${preset}", times by the rule "${time}", going on by the rule "${next}"${unless(0, offset, (by) => `, plus ${by}`)}.`,
  },
  verdicts: {
    certain: ({ bits }: { bits: number; count: number }) =>
      `This is certain: all else that was tried is ${short(bits)} bits less likely.`,
    likely: ({ bits }: { bits: number; count: number }) => `This is likely, by ${short(bits)} bits, but not certain.`,
    ambiguous: ({ count }: { bits: number; count: number }) =>
      count > 1
        ? `These numbers do not tell ${count} explanations apart.`
        : "These numbers fit other explanations, too.",
    "too-little": (_: { bits: number; count: number }) =>
      "These numbers tell nothing: all of them are zero, or nearly.",
    none: (_: { bits: number; count: number }) => "None of the encodings known here explains these numbers.",
  },
  outputs: {
    neither: "Both outputs are as expected.",
    a: "The first output is wrong.",
    b: "The second output is wrong.",
    both: "Both outputs are wrong.",
    unknown: "Which of them is wrong cannot be told from what was given.",
  },
  asExpected: "This is what was expected.",
  next: (positions: readonly number[]) => `Positions that would tell more: ${positions.map(short).join(", ")}.`,
  departs: ({ tokens, heads, pairs, ofTokens }: Places) =>
    `They depart from what was expected at ${tokens.length} of ${ofTokens} tokens (${runs(tokens)}), in heads ${runs(heads)} and pairs ${runs(pairs)}, counted from 0.`,
  joined: (sentences: readonly string[]) => sentences.join(" "),
};

function frequenciesEn(plan: t.RotaryOptions, scaling: Rule | undefined): string {
  if (scaling?.type === "given") return ", with frequencies of no known law";
  const { base = 10000, exponent, exponentDim } = plan;
  return [
    `, base ${short(base)}`,
    exponent && exponent !== "paper" ? `, exponent "${exponent}"` : "",
    exponentDim === undefined ? "" : `, exponents over ${exponentDim}`,
    scaling && scaling.type !== "default" ? `, rule ${scaling.type}` : "",
    scaling?.factor === undefined ? "" : ` with factor ${short(scaling.factor)}`,
    scaling?.fraction === undefined ? "" : `, of which the first ${short(scaling.fraction)} rotate`,
  ].join("");
}

/** The heads whose slopes a bias has, where they are not simply its own. */
function headsOf({ slopes = [], ruleHeads = 0, ruleFirst = 0, rulePeriod = 0 }: Found<"bias">) {
  const count = rulePeriod || slopes.length;
  return rulePeriod > 0 || (ruleHeads > 0 && ruleHeads !== count)
    ? { first: ruleFirst, last: ruleFirst + count - 1, heads: ruleHeads, period: rulePeriod }
    : undefined;
}

function slopesEn(found: Found<"bias">): string {
  const of = headsOf(found);
  if (!of) return "";
  const again = of.period > 0 ? `, again after each ${of.period} heads` : "";
  return `, with the slopes of heads ${of.first} to ${of.last} of ${of.heads}${again}`;
}

function slopesZh(found: Found<"bias">): string {
  const of = headsOf(found);
  if (!of) return "";
  const again = of.period > 0 ? `，每 ${of.period} 个头重复一次` : "";
  return `，斜率取自 ${of.heads} 个头中的第 ${of.first} 到 ${of.last} 个${again}`;
}

const arithmeticEn = (name: string) =>
  name === "exact" ? "" : `, angles in ${arithmetic(name)}${name === "product" ? " as a running product" : ""}`;

const zh: typeof en = {
  mistakes: mistakeSentences.zh as unknown as typeof mistakeSentences.en,
  remedyOf,
  remedies: {
    dims: "重排输出的维度：第 i 维应取现在的第 dimensions[i] 维。",
    rows: "重排 W_q 和 W_k 中每个头的行：第 i 行应取现在的第 rows[i] 行。",
    again: "按预期的方案重新计算频率。已缓存的键先按查出的方案反向旋转，再按预期的方案旋转。",
    rotate: "按位置旋转查询和键。",
    factor: ({ factor }) => (factor === 1 ? "使用预期的系数。" : `乘以 ${short(factor)}。`),
    sign: "将正弦取反。",
    exchange: "交换正弦和余弦。",
    shift: ({ shift }) => (shift === 0 ? "从预期的位置开始。" : `位置加上 ${short(shift)}。`),
    positions: ({ scale }) => (scale === 1 ? "位置保持不变：只缩放频率。" : `位置乘以 ${short(scale)}。`),
    precision: "每个角度单独计算，精度不低于 float32；舍入余弦和正弦，不要舍入角度。",
    arithmetic: "按指定的精度计算角度。",
    times: "按指定的规则计算位置编号。",
    axes: "按预期的分段和顺序把维度对分给各轴。",
    columns: "重排表的列。",
    column: "计算最后一列：最后一对之后那个频率的正弦。",
    row: "只把填充位置的那一行设为零。",
    bias: "按预期的参数计算偏置，其余无误。",
  },
  of: {
    bias: {
      mistakes: {
        sign: "数值的符号相反，或者查询和键互换了。",
        "first-position": "第一个查询的位置不同。",
        "factor-other": "斜率被乘以一个系数。",
      },
      remedies: {
        sign: "将数值取反，或者交换查询和键。",
        shift: ({ shift }: Numbers) =>
          shift === 0 ? "把第一个查询放在预期的位置。" : `查询的位置加上 ${short(shift)}。`,
      },
    },
    sinusoidal: {
      mistakes: { sign: "正弦的符号相反。", "not-rotated": "所有行都相同。" },
      remedies: { again: "按预期的参数计算整个表。" },
    },
    frequencies: { mistakes: {}, remedies: { again: "按预期的方案计算频率。" } },
    ids: {
      mistakes: {
        "first-position": "所有编号都加了同一个数。",
        "scaling-other": "时间的速率不同，或者用了另一种规则。",
        "axes-order": "编号的各个轴互换了。",
        "axis-missing": "某个轴用了另一个轴的编号，或者用了 token 的序号。",
      },
      remedies: {
        again: "按预期的预设计算编号。",
        axes: "按预设的顺序给每个轴自己的编号。",
        shift: ({ shift }: Numbers) => (shift === 0 ? "编号从预期的值开始。" : `编号加上 ${short(shift)}。`),
      },
    },
  },
  directed: {
    half: "维度按 half 配对，应为 interleaved。",
    interleaved: "维度按 interleaved 配对，应为 half。",
    causal: "偏置是因果的，应为双向。",
    symmetric: "偏置是双向的，应为因果。",
    row: "多了一行零。",
    "no-row": "缺少一行零。",
  },
  found: {
    rotary: (found) => {
      const { plan, firstDim, reads, writes, factor, offset, positionScale, mrope } = found;
      const layout = reads === writes ? `按 ${reads} 配对` : `按 ${reads} 读取、按 ${writes} 写入`;
      return [
        found.form === undefined
          ? `${plan.dim} 维中有 ${plan.rotaryDim ?? plan.dim} 维旋转`
          : `形式为 ${found.form} 的缓存，用于 ${plan.dim} 维中的 ${plan.rotaryDim ?? plan.dim} 维`,
        unless(0, firstDim, (dimension) => `（从第 ${dimension} 维起）`),
        reads === undefined ? "" : `，${layout}`,
        frequenciesZh(plan, rule(plan)),
        unless(1, factor, (by) => `，余弦和正弦乘以 ${by}`),
        unless(1, positionScale, (by) => `，位置乘以 ${by}`),
        unless(0, offset, (by) => `，位置加 ${by}`),
        found.inverse ? "，反方向" : "",
        found.exchanged ? "，正弦和余弦互换" : "",
        found.reciprocal ? "，用波长代替频率" : "",
        mrope ? `，各轴分段为 ${mrope.sections.join("、")}（${mrope.order}）` : "",
        arithmeticZh(found.arithmetic),
        "。",
      ].join("");
    },
    sinusoidal: (found) =>
      [
        `${found.plan.dim} 列的正弦表，排列为 ${found.arrangement}`,
        frequenciesZh(found.plan, rule(found.plan)),
        unless(1, found.amplitude, (by) => `，乘以 ${by}`),
        unless(1, found.positionScale, (by) => `，位置乘以 ${by}`),
        unless(0, found.offset, (by) => `，位置加 ${by}`),
        found.paddingRow ? "，有一行零" : "",
        found.zeroColumn ? "，最后一列为零" : "",
        arithmeticZh(found.arithmetic),
        "。",
      ].join(""),
    frequencies: ({ plan, unit }) => `${plan.dim / 2} 个频率（${unit}）${frequenciesZh(plan, rule(plan))}。`,
    bias: (found) => `只取决于距离的偏置：${found.bias}${found.causal ? "，因果" : ""}${slopesZh(found)}。`,
    ids: ({ preset, offset, time, next }) =>
      `预设 ${preset} 的位置编号，时间规则 ${time}，后续规则 ${next}${unless(0, offset, (by) => `，加 ${by}`)}。`,
  },
  verdicts: {
    certain: ({ bits }) => `可以确定：试过的其他解释至少差 ${short(bits)} 比特。`,
    likely: ({ bits }) => `很可能如此（领先 ${short(bits)} 比特），但不能确定。`,
    ambiguous: ({ count }) => (count > 1 ? `这些数值无法区分 ${count} 种解释。` : "这些数值还符合其他解释。"),
    "too-little": () => "这些数值全为零（或几乎为零），什么也说明不了。",
    none: () => "已知的编码都不能解释这些数值。",
  },
  outputs: {
    neither: "两个输出都与预期一致。",
    a: "第一个输出是错的。",
    b: "第二个输出是错的。",
    both: "两个输出都是错的。",
    unknown: "根据给出的内容无法判断哪个是错的。",
  },
  asExpected: "与预期一致。",
  next: (positions) => `再取这些位置可以区分：${positions.map(short).join("、")}。`,
  departs: ({ tokens, heads, pairs, ofTokens }) =>
    `与预期不符之处：${ofTokens} 个 token 中的 ${tokens.length} 个（${runs(tokens)}），头 ${runs(heads)}，维度对 ${runs(pairs)}（从 0 数起）。`,
  joined: (sentences) => sentences.join(""),
};

function frequenciesZh(plan: t.RotaryOptions, scaling: Rule | undefined): string {
  if (scaling?.type === "given") return "，频率不符合任何已知规律";
  const { base = 10000, exponent, exponentDim } = plan;
  return [
    `，底数 ${short(base)}`,
    exponent && exponent !== "paper" ? `，指数方式 ${exponent}` : "",
    exponentDim === undefined ? "" : `，指数分母 ${exponentDim}`,
    scaling && scaling.type !== "default" ? `，规则 ${scaling.type}` : "",
    scaling?.factor === undefined ? "" : `，系数 ${short(scaling.factor)}`,
    scaling?.fraction === undefined ? "" : `，其中前 ${short(scaling.fraction)} 旋转`,
  ].join("");
}

const arithmeticZh = (name: string) =>
  name === "exact" ? "" : `，角度用 ${arithmetic(name)}${name === "product" ? " 累乘" : " 计算"}`;

export const sentences = { en, zh };
