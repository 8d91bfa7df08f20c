// What was found, and what differs from what was expected: options as parts of a sentence, in both languages.

import { isArray, isObject } from "../base/check.js";
import type * as t from "../types/index.js";
import { type Found, runs, short } from "./sentence-parts.js";

type Both = readonly [en: string, zh: string];

/** What would tell explanations apart, beside positions. */
export const telling: { readonly [what in t.Diagnosis["tells"][number]]: Both } = {
  axes: ["positions whose axes differ", "各轴不同的位置"],
  inputs: ["inputs that are not zeros", "不为零的输入"],
  "sequence-axis": ["the name of the sequence's axis (seqAxis)", "序列所在的轴（seqAxis）"],
  "dim-axis": ["the name of the dimensions' axis (dimAxis)", "维度所在的轴（dimAxis）"],
  length: ["another length of the text (length)", "另一文本长度（length）"],
  dtype: ["the type of the results (dtype)", "结果的数据类型（dtype）"],
  keys: ["keys after the query", "查询之后的键"],
  grid: ["another grid", "另一个网格"],
  segments: ["other segments", "另外的分段"],
  table: ["the learned table, with different rows", "各行不同的学习表"],
};

/** Options as parts of a sentence, in this order; # is the value. */
const phrases: { readonly [option: string]: Both } = {
  paired: ['paired as in "#"', "按 # 配对"],
  reads: ['read as in "#"', "按 # 读取"],
  writes: ['written as in "#"', "按 # 写入"],
  firstDim: ["from dimension # on", "从第 # 维起"],
  given: ["with frequencies of no known law", "频率不符合任何已知规律"],
  base: ["base #", "底数 #"],
  exponent: ['exponent "#"', "指数方式 #"],
  exponentDim: ["exponents over #", "指数分母 #"],
  "scaling.type": ["rule #", "规则 #"],
  "scaling.factor": ["factor #", "扩展倍数 #"],
  "scaling.fraction": ["of which the first # rotate", "其中前 # 旋转"],
  factor: ["cosines and sines times #", "余弦和正弦乘以 #"],
  amplitude: ["times #", "乘以 #"],
  causal: ["causal", "因果"],
  ruleHeads: ["slopes of # heads", "斜率出自 # 个头"],
  ruleFirst: ["from head # on", "从第 # 个头起"],
  rulePeriod: ["again after each # heads", "每 # 个头重复一次"],
  upToRows: ["up to a constant of each row", "每行可差一个常数"],
  time: ['times by the rule "#"', "时间规则 #"],
  next: ['going on by the rule "#"', "后续规则 #"],
  "mrope.sections": ["axes in sections #", "各轴分段为 #"],
  "mrope.order": ['in the order "#"', "顺序 #"],
  inverse: ["angles negated", "角度取反"],
  exchanged: ["sine and cosine exchanged", "正弦和余弦互换"],
  reciprocal: ["with wavelengths for frequencies", "用倒数代替频率"],
  frequencies: ["frequencies rounded to #", "频率舍入为 #"],
  cosines: ["cosines and sines rounded to #", "余弦和正弦舍入为 #"],
  sineRows: ["sines of # rows on", "正弦取自后 # 行"],
  paddingRow: ["with a row of zeros", "有一行零"],
  zeroColumn: ["the last column zeros", "最后一列为零"],
  positionScale: ["positions times #", "位置乘以 #"],
  offset: ["positions plus #", "位置加 #"],
  product: ["angles in float32 as a running product", "角度用 float32 累乘"],
  arithmetic: ["angles in #", "角度用 # 计算"],
  positions: ["tokens at positions #", "各 token 的位置为 #"],
};

/** Other options, where they differ. */
const names: { readonly [option: string]: Both } = {
  rotaryDim: ["rotary dimensions #", "旋转维度数 #"],
  exponentDim: ["dimensions of the exponent #", "指数分母 #"],
  offset: ["offset #", "位置偏移 #"],
  positionScale: ["scale of positions #", "位置的倍数 #"],
  "scaling.originalLength": ["original length #", "原始长度 #"],
};

/** What is not said: it is so unless something else is said. */
const usual: { readonly [option: string]: unknown } = {
  ...{ firstDim: 0, offset: 0, ruleHeads: 0, ruleFirst: 0, rulePeriod: 0, sineRows: 0 },
  ...{ factor: 1, amplitude: 1, positionScale: 1 },
  ...{ "scaling.type": "default", exponent: "paper", arithmetic: "exact" },
};

const isList = (value: unknown): value is ArrayLike<unknown> => isArray(value) || ArrayBuffer.isView(value);

const shown = (value: unknown): string =>
  typeof value === "number" ? short(value) : isList(value) ? Array.from(value, shown).join(" ") : `${value}`;

/** Options by their names, those of a rule as "scaling.factor"; lists are values. */
const flat = (value: object, path = ""): [name: string, value: unknown][] =>
  Object.entries(value).flatMap(([name, each]) =>
    isObject(each) && !isList(each) ? flat(each, `${path}${name}.`) : [[path + name, each] as [string, unknown]],
  );

/** The options of a plan, a bias or a function, in one list. */
function optionsOf(given: object): Map<string, unknown> {
  const { plan, options, parameters, ...own } = given as { [name: string]: object | undefined };
  const [buckets, maxDistance] = (parameters as number[] | undefined) ?? [];
  const { dim, layout: _, ...rest } = { exponent: "paper", ...plan } as { [name: string]: unknown };
  const of = plan ? { rotaryDim: dim, ...rest } : {};
  return new Map(flat({ ...own, ...of, ...options, ...(parameters && { buckets, maxDistance }) }));
}

const filled = (phrase: Both, value: unknown, language: "en" | "zh") =>
  phrase[language === "en" ? 0 : 1].replace("#", shown(value));

const headOf: { [Type in t.Explanation["found"]["type"]]: (found: Found<Type>) => Both } = {
  rotary({ plan: { dim, rotaryDim = dim }, form }) {
    if (form === undefined) return [`${rotaryDim} of ${dim} dimensions rotate`, `${dim} 维中有 ${rotaryDim} 维旋转`];
    const of = [`${rotaryDim} of ${dim} dimensions`, `${dim} 维中的 ${rotaryDim} 维`];
    return [`A cache of the form "${form}" for ${of[0]}`, `形式为 ${form} 的缓存，用于 ${of[1]}`];
  },
  sinusoidal: ({ plan: { dim }, arrangement: as }) => [
    `A table of sinusoids of ${dim} columns, ${as}`,
    `${dim} 列的正弦表，排列为 ${as}`,
  ],
  frequencies: ({ plan: { dim }, unit }) => [`${dim / 2} frequencies (${unit})`, `${dim / 2} 个频率（${unit}）`],
  bias: ({ bias }) => [`A bias of the distance, ${bias}`, `只取决于距离的偏置：${bias}`],
  made: (found) => [`Numbers of ${found.function}`, `${found.function} 的数值`],
  ids: ({ preset }) => [`Ids of the preset "${preset}"`, `预设 ${preset} 的位置编号`],
};

/** Whether these vectors are not rotated. */
export const isStill = (found: t.Explanation["found"]): boolean =>
  found.type === "rotary" &&
  found.plan.scaling?.type === "given" &&
  Array.from(found.plan.scaling.frequencies).every((frequency) => frequency === 0);

/** What was found, in a sentence. */
export function foundSentence(found: t.Explanation["found"], language: "en" | "zh"): string {
  const own = optionsOf(found);
  if (found.type === "bias") own.delete("factor");
  if (isStill(found)) return language === "en" ? "Nothing rotates." : "没有旋转。";
  if (own.get("scaling.type") === "given") {
    own.set("given", true);
    for (const name of ["scaling.type", "base", "exponent"]) own.delete(name);
  }
  if (own.get("reads") === own.get("writes")) {
    own.set("paired", own.get("reads")).delete("reads");
    own.delete("writes");
  }
  if (own.get("arithmetic") === "product") own.set("product", true).delete("arithmetic");
  if ("positions" in found && found.positions) own.set("positions", runs(found.positions.values));
  const said = found.type === "made" ? [...own].filter(([name]) => !/^(type|function)$/.test(name)) : [];
  const parts = Object.entries(phrases).flatMap(([name, phrase]) => {
    const value = said.length > 0 ? undefined : own.get(name);
    return !value || value === usual[name] ? [] : [filled(phrase, value, language)];
  });
  // Each kind has a function that takes its own.
  const head = headOf[found.type] as (found: t.Explanation["found"]) => Both;
  const made = said.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${shown(value)}`]));
  const all = [filled(head(found), "", language), ...parts, ...made];
  return language === "en" ? `${all.join(", ")}.` : `${all.join("，")}。`;
}

const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === "number" && typeof b === "number" ? Math.abs(a - b) <= 1e-9 * Math.abs(b) : a === b;

/** More values of a list are not shown. */
const shownValues = 8;

/** Which options of what was found are not those that were expected. */
export function differing(found: object, expected: object): t.OptionDifference[] {
  const [own, meant] = [optionsOf(found), optionsOf(expected)];
  // Two rules have no numbers in common, and neither have two biases or presets.
  const kind = ["bias", "preset", "scaling.type"].find((name) => meant.has(name) && own.get(name) !== meant.get(name));
  const isOfKind = (option: string) => kind !== "scaling.type" || option.startsWith("scaling.");
  return [...own].flatMap(([option, value]): t.OptionDifference[] => {
    const wanted = meant.get(option);
    const isKnown = meant.has(option) || /^(scaling\.|exponentDim$)/.test(option);
    if (!isKnown || value === "given" || wanted === "given" || (kind && option !== kind && isOfKind(option))) return [];
    if (!isList(value) || !isList(wanted))
      return isSame(value, wanted) || isObject(value) ? [] : [{ option, found: value, expected: wanted }];
    const at = Array.prototype.findIndex.call(value, (each, i) => !isSame(each, wanted[i]));
    if (at < 0 && value.length === wanted.length) return [];
    if (value.length <= shownValues) return [{ option, found: value, expected: wanted }];
    return [{ option: `${option}[${at}]`, found: value[at], expected: wanted[at] }];
  });
}

/** What differs, in a sentence; empty where nothing does. */
export function differsSentence(differs: readonly t.OptionDifference[], language: "en" | "zh"): string {
  const all = differs.map(({ option, found, expected }) => {
    const bare = option.replace(/^scaling\./, "");
    const words = bare.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const is = filled(names[option] ?? phrases[option] ?? [`${words} #`, `${bare} #`], found, language);
    const wanted = language === "en" ? `, expected ${shown(expected)}` : `，应为 ${shown(expected)}`;
    return expected === undefined ? is : is + wanted;
  });
  if (all.length === 0) return "";
  return language === "en" ? `What differs: ${all.join("; ")}.` : `不同之处：${all.join("；")}。`;
}
