// What may have been done in place of what was meant: the judge's own list of mistakes, and the family of what could
// have been meant.

import { changed, changesRates, gainOf, patterns } from "./computation.mjs";

const yarn = (factor, originalLength, more) => ({ type: "yarn", factor, originalLength, ...more });
const llama3 = (factor) => ({ type: "llama3", factor, originalLength: 8192 });
const linear = (factor) => ({ type: "linear", factor });
const phi3 = (pairs) => ({
  ...{ type: "longrope", factor: 32, originalLength: 4096 },
  shortFactor: Array.from({ length: pairs }, (_, i) => 1 + 0.0125 * (i - (i % 3))),
  longFactor: Array.from({ length: pairs }, (_, i) => 1.08 + 0.03 * i + 0.0245 * i * i),
});
const plain = { type: "default" };
const deepseek = 707 / 1000;

const ntk = (factor) => ({ type: "ntk", factor });
const dynamic = (factor) => ({ type: "dynamic", factor, originalLength: 2048 });

/** Numbers of published models: base, rule, the share of dimensions that rotate, length; another layer's base. */
export const models = [
  ...[1000, 10000, 50000, 500000, 1e6, 5e6, 8e6, 1e7, 1e8].map((base) => ({ base })),
  ...[0.25, 0.5].flatMap((share) => ["half", "interleaved"].map((layout) => ({ base: 10000 / share, share, layout }))),
  ...[llama3(8), llama3(32), yarn(8, 8192, { attentionFactor: 1.2079441541679836 })].map((rule) => ({
    base: 500000,
    rule,
  })),
  ...[llama3(16), yarn(4, 32768), yarn(4, 40960), linear(8)].map((rule) => ({ base: 1e6, rule })),
  { base: 1e6, rule: yarn(16, 16384, { mscale: 1, mscaleAllDim: 1 }) },
  ...[4096, 131072].map((length) => ({ base: 10000, rule: phi3, length })),
  ...[deepseek, 1].map((mscale) => ({ base: 10000, rule: yarn(40, 4096, { mscale, mscaleAllDim: deepseek }) })),
  { base: 10000, rule: yarn(40, 4096, { mscale: 1, mscaleAllDim: 1 }), layout: "interleaved", atEnd: true, share: 0.5 },
  { base: 160000, rule: yarn(16, 65536), other: { base: 10000, rule: plain } },
  { base: 10000, other: { base: 1e6, rule: linear(8) } },
  { base: 160000, other: { base: 10000, rule: plain } },
  { base: 1e6, rule: { type: "proportional", fraction: 0.25 } },
  { base: 150000, rule: yarn(32, 4096, { truncate: false }) },
  { base: 500000, rule: yarn(32, 4096, { attentionFactor: 1 }), share: 0.5 },
  ...[ntk(4), ntk(1000), linear(4)].map((rule) => ({ base: 10000, rule })),
  ...[dynamic(2), dynamic(4)].map((rule, i) => ({ base: 10000, rule, length: [8192, 2048][i] })),
  { base: 1e6, sections: true, order: "chunked" },
  { base: 5e6, sections: true, order: "interleaved" },
  { base: 500000, sections: true, order: "time-last", layout: "interleaved" },
];

export const usualBases = [10000, 500000, 1000000, 5000000, 150000, 160000, 100000, 8000000, 10000000, 1000, 100];

/** The axis of each pair, by the sections and their order. */
export function axesOf([s0, s1, s2], order, pairs) {
  return Array.from({ length: pairs }, (_, i) => {
    if (order === "chunked") return i < s0 ? 0 : i < s0 + s1 ? 1 : 2;
    if (order === "time-last") return i < s1 + s2 ? 1 + (i % 2) : 0;
    return i % 3 === 1 && i < 3 * s1 ? 1 : i % 3 === 2 && i < 3 * s2 ? 2 : 0;
  });
}

const other = { half: "interleaved", interleaved: "half" };

/** Each has a name, the part that it changes, and values of the computation, or nothing where it is none. */
const every = {
  dims(c) {
    const [reads, writes] = [other[c.reads], other[c.writes]];
    const place = c.first === 0 ? c.dim - c.rotaryDim : 0;
    const whole = { rotaryDim: c.dim, first: 0, denominator: c.dim, axes: undefined };
    const half = { rotaryDim: c.rotaryDim / 2, denominator: c.rotaryDim / 2, first: c.first };
    const isOneAxis = !c.axes && (c.rule.type === "default" || c.rule.type === "linear");
    return [
      c.rotaryDim > 2 && ["layout", { reads, writes }],
      c.rotaryDim > 2 && ["permuted", { writes }],
      c.rotaryDim > 2 && ["permuted", { reads }],
      place !== c.first && ["first-dim", { first: place }],
      c.rotaryDim < c.dim && isOneAxis && ["rotary-dim", whole],
      c.rotaryDim % 4 === 0 && c.rotaryDim === c.dim && isOneAxis && ["rotary-dim", half],
    ];
  },
  arrangement: (c) =>
    Object.keys({ half: 0, interleaved: 0, "sines-first": 0, "sines-first-interleaved": 0 }).map(
      (writes) => writes !== c.writes && ["arrangement", { writes }],
    ),
  amplitude: (c) => [Math.sqrt(c.dim), 0.5, 2].map((amplitude) => ["amplitude", { amplitude }]),
  padding: (c, { first }) => [["padding-row", { padding: c.padding === undefined ? first : undefined }]],
  exponent: (c) =>
    [
      [2 * c.denominator, "exponent-doubled"],
      [c.denominator / 2, "exponent-halved"],
      [c.denominator - 2, "exponent-half-minus-one"],
      [c.dim, "exponent-head-dim"],
    ].map(
      // NTK's power is of d / (d - 2).
      ([denominator, name]) =>
        denominator >= (/ntk|dynamic/.test(c.rule.type) ? 3 : 2) &&
        denominator !== c.denominator && [name, { denominator }],
    ),
  base: (c) => usualBases.map((base) => base !== c.base && ["base", { base }]),
  others: (_, { others = [] }) =>
    others.flatMap((plan) => [
      ["other-layers", plan],
      ["other-layers", { base: plan.base }],
    ]),
  rule({ rule, length, scale }) {
    if (rule.type === "default") return [];
    const { type, factor = 1, originalLength } = rule;
    const of = (own, more = {}) => ["scaling-other", { rule: own, ...more }];
    return [
      ["scaling-missing", { rule: plain }],
      type === "linear" && ["scaling-twice", { rule: linear(factor ** 2) }],
      type !== "linear" && factor !== 1 && ["scaling-twice", { scale: scale / factor }],
      type === "yarn" && of({ ...rule, truncate: rule.truncate === false }),
      type === "longrope" && of(rule, { length: length > originalLength ? originalLength : originalLength + 1 }),
      type !== "linear" && factor !== 1 && of(linear(factor)),
      type !== "ntk" && factor !== 1 && of(ntk(factor)),
      type !== "yarn" && factor !== 1 && originalLength && of(yarn(factor, originalLength)),
      type !== "llama3" && factor !== 1 && originalLength && of({ ...llama3(factor), originalLength }),
    ];
  },
  reciprocal: () => [["reciprocal", { reciprocal: true }]],
  stored: () => ["float16", "bfloat16"].map((type) => [`frequencies-${type}`, { stored: type }]),
  factor: (c) =>
    gainOf(c) === 1 && c.rule.attentionFactor === undefined
      ? []
      : [
          ["factor-missing", { gain: 1 }],
          ["factor-twice", { gain: undefined, power: 2 }],
          ["factor-default", { gain: undefined, isStandard: true }],
        ],
  sign: (c) => [["sign", { inverse: !c.inverse }]],
  exchanged: () => [["exchanged", { exchanged: true }]],
  first: ({ offset }) =>
    [1, -1]
      .map((by) => ["first-position", { offset: offset + by }])
      .concat(offset === 0 ? [] : [["first-position", { offset: 0 }]]),
  scale: ({ scale, rule }) =>
    [...new Set([0.5, 0.25, 0.125, 2, rule.factor ?? 1, 1 / scale])].map(
      (by) => by !== 1 && ["position-scale", { scale: scale * by }],
    ),
  // Positions and angles beyond 65504 are no numbers of float16.
  arithmetic: (c, { positions = [] }) =>
    [
      ...(positions.flat().some((p) => p > 3e4) ? [] : ["float16"]),
      "bfloat16",
      ...(c.isFree ? [] : ["exact", "float32", "product"]),
    ].map((arithmetic) => arithmetic !== c.arithmetic && [`angles-${arithmetic}`, { arithmetic, isFree: false }]),
  table: () => ["float16", "bfloat16"].map((type) => [`cosines-${type}`, { table: type }]),
  rows: () => [["sine-rows", { sineRow: 1 }]],
  tokens: (_, { positions = [] }) =>
    ["positions-reversed", "counted-on", "token-indices"].map((name) => {
      const pattern = patterns[name]();
      const isSeen = positions.some((list) => pattern(list).some((p, t) => p !== list[t]));
      return isSeen && [name, { pattern }];
    }),
  heads: (_, { heads = 1, first = 0 }) =>
    heads < 2 ? [] : [...new Set([0, first])].map((byHead) => ["sequence-axis", { byHead }]),
  axes({ axes, rotaryDim, sections, order }) {
    if (!axes) return [];
    const of = (own, place) => axesOf(own, place, rotaryDim / 2);
    return [
      ...[0, 1, 2].map((axis) => ["axis-missing", { axes: axes.map(() => axis) }]),
      ["axes-order", { axes: axes.map((axis) => [0, 2, 1][axis]) }],
      ["axes-order", { axes: axes.map((axis) => 2 - axis) }],
      ...["chunked", "interleaved", "time-last"].map(
        (place) =>
          place !== order &&
          (place !== "time-last" || sections[1] === sections[2]) && ["section-order", { axes: of(sections, place) }],
      ),
    ];
  },
};

const frequencyParts = ["exponent", "base", "others", "rule", "reciprocal", "stored"];
const angleParts = ["sign", "exchanged", "first", "scale", "arithmetic"];
const rotationParts = [...frequencyParts, "factor", ...angleParts, "table", "rows", "tokens"];
/** The parts of each kind of samples that may be changed. */
const partsOf = {
  vectors: ["dims", ...rotationParts, "heads", "axes"],
  cache: [...rotationParts, "axes"],
  table: ["arrangement", "amplitude", "padding", "exponent", "base", "reciprocal", ...angleParts, "tokens"],
  frequencies: [...frequencyParts.filter((part) => part !== "others"), "sign"],
};

/** Lists the changes of a computation: { name, part, made }. `facts` are of the sample: positions, heads, first, others. */
export const changesOf = (c, kind, facts) =>
  partsOf[kind].flatMap((part) =>
    every[part](c, facts)
      .filter(Boolean)
      .map(([name, values]) => ({ name, part, values, made: changed(c, values) })),
  );

const isRule = (rule) => typeof rule === "object" && rule.type !== "longrope";

/** What could have been meant in place of a computation: numbers of known models, or their rule alone. */
export const familyOf = (c, kind) =>
  models.flatMap(({ base, rule = plain, length = 0, sections }) => {
    if (sections || !isRule(rule) || (kind === "table" && rule !== plain)) return [];
    const bases = rule.type === c.rule.type ? new Set([base, c.base]) : [base];
    return [...bases].map((own) => changed(c, { base: own, rule, length, gain: undefined }));
  });

/** Pairs of changes of different parts of a computation, one after the other. */
export function* pairsOf(singles) {
  for (let i = 0; i < singles.length; ++i)
    for (let k = i + 1; k < singles.length; ++k) {
      const [a, b] = [singles[i], singles[k]];
      const parts = [a.part, b.part];
      const isOfPositions = parts.includes("tokens") && (parts.includes("first") || parts.includes("scale"));
      if (a.part === b.part || isOfPositions || Object.keys(a.values).some((key) => key in b.values)) continue;
      const [first, then] = changesRates(b.values) ? [b, a] : [a, b];
      yield { names: [a.name, b.name], made: changed(first.made, then.values) };
    }
}
