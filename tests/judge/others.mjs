// Random cases of what is no rotation of a line: grids, biases, windows and ids, by plain loops of double numbers. Each
// kind has a state, the changes of it, and its values at a place: that of the sample, and one that tells more.

import { patterns, types } from "./computation.mjs";

const count = (n, of = (i) => i) => Array.from({ length: n }, (_, i) => of(i));
const other = (list, own) => list.filter((each) => each !== own);
const more = { "rotated-again": 0, "padding-skipped": 0, "padding-counted": 0 };
/** What is masked is compared as a number. */
const masked = -1e30;

/** Cells of a grid in the order of tokens; merged ones by blocks. */
function cellsOf(extents, merge = 1) {
  const all = count(extents.reduce((a, b) => a * b)).map((cell) => {
    const at = [];
    for (const extent of extents.toReversed()) {
      at.unshift(cell % extent);
      cell = Math.floor(cell / extent);
    }
    return at;
  });
  const block = ([y, x]) => [Math.floor(y / merge), Math.floor(x / merge), y % merge, x % merge];
  const order = (a, b) => block(a).reduce((done, each, i) => done || each - block(b)[i], 0);
  return merge === 1 ? all : all.toSorted(order);
}

/** Points of a grid, as a port counts them. */
function pointsOf(c, extents) {
  const cells = c.isTransposed ? cellsOf(extents.toReversed()).map((at) => at.toReversed()) : cellsOf(extents, c.merge);
  return cells.map((at) => c.order.map((axis) => at[axis] + c.start));
}

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [2, 1, 0],
];
/** Changes that grids have in common: names, and what they change. */
const ofGrids = (c, axes) => [
  ...other([100, 1000, 10000, 500000], c.base).map((base) => ["base", { base }]),
  ...other([0, 1, 2, 3], c.start).map((start) => ["first-position", { start }]),
  c.merge === 1 && ["cell-order", { isTransposed: true }],
  ...(axes === 2 ? [[1, 0]] : orders.slice(1)).map((order) => ["axes-order", { order }]),
];

function gridRotation(r) {
  const preset = r.pick(["qwen2-vl", "wan"]);
  const axes = preset === "wan" ? 3 : 2;
  const splits = axes === 3 ? [[8, 4, 4], [4, 6, 6]] : [[8, 8], [4, 12], [12, 4]]; // biome-ignore format: short
  const extents =
    axes === 3 ? [1 + r.below(3), 1 + r.below(4), 1 + r.below(4)] : [2 * r.below(3) + 2, 2 * r.below(3) + 2];
  const plan = {
    ...{ base: r.pick([10000, 10000, 1000]), dims: r.pick(splits), start: r.pick([0, 0, 1]), sign: 1 },
    ...{ merge: axes === 2 ? r.pick([1, 1, 2]) : 1, order: count(axes), isTransposed: false },
    layout: r.pick([preset === "wan" ? "interleaved" : "half", preset === "wan" ? "half" : "interleaved"]),
  };
  return {
    plan,
    changes: (c) => [
      ...ofGrids(c, axes),
      ["layout", { layout: c.layout === "half" ? "interleaved" : "half" }],
      ["sign", { sign: -1 }],
      // Of two axes only equal shares are listed.
      ...other(splits.slice(0, axes === 3 ? 2 : 1), c.dims).map((dims) => ["axis-dims", { dims }]),
      ...(axes === 2 ? [[0, 0], [1, 1]] : []).map((order) => ["axis-missing", { order }]), // biome-ignore format: short
    ],
    places: [extents, extents.map((extent) => 6 - (extent % 2))],
    inputs: 16,
    isNamed: true,
    values(c, place, before) {
      const after = Float64Array.from(before);
      after.parts = Float64Array.from(before, Math.abs);
      const pairs = c.dims.flatMap((dim, axis) => count(dim / 2, (i) => [axis, c.base ** ((-2 * i) / dim)]));
      for (const [token, point] of pointsOf(c, place).entries())
        for (const [i, [axis, rate]] of pairs.entries()) {
          const [a, b] = (c.layout === "half" ? [i, i + 8] : [2 * i, 2 * i + 1]).map((d) => 16 * token + d);
          const angle = c.sign * rate * point[axis];
          after[a] = before[a] * Math.cos(angle) - before[b] * Math.sin(angle);
          after[b] = before[a] * Math.sin(angle) + before[b] * Math.cos(angle);
          const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
          after.parts[a] = Math.abs(before[a]) * cos + Math.abs(before[b]) * sin;
          after.parts[b] = Math.abs(before[a]) * sin + Math.abs(before[b]) * cos;
        }
      return after;
    },
    expected: ({ base, dims, start, merge, layout }) => ({
      ...{ type: "rotaryGrid", preset, dim: 16, base, dims, start, layout, grid: extents },
      ...(preset === "qwen2-vl" && { mergeSize: merge }),
    }),
    samples: (tensor, after, before) => {
      const shape = [after.length / 16, 1, 16];
      return { before: tensor(before, shape), after: tensor(after, shape), seqAxis: 0 };
    },
  };
}

function gridTable(r) {
  const shape = [2 + r.below(4), 2 + r.below(5)];
  return {
    plan: { base: r.pick([10000, 1000]), start: r.pick([0, 0, 1]), order: [1, 0], isTransposed: false, merge: 1 },
    changes: (c) => ofGrids(c, 2).map(([name, values]) => [name, name === "axes-order" ? { order: [0, 1] } : values]),
    places: [shape, [7, 9]],
    values: (c, place) =>
      pointsOf(c, place).flatMap((point) =>
        point.flatMap((x) => [Math.sin, Math.cos].flatMap((f) => count(4, (i) => f(x * c.base ** (-i / 4))))),
      ),
    expected: ({ base, start, order }) => ({
      ...{ type: "sinusoidalGrid", preset: "mae", shape, dim: 16, base, start },
      axes: order[0] === 1 ? "last-first" : "first-first",
    }),
    samples: (tensor, table) => ({ table: tensor(table, [table.length / 16, 16]) }),
  };
}

/** Values of heads at distances of keys from queries. */
const matrixOf = ({ heads, queries, keys, first }, value) =>
  count(heads).flatMap((head) =>
    count(queries).flatMap((query) => count(keys, (key) => value(head, key - query - first))),
  );
const ofMatrices = (c) => [
  ["sign", { sign: -1 }],
  ["causal", { isCausal: !c.isCausal }],
  ...[-1, 1].map((off) => ["first-position", { off }]),
];
const asBias = (place) => (tensor, bias) => ({
  bias: tensor(
    bias.map((x) => (x === masked ? Number.NEGATIVE_INFINITY : x)),
    [place.heads, place.queries, place.keys],
  ),
  firstQuery: place.first,
});
const biasAt = (c, place, value) =>
  matrixOf(place, (head, d) => (c.isCausal && d > 0 ? masked : c.sign * c.factor * value(head, d - c.off)));
const placeOf = (r, heads) => {
  const queries = 1 + r.below(5);
  return { heads, queries, keys: queries + r.below(24), first: r.below(6) };
};

const slopeExponents = {
  paper: (heads, steepness) => {
    const power = 2 ** Math.floor(Math.log2(heads));
    const of = (n, from, step) => count(n, (i) => (steepness * (from + step * i)) / (step * power));
    return [...of(power, 1, 1), ...of(heads - power, 1, 2)];
  },
  mpt: (heads, steepness) => {
    const all = 2 ** Math.ceil(Math.log2(heads));
    const exponents = count(all, (i) => (steepness * (i + 1)) / all);
    if (all === heads) return exponents;
    return [1, 0].flatMap((from) => exponents.filter((_, i) => i % 2 === from)).slice(0, heads);
  },
  geometric: (heads, steepness) => count(heads, (i) => (steepness * (i + 1)) / heads),
};

function alibi(r) {
  const place = placeOf(r, r.pick([4, 8, 12]));
  const plan = { slopes: r.pick(["paper", "mpt"]), steepness: 8, factor: 1, sign: 1 };
  return {
    plan: { ...plan, distance: r.pick(["symmetric", "linear"]), isCausal: r.chance(0.3), off: 0 },
    changes: (c) => [
      ...ofMatrices(c),
      ...other(["paper", "mpt", "geometric"], c.slopes).map((slopes) => ["slopes", { slopes }]),
      ...[4, 16].map((steepness) => ["slopes", { steepness }]),
      // Slopes of other heads: of powers of two, the same as a factor.
      ...[-2, -1, 1, 2, 3, 6].map((from) => ["slopes", { from }]),
      ...other(["symmetric", "linear", "causal"], c.distance).map((distance) => ["distance", { distance }]),
      ...[0.5, 2, 1 / 8].map((factor) => ["factor-other", { factor }]),
    ],
    places: [place, { heads: place.heads, queries: 40, keys: 40, first: 0 }],
    values: (c, at) => {
      const slopes =
        c.list ??
        slopeExponents[c.slopes](at.heads, c.steepness).map(
          (each) => 2 ** -(each + ((c.from ?? 0) * c.steepness) / at.heads),
        );
      const reach = { symmetric: (d) => -Math.abs(d), linear: (d) => d, causal: (d) => Math.min(d, 0) }[c.distance];
      return biasAt(c, at, (head, d) => slopes[head] * reach(d));
    },
    expected: ({ slopes, distance, isCausal }) => ({ type: "alibi", slopes, distance, causal: isCausal }),
    samples: asBias(place),
    // Slopes of powers of two are the same by a factor, or as those of other heads: what was found is computed.
    foundOf: (c, { slopes: list, distance, causal, firstQuery }) => ({
      ...{ ...c, list, isCausal: causal, off: firstQuery - place.first, sign: 1, factor: 1 },
      distance: distance === undefined ? c.distance : distance === "flat" ? "causal" : distance,
    }),
  };
}

function bucketOf(d, { buckets, most, isBoth }) {
  const n = isBoth ? buckets / 2 : buckets;
  const first = isBoth && d > 0 ? n : 0;
  const x = isBoth ? Math.abs(d) : Math.max(-d, 0);
  const exact = n / 2;
  if (x < exact) return first + x;
  return (
    first + Math.min(n - 1, exact + Math.floor((Math.log(x / exact) / Math.log(most / exact)) * (n - exact) + 1e-12))
  );
}

function t5(r) {
  const place = placeOf(r, 2);
  const table = Float32Array.from({ length: 64 }, () => r.normal());
  const plan = {
    buckets: 32,
    most: r.pick([20, 64, 128]),
    isBoth: r.chance(0.5),
    factor: 1,
    sign: 1,
    isExchanged: false,
  };
  return {
    plan: { ...plan, isCausal: r.chance(0.2), off: 0 },
    changes: (c) => [
      ...ofMatrices(c).filter(([name]) => name !== "sign"),
      ...other([20, 64, 128, 256], c.most).map((most) => ["buckets", { most }]),
      ["buckets", { buckets: 16 }],
      ["buckets", { isBoth: !c.isBoth }],
      ["sign", { isExchanged: true }],
      ["positions-constant", { isConstant: true }],
      ["sign", { sign: -1 }],
      ...[0.5, 2, 1 / 8].map((factor) => ["amplitude", { factor }]),
    ],
    places: [place, { heads: 2, queries: 150, keys: 150, first: 0 }],
    values: (c, at) =>
      biasAt(c, at, (head, d) => table[2 * bucketOf(c.isConstant ? 0 : c.isExchanged ? -d : d, c) + head]),
    expected: ({ buckets, most, isBoth, isCausal }) => ({
      ...{ type: "t5", table: { data: table, shape: [32, 2] }, buckets, maxDistance: most, bidirectional: isBoth },
      causal: isCausal,
    }),
    samples: asBias(place),
  };
}

/** Its parameters are estimated, since JavaScript has no expectation of it. */
function kerple(r) {
  const place = placeOf(r, 2);
  const plan = { isPower: r.chance(0.5), sign: 1, factor: 1, isCausal: false, off: 0 };
  const rates = count(2, () => [0.2 + r.next(), 0.3 + 1.5 * r.next()]);
  return {
    plan,
    changes: () => [],
    places: [place, place],
    values: (c, at) =>
      biasAt(c, at, (head, d) => {
        const [r1, r2] = rates[head];
        return -r1 * (c.isPower ? Math.abs(d) ** r2 : Math.log1p(r2 * Math.abs(d)));
      }),
    samples: asBias(place),
  };
}

/** The row of a window's table for each pair of patches. */
function windowIds(c, extents) {
  const of = c.extents ?? (c.isReversed ? extents.toReversed() : extents);
  const cells = cellsOf(of);
  const [, w] = of;
  const tokens = c.isTransposed ? cellsOf(of.toReversed()).map((at) => at.toReversed()) : cells;
  return tokens.flatMap(([y, x]) =>
    tokens.map(([v, u]) =>
      c.isConstant ? (of[0] - 1) * (2 * w - 1) + w - 1 : (y - v + of[0] - 1) * (2 * w - 1) + x - u + w - 1,
    ),
  );
}
const ofWindows = ([h, w]) => [
  h !== w && ["axes-order", { isReversed: true }],
  ["axes-order", { isReversed: true, isTransposed: true }],
  ["cell-order", { isTransposed: true }],
  ["positions-constant", { isConstant: true }],
  (h * w) % 2 === 0 && h !== 2 && w !== 2 && ["buckets", { extents: [2, (h * w) / 2] }],
];

function swinIndex(r) {
  const window = [1 + r.below(4), 2 + r.below(4)];
  return {
    plan: {},
    changes: () => ofWindows(window),
    places: [window, window],
    isWhole: true,
    isNamed: true,
    values: windowIds,
    expected: () => ({ type: "swinIndex", height: window[0], width: window[1] }),
    samples: (_, ids) => ({ ids: { data: Float64Array.from(ids), shape: [ids.length] } }),
  };
}

function swinBias(r) {
  const window = [1 + r.below(4), 2 + r.below(4)];
  const [n, rows] = [window[0] * window[1], (2 * window[0] - 1) * (2 * window[1] - 1)];
  const table = Float32Array.from({ length: 2 * rows }, () => r.normal());
  return {
    plan: { factor: 1 },
    changes: () => [
      ["sign", { factor: -1 }],
      ["amplitude", { factor: 0.5 }],
      ["amplitude", { factor: 2 }],
    ],
    places: [window, window],
    values: (c, at) => [0, 1].flatMap((head) => windowIds(c, at).map((id) => c.factor * table[2 * id + head])),
    expected: () => ({
      type: "swinBias",
      height: window[0],
      width: window[1],
      table: { data: table, shape: [rows, 2] },
    }),
    samples: (tensor, bias) => ({ bias: tensor(bias, [2, n, n]) }),
  };
}

/** Ids of text and images as Qwen2-VL counts them, [3, tokens]. */
function mropeIds(r) {
  const segments = count(1 + r.below(4), () =>
    r.chance(0.5) ? { text: 1 + r.below(6) } : { image: [1, 2 + 2 * r.below(3), 2 + 2 * r.below(3)] },
  );
  const longer = [{ text: 3 }, { image: [1, 4, 8] }, { text: 2 }, { image: [1, 6, 2] }, { text: 2 }];
  return {
    plan: { axes: [0, 1, 2], off: 0, isCounted: false },
    changes: () => [
      ["axes-order", { axes: [0, 2, 1] }],
      ["axis-missing", { axes: [0, 0, 0] }],
      ["axis-missing", { isCounted: true }],
      ...[-7, 1, 2].map((off) => ["first-position", { off }]),
    ],
    places: [segments, longer],
    isWhole: true,
    values(c, all) {
      const tokens = [];
      let start = 0;
      for (const { text, image } of all) {
        if (text) for (let i = 0; i < text; ++i, ++start) tokens.push([start, start, start]);
        else {
          const [h, w] = [image[1] / 2, image[2] / 2];
          for (const [y, x] of cellsOf([h, w])) tokens.push([start, start + y, start + x]);
          start += Math.max(h, w);
        }
      }
      return c.axes.flatMap((axis) => tokens.map((token, i) => (c.isCounted ? i : token[axis]) + c.off));
    },
    expected: () => ({ type: "ids", preset: "qwen2-vl" }),
    samples: (_, ids) => ({
      ids: { data: Float64Array.from(ids), shape: [3, ids.length / 3] },
      segments,
      mergeSize: 2,
    }),
  };
}

const kinds = {
  ...{ "grid rotation": gridRotation, "grid table": gridTable, ALiBi: alibi, "T5's table": t5, KERPLE: kerple },
  ...{ "Swin's bias": swinBias, "Swin's index": swinIndex, "M-RoPE ids": mropeIds },
};

/** As expected, each change, and pairs of changes of different options: { names, c }. */
function alternativesOf({ changes }, meant) {
  const singles = changes(meant).filter(Boolean);
  const made = [
    { names: [], c: meant },
    ...singles.map(([name, values]) => ({ names: [name], c: { ...meant, ...values } })),
  ];
  for (const [i, [a, first]] of singles.entries())
    for (const [b, then] of singles.slice(i + 1))
      if (!Object.keys(first).some((key) => key in then))
        made.push({ names: [...new Set([a, b])].toSorted(), c: { ...meant, ...first, ...then } });
  return made;
}

/** The case of a seed, as that of ./generator.mjs has it; `judge` says why an answer is wrong. */
export function otherCase(r, { inputsBy, tensorOf }) {
  const kind = r.pick(Object.keys(kinds));
  const own = kinds[kind](r);
  const type = own.isWhole ? "float64" : r.weighted({ float32: 5, bfloat16: 3, float16: 1.5, float64: 1 });
  const { round, unit, least } = types[type];
  const inputs = own.inputs ? r.pick(Object.keys(inputsBy)) : "none";
  const inputAt = own.inputs && inputsBy[inputs](r, own.inputs);
  const of = (place) =>
    own.inputs ? Float64Array.from(count(place.reduce((a, b) => a * b) * 16), (at) => round(inputAt(at))) : undefined;
  const [place, elsewhere] = own.places;
  const [before, anywhere] = [
    of(place),
    own.inputs && Float64Array.from({ length: 16 * 250 }, (_, i) => Math.sin(i * i)),
  ];
  const all = alternativesOf(own, own.plan);
  const valuesOf = (each) => (each.values ??= own.values(each.c, place, before));
  const farOf = (each) =>
    (each.far ??= own.values(
      each.c,
      elsewhere,
      anywhere?.subarray(0, 16 * (own.inputs ? elsewhere.reduce((a, b) => a * b) : 0)),
    ));
  let way = r.weighted({ right: 2, single: 4, pair: 2, damage: 2 });
  const done =
    r.pick(all.filter(({ names }) => names.length === { right: 0, single: 1, pair: 2, damage: 0 }[way])) ?? all[0];
  if (way !== "damage") way = ["right", "single", "pair"][done.names.length];
  const exact = valuesOf(done);
  const after = Float64Array.from(exact, (x) => (x === masked ? x : round(x)));
  const size = Math.max(...exact.map((x) => (x === masked ? 0 : Math.abs(x))), own.isWhole ? 1 : 1e-3);
  if (way === "damage") {
    const at = r.below(after.length);
    if (after[at] === masked) after[at] = 0;
    else after[at] = round(after[at] + (own.isWhole ? 1 : size * Math.max(64 * unit, 2 ** -10) * 2 ** r.below(6)));
  }
  // Angles of float32 and their sines, products and their sum; those of biases are rounded relatively, to less.
  const off = (x, by, parts) =>
    by * unit * Math.abs(x) +
    2 * least +
    (own.isWhole ? 0 : by * 2 ** -22 * (before ? size : Math.abs(x))) +
    (kind === "grid table" ? by * 2 ** -21 : 0) +
    (before ? by * unit * parts : 0);
  /** By how much a row's first value is off, where a constant of each row is open. */
  const constantOf = (all, others, i, keys) => all[i - (i % keys)] - others[i - (i % keys)];
  const explains = (each, by, upToRows = false) =>
    valuesOf(each).every((x, i, all) => {
      const constant = upToRows ? constantOf(after, all, i, place.keys) : 0;
      const most = off(Math.max(Math.abs(x), Math.abs(constant)), by, all.parts?.[i]);
      const isNear = x !== masked && after[i] !== masked && Math.abs(after[i] - constant - x) <= most;
      return after[i] === x || isNear;
    });
  const differs = (a, b, upToRows = false) =>
    farOf(a).some((x, i, all) => {
      const constant = upToRows ? constantOf(farOf(b), all, i, elsewhere.keys) : 0;
      const size = Math.max(Math.abs(x), Math.abs(constant), before || kind === "grid table" ? 1 : 0);
      return Math.abs(x - farOf(b)[i] + constant) > 1e-4 * size;
    });
  const isNamed = own.expected !== undefined && (own.isNamed || r.chance(0.85));
  const find = (mistakes) => all.filter(({ names }) => names.join() === mistakes.toSorted().join());
  const truth = way === "damage" ? undefined : done;

  function judge({ verdict, explanations: [first] }) {
    if (!isNamed)
      return verdict === "certain" && !truth ? { reason: "w2", text: "certain, but one value was moved" } : null;
    if (verdict === "none")
      return truth ? { reason: "w6", text: `none, but was ${truth.names.join(" + ") || "as expected"}` } : null;
    if (verdict !== "certain") return null;
    const says = first.mistakes.join(" + ") || "as expected";
    // What this judge has no list of: other presets, and ids as positions of tokens.
    if (
      first.mistakes.some(
        (name) =>
          name === "scaling-other" ||
          name === "time-rule" ||
          (kind === "M-RoPE ids" && (name in patterns || name in more)),
      )
    )
      return null;
    const { upToRows } = first.found;
    const computed = own.foundOf && !upToRows && [{ c: own.foundOf(own.plan, first.found) }];
    const found = (computed || find(first.mistakes)).filter((each) => explains(each, 8, upToRows));
    const was = truth ? truth.names.join(" + ") || "as expected" : "damaged";
    if (found.length === 0)
      return { reason: first.mistakes.length === 0 ? "w3" : "w2", text: `certain ${says}, but was ${was}` };
    if (truth && found.every((each) => differs(each, truth, upToRows)))
      return { reason: "w4", text: `certain ${says}, but was ${was}` };
    const rival = all.find((each) => explains(each, 1) && found.every((one) => differs(one, each, upToRows)));
    return rival
      ? {
          reason: "w1",
          text: `certain ${says}, but ${rival.names.join(" + ") || "as expected"} explains every value as well`,
        }
      : null;
  }
  const names = (answer) =>
    answer.explanations.some(({ mistakes }) =>
      find(mistakes).some((each) => explains(each, 8) && !differs(each, truth)),
    );
  const asTensor = (numbers, shape) => tensorOf(type, own.inputs ? "bits" : "stated", numbers, shape);
  const side = place.includes?.(1) ? "a side of one cell" : "a grid";
  return {
    ...{ kind, type, inputs, place, plan: own.plan, done, judge },
    way: isNamed ? way : `${way}, nothing expected`,
    expected: isNamed ? own.expected(own.plan) : undefined,
    samples: own.samples(asTensor, after, before),
    isNamed: (answer) => Boolean(truth) && names(answer),
    where: kind.startsWith("grid") ? side : undefined,
  };
}
