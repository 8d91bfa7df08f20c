// The sentences of diagnose, in both languages.

import type * as t from "../types/index.js";
import { mistakeSentences } from "./mistake-sentences.js";

type Found<Type> = Extract<t.Explanation["found"], { type: Type }>;

/** Six digits, without the zeros at their end. */
const short = (value: number) => String(Number(value.toPrecision(6)));

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

type Numbers = { readonly factor: number; readonly shift: number };

const arithmetic = (name: string) => name.replace("product", "float32");

const rule = ({ scaling }: { scaling?: unknown }) => scaling as { type: string; factor?: number } | undefined;

const en = {
  mistakes: mistakeSentences.en,
  remedyOf,
  remedies: {
    dims: "Reorder the dimensions of the output: dimension i has to be what is dimension dimensions[i] now.",
    rows: "Reorder each head's rows of W_q and W_k: row i has to be what is row rows[i] now.",
    again:
      "Compute the frequencies from the expected plan. Keys that are cached already are rotated back by what was found, and again by what was expected.",
    rotate: "Rotate queries and keys by their positions.",
    factor: ({ factor }: Numbers) => `Multiply by ${short(factor)}.`,
    sign: "Negate the sines.",
    exchange: "Exchange sine and cosine.",
    shift: ({ shift }: Numbers) => `Add ${short(shift)} to the positions.`,
    positions: "Take the positions as they are: the frequencies alone are to be scaled.",
    precision: "Compute each angle by itself, and in float32 or better; round cosines and sines, not angles.",
    axes: "Assign the pairs to the axes as the expected sections and their order say.",
    columns: "Reorder the columns of the table.",
    row: "Set the row of the padding position to zero, and no other.",
    bias: "Compute the bias from what was expected: nothing else of it is wrong.",
  },
  found: {
    rotary: (found: Found<"rotary">) => {
      const { plan, firstDim, reads, writes, factor, offset, positionScale, mrope } = found;
      const scaling = rule(plan);
      const layout =
        reads === writes ? `paired as in "${reads}"` : `read as in "${reads}" and written as in "${writes}"`;
      return [
        `${plan.rotaryDim ?? plan.dim} of ${plan.dim} dimensions rotate`,
        unless(0, firstDim, (dimension) => ` from dimension ${dimension} on`),
        `, ${layout}`,
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
        arithmeticEn(found.arithmetic),
        ".",
      ].join(""),
    frequencies: ({ plan, unit }: Found<"frequencies">) =>
      `${plan.dim / 2} frequencies (${unit})${frequenciesEn(plan, rule(plan))}.`,
    bias: (found: Found<"bias">) => `A bias of the distance, ${found.bias}${found.causal ? ", causal" : ""}.`,
    ids: ({ preset, offset }: Found<"ids">) =>
      `Ids of the preset "${preset}"${unless(0, offset, (by) => `, plus ${by}`)}.`,
  },
  verdicts: {
    certain: ({ bits }: { bits: number; count: number }) =>
      `This is certain: all else that was tried is ${short(bits)} bits less likely.`,
    likely: ({ bits }: { bits: number; count: number }) => `This is likely, by ${short(bits)} bits, but not certain.`,
    ambiguous: ({ count }: { bits: number; count: number }) => `These numbers do not tell ${count} explanations apart.`,
    none: (_: { bits: number; count: number }) => "None of the encodings known here explains these numbers.",
  },
  outputs: {
    neither: "Both outputs are as expected.",
    a: "The first output is wrong.",
    b: "The second output is wrong.",
    both: "Both outputs are wrong.",
    unknown: "Which of them is wrong is not known: say what was expected.",
  },
  asExpected: "This is what was expected.",
  next: (positions: readonly number[]) => `Positions that would tell more: ${positions.map(short).join(", ")}.`,
  sampled: ({ tokens, heads }: NonNullable<t.Diagnosis["sampled"]>) =>
    `Looked at ${tokens[0]} of ${tokens[1]} tokens and ${heads[0]} of ${heads[1]} heads.`,
  joined: (sentences: readonly string[]) => sentences.join(" "),
};

function frequenciesEn(plan: t.RotaryOptions, scaling: { type: string; factor?: number } | undefined): string {
  if (scaling?.type === "given") return ", with frequencies of no known law";
  const { base = 10000, exponent, exponentDim } = plan;
  return [
    `, base ${short(base)}`,
    exponent && exponent !== "paper" ? `, exponent "${exponent}"` : "",
    exponentDim === undefined ? "" : `, exponents over ${exponentDim}`,
    scaling && scaling.type !== "default" ? `, rule ${scaling.type}` : "",
    scaling?.factor === undefined ? "" : ` with factor ${short(scaling.factor)}`,
  ].join("");
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
    factor: ({ factor }) => `乘以 ${short(factor)}。`,
    sign: "将正弦取反。",
    exchange: "交换正弦和余弦。",
    shift: ({ shift }) => `位置加上 ${short(shift)}。`,
    positions: "位置保持不变：只缩放频率。",
    precision: "每个角度单独计算，精度不低于 float32；舍入余弦和正弦，不要舍入角度。",
    axes: "按预期的分段和顺序把维度对分给各轴。",
    columns: "重排表的列。",
    row: "只把填充位置的那一行设为零。",
    bias: "按预期的参数计算偏置，其余无误。",
  },
  found: {
    rotary: (found) => {
      const { plan, firstDim, reads, writes, factor, offset, positionScale, mrope } = found;
      const layout = reads === writes ? `按 ${reads} 配对` : `按 ${reads} 读取、按 ${writes} 写入`;
      return [
        `${plan.dim} 维中有 ${plan.rotaryDim ?? plan.dim} 维旋转`,
        unless(0, firstDim, (dimension) => `（从第 ${dimension} 维起）`),
        `，${layout}`,
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
        arithmeticZh(found.arithmetic),
        "。",
      ].join(""),
    frequencies: ({ plan, unit }) => `${plan.dim / 2} 个频率（${unit}）${frequenciesZh(plan, rule(plan))}。`,
    bias: (found) => `只取决于距离的偏置：${found.bias}${found.causal ? "，因果" : ""}。`,
    ids: ({ preset, offset }) => `预设 ${preset} 的位置编号${unless(0, offset, (by) => `，加 ${by}`)}。`,
  },
  verdicts: {
    certain: ({ bits }) => `可以确定：试过的其他解释至少差 ${short(bits)} 比特。`,
    likely: ({ bits }) => `很可能如此（领先 ${short(bits)} 比特），但不能确定。`,
    ambiguous: ({ count }) => `这些数值无法区分 ${count} 种解释。`,
    none: () => "已知的编码都不能解释这些数值。",
  },
  outputs: {
    neither: "两个输出都与预期一致。",
    a: "第一个输出是错的。",
    b: "第二个输出是错的。",
    both: "两个输出都是错的。",
    unknown: "无法判断哪个是错的：请给出预期的方案。",
  },
  asExpected: "与预期一致。",
  next: (positions) => `再取这些位置可以区分：${positions.map(short).join("、")}。`,
  sampled: ({ tokens, heads }) =>
    `检查了 ${tokens[1]} 个 token 中的 ${tokens[0]} 个、${heads[1]} 个头中的 ${heads[0]} 个。`,
  joined: (sentences) => sentences.join(""),
};

function frequenciesZh(plan: t.RotaryOptions, scaling: { type: string; factor?: number } | undefined): string {
  if (scaling?.type === "given") return "，频率不符合任何已知规律";
  const { base = 10000, exponent, exponentDim } = plan;
  return [
    `，底数 ${short(base)}`,
    exponent && exponent !== "paper" ? `，指数方式 ${exponent}` : "",
    exponentDim === undefined ? "" : `，指数分母 ${exponentDim}`,
    scaling && scaling.type !== "default" ? `，规则 ${scaling.type}` : "",
    scaling?.factor === undefined ? "" : `，系数 ${short(scaling.factor)}`,
  ].join("");
}

const arithmeticZh = (name: string) =>
  name === "exact" ? "" : `，角度用 ${arithmetic(name)}${name === "product" ? " 累乘" : " 计算"}`;

export const sentences = { en, zh };
