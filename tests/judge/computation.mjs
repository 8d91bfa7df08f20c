// What an implementation does to vectors, caches, tables and frequencies, in plain doubles: nothing of the library is
// used. Doubles suffice to positions of some 10^6.

const wordsOf = new Uint32Array(2);
const asDouble = new Float64Array(wordsOf.buffer);
const powers = Float64Array.from({ length: 1400 }, (_, i) => 2 ** (i - 700));

/** Rounds to nearest, ties to even, to so many significant bits, or to multiples of 2^least. */
const rounder = (digits, least) => (x) => {
  if (x === 0) return x;
  asDouble[0] = x;
  const step = Math.max(((wordsOf[1] >>> 20) & 0x7ff) - 1022 - digits, least);
  const shift = 1.5 * powers[step + 752];
  return x + shift - shift;
};

const half = rounder(11, -24);
/** Types of numbers: one rounding moves a number by at most `unit` of it, or by `least`. */
export const types = {
  float64: { unit: 2 ** -53, least: 0, round: (x) => x },
  float32: { unit: 2 ** -24, least: 2 ** -150, round: Math.fround },
  float16: { unit: 2 ** -11, least: 2 ** -25, round: (x) => (Math.abs(x) < 65520 ? half(x) : Number.NaN) },
  bfloat16: { unit: 2 ** -8, least: 2 ** -134, round: rounder(8, -133) },
};
const isFine = (type) => type === "float32" || type === "float64";

/** The bits of numbers that a type of 16 bits has. */
export function bitsOf(dtype, numbers) {
  const words = new Uint32Array(Float32Array.from(numbers).buffer);
  if (dtype === "bfloat16") return Uint16Array.from(words, (word) => word >>> 16);
  return Uint16Array.from(words, (word, i) => {
    const [sign, exponent] = [(word >>> 16) & 0x8000, ((word >>> 23) & 255) - 112];
    if (exponent <= 0) return sign | Math.round(Math.abs(numbers[i]) * 2 ** 24);
    return sign | (exponent << 10) | ((word >>> 13) & 0x3ff);
  });
}

/**
 * A computation in all its parts. Dimensions: `dim` of a head, of which `rotaryDim` from `first` on rotate; pairs are
 * read and written in a layout. Frequencies: base, `denominator` of the exponent, `rule`, `length`, `reciprocal`, the
 * type that `stored` them. Angles: `offset`, `scale`, `arithmetic` (`isFree`: float32 is as right as exact), `inverse`,
 * `exchanged`, `sineRow` rows on for sines. `gain`: the attention factor, that of the rule where it is left out, to the
 * `power`; `table`: the type of cosines and sines. `axes`: the axis of each pair; `pattern` of the positions of tokens.
 */
export function computation(plan) {
  const { rotaryDim = plan.dim } = plan;
  return {
    ...{ first: 0, base: 10000, denominator: rotaryDim, rule: { type: "default" }, length: 0, reciprocal: false },
    ...{ reads: "half", writes: "half", stored: undefined, offset: 0, scale: 1, arithmetic: "exact", isFree: true },
    ...{ inverse: false, exchanged: false, sineRow: 0, gain: undefined, power: 1, isStandard: false, table: undefined },
    ...{ axes: undefined, pattern: undefined, byHead: undefined, padding: undefined, lets: undefined, amplitude: 1 },
    ...plan,
    rotaryDim,
    rates: undefined,
    ownGain: undefined,
    ladder: undefined,
  };
}

const ofRates = ["base", "denominator", "rule", "rotaryDim", "length"];
const ofGain = ["rule", "gain", "power", "isStandard", "amplitude"];

/** The same with other values; frequencies are computed anew only where they may differ. */
export function changed(c, values) {
  const made = { ...c, ...values, ladder: undefined };
  if (changesRates(values)) made.rates = undefined;
  if (ofGain.some((key) => key in values)) made.ownGain = undefined;
  return made;
}

/** Whether frequencies have to be computed anew. */
export const changesRates = (values) => ofRates.some((key) => key in values);

const clamp = (x) => Math.max(0, Math.min(1, x));

/** Frequency i by its rule. */
function scaled(c, i) {
  const { rule, base, denominator: d } = c;
  const at = (theta) => theta ** ((-2 * i) / d);
  const plain = at(base);
  switch (rule.type) {
    case "linear":
      return plain / rule.factor;
    case "ntk":
      return at(base * rule.factor ** (d / (d - 2)));
    case "dynamic": {
      const longer = Math.max(c.length, rule.originalLength) / rule.originalLength;
      return at(base * (rule.factor * longer - (rule.factor - 1)) ** (d / (d - 2)));
    }
    case "yarn": {
      const { betaFast = 32, betaSlow = 1, truncate = true, originalLength } = rule;
      const index = (cycles) => (d * Math.log(originalLength / (cycles * 2 * Math.PI))) / (2 * Math.log(base));
      const [from, to] = [index(betaFast), index(betaSlow)];
      const low = Math.max(truncate ? Math.floor(from) : from, 0);
      const high = Math.min(truncate ? Math.ceil(to) : to, d - 1);
      const ramp = clamp((i - low) / (high === low ? 0.001 : high - low));
      return (plain / rule.factor) * ramp + plain * (1 - ramp);
    }
    case "llama3": {
      const { lowFrequencyFactor: low = 1, highFrequencyFactor: high = 4 } = rule;
      const smooth = clamp(((rule.originalLength * plain) / (2 * Math.PI) - low) / (high - low));
      return ((1 - smooth) * plain) / rule.factor + smooth * plain;
    }
    case "longrope":
      return plain / (c.length > rule.originalLength ? rule.longFactor : rule.shortFactor)[i];
    case "proportional":
      return i < Math.floor(((rule.fraction ?? 1) * c.rotaryDim) / 2) ? plain / (rule.factor ?? 1) : 0;
    case "given":
      return rule.frequencies[i];
    default:
      return plain;
  }
}

/** A frequency in radians a position, before it is stored. */
export function rateOf(c, i) {
  c.rates ??= new Float64Array(c.rotaryDim / 2).fill(Number.NaN);
  let rate = c.rates[i];
  if (Number.isNaN(rate)) rate = c.rates[i] = scaled(c, i);
  return c.reciprocal && rate !== 0 ? 1 / rate : rate;
}

/** The attention factor, by the rule or as it was changed, times the amplitude of a table. */
export function gainOf(c) {
  if (c.ownGain !== undefined) return c.ownGain;
  const { type, factor, originalLength, attentionFactor, mscale, mscaleAllDim } = c.rule;
  const g = (m) => (factor <= 1 ? 1 : 0.1 * m * Math.log(factor) + 1);
  let own = 1;
  if (attentionFactor !== undefined && !c.isStandard) own = attentionFactor;
  else if (type === "yarn") own = mscale && mscaleAllDim && !c.isStandard ? g(mscale) / g(mscaleAllDim) : g(1);
  else if (type === "longrope" && factor > 1) own = Math.sqrt(1 + Math.log(factor) / Math.log(originalLength));
  c.ownGain = (c.gain ?? own ** c.power) * c.amplitude;
  return c.ownGain;
}

/** What `turn` leaves here: cosine and sine, each times the factor, and by how much they may be off. */
export const turned = { cos: 0, sin: 0, slack: 0 };
let slack = 0;

/** An angle; `slack` is by how much another right one may differ. Loosely, numbers may round to either side. */
function angleOf(c, i, position, isLoose) {
  const own = rateOf(c, i);
  let rate = own;
  slack = 2 ** -51 * Math.abs(position * own);
  if (c.stored) {
    const { round } = types[c.stored];
    rate = round(own);
    if (isLoose) slack += (round(own * (1 + 2 ** -21)) - round(own * (1 - 2 ** -21))) * Math.abs(position);
  }
  // Strictly it is the power's own exponent that is rounded, and not what a rule divides it by; NTK changes the base.
  const isPower = isLoose || /ntk|dynamic/.test(c.rule.type);
  const exponent = isPower ? Math.log(Math.abs(rate)) : ((2 * i) / c.denominator) * Math.log(c.base);
  const error = rate === 0 ? 0 : 2 ** -24 * (9 + 2 * Math.abs(exponent)) * Math.abs(position * rate);
  if (c.isFree || (isLoose && c.arithmetic !== "exact")) slack += error;
  if (c.arithmetic === "exact") return position * rate;
  if (c.arithmetic === "float32") return Math.fround(Math.fround(position) * Math.fround(rate));
  if (c.arithmetic === "product") {
    const step = Math.fround(c.base ** (-2 / c.denominator));
    let angle = Math.fround(position);
    for (let k = 0; k < i; ++k) angle = Math.fround(angle * step);
    slack += isLoose ? 2 ** -24 * i * Math.abs(angle) : 0;
    const rule = rate * c.base ** ((2 * i) / c.denominator);
    return Math.abs(rule - 1) < 1e-12 ? angle : Math.fround(angle * Math.fround(rule));
  }
  const { round } = types[c.arithmetic];
  const of = (f) => round(round(position) * round(Math.fround(f)));
  if (isLoose) slack += Math.abs(of(rate * (1 + 2 ** -21)) - of(rate * (1 - 2 ** -21)));
  return of(rate);
}

/** The rotation of pair i at a position of the caller's. */
export function turn(c, i, own, isLoose) {
  const gain = gainOf(c);
  const angle = angleOf(c, i, c.scale * own + c.offset, isLoose);
  let off = slack;
  let [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  if (c.sineRow !== 0) {
    sin = Math.sin(angleOf(c, i, c.scale * (own + c.sineRow) + c.offset, isLoose));
    off = Math.max(off, slack);
  }
  if (c.inverse) sin = -sin;
  if (c.exchanged) [cos, sin] = [sin, cos];
  [cos, sin] = [gain * cos, gain * sin];
  off *= gain;
  if (c.table) {
    const { round } = types[c.table];
    // A number next to the middle of two may be stored as either.
    const e = Math.min(off + 2 ** -22 * Math.abs(gain), 2 * Math.abs(gain));
    const flip = (x) => Math.abs(round(x + e) - round(x - e));
    off = isLoose ? Math.max(flip(cos), flip(sin)) : 0;
    [cos, sin] = [round(cos), round(sin)];
  }
  turned.cos = cos;
  turned.sin = sin;
  turned.slack = off;
}

/** The two dimensions of pair i of n, of what is read and of what is written; those of tables have the cosine first. */
const layouts = {
  half: (i, n) => [i, i + n],
  interleaved: (i) => [2 * i, 2 * i + 1],
  "sines-first": (i, n) => [i + n, i],
  "sines-first-interleaved": (i) => [2 * i + 1, 2 * i],
};
const places = new Map();
/** The first and the second dimensions of all pairs of a layout. */
function dimsOf(layout, n) {
  const key = `${layout}${n}`;
  let made = places.get(key);
  if (!made) {
    const all = Array.from({ length: n }, (_, i) => layouts[layout](i, n));
    made = [0, 1].map((k) => Int32Array.from(all, (dims) => dims[k]));
    places.set(key, made);
  }
  return made;
}

/** Positions of tokens in place of those given. */
export const patterns = {
  "positions-reversed": () => (list) => list.toReversed(),
  "counted-on": () => (list) => list.map((_, t) => list[0] + t),
  "token-indices": () => (list) => list.map((_, t) => t),
  "positions-joined": () => (list) => list.map((_, t) => list[0] + t),
  // At 0, or at the first token's position.
  "positions-restarted": (at, isFirst) => (list) => list.map((p, t) => (t < at ? p : t - at + (isFirst ? list[0] : 0))),
  "positions-modulo": (n) => (list) => list.map((p) => p - n * Math.floor(p / n)),
  "positions-clamped": (n) => (list) => list.map((p) => Math.min(p, n)),
  "positions-constant": (n) => (list) => list.map(() => n),
  "offset-from": (n, at) => (list) => list.map((p, t) => (t < at ? p : p + n)),
};

export const positionsOf = (c, lists) => (c.pattern ? lists.map(c.pattern) : lists);

/** The value of two products and their sum, by the steps that an implementation rounds. */
const steps = {
  once: (x, c, y, s, round) => round(x * c + y * s),
  each: (x, c, y, s, round) => round(round(x * round(c)) + round(y * round(s))),
  float32(x, c, y, s, round) {
    const r = Math.fround;
    return round(r(r(x * r(c)) + r(y * r(s))));
  },
};

/** Vectors [tokens, heads, dim] after a computation, in a type. */
export function simulated(c, { tokens, heads, dim, before, positions }, type, step = "once") {
  const { round } = types[type];
  const after = before ? Float64Array.from(before, round) : new Float64Array(tokens * dim);
  const n = c.rotaryDim / 2;
  const lists = positionsOf(c, positions);
  const [[a, b], [toA, toB]] = [dimsOf(c.reads, n), dimsOf(c.writes, n)];
  for (let t = 0; t < tokens; ++t)
    for (let i = 0; i < n; ++i) {
      const own = lists[c.axes?.[i] ?? 0][t];
      for (let h = 0; h < heads; ++h) {
        turn(c, i, c.byHead === undefined ? own : c.byHead + h, false);
        const { cos, sin } = turned;
        const at = (t * heads + h) * dim + c.first;
        const [x, y] = before ? [before[at + a[i]], before[at + b[i]]] : [own === c.padding ? 0 : 1, 0];
        after[at + toA[i]] = steps[step](x, cos, -y, sin, round);
        after[at + toB[i]] = steps[step](x, sin, y, cos, round);
      }
    }
  return after;
}

/** Frequencies as a list of a type. */
export const simulatedRates = (c, type) =>
  Float64Array.from({ length: c.rotaryDim / 2 }, (_, i) => {
    const rate = rateOf(c, i);
    return (c.inverse ? -1 : 1) * types[type].round(c.stored ? types[c.stored].round(rate) : rate);
  });

/** By how much a frequency may be off that is as right: float32 steps of any order, or one rounding of 16 bits. */
function rateError(rate, type, isLoose) {
  const float32 = 2 ** -24 * (9 + 2 * Math.abs(Math.log(Math.abs(rate) || 1)));
  return Math.abs(rate) * (isFine(type) ? float32 : types[type].unit * 1.05) * (isLoose ? 4 : 1) + types[type].least;
}

function misfitOfRates(c, { rates, type }, isLoose) {
  for (let i = 0; i < rates.length; ++i) {
    const own = rateOf(c, i);
    const { round, unit } = types[c.stored ?? "float64"];
    const rate = (c.inverse ? -1 : 1) * round(own);
    const flip = c.stored && isLoose ? 2 * unit * Math.abs(own) : 0;
    if (!(Math.abs(rates[i] - rate) <= rateError(rate, type, isLoose) + flip)) return { pair: i, is: rates[i], rate };
  }
  return null;
}

/**
 * The first value that a computation does not explain, or null: what a sample has lies further from it than roundings
 * reach. Strictly those that the results' type is stated to have, loosely twice as many.
 */
export function misfit(c, sample, isLoose = false) {
  if (sample.rates) return misfitOfRates(c, sample, isLoose);
  const { tokens, heads, dim, before, after, type } = sample;
  const { unit, least, round } = types[type];
  // Caches and tables are not products: they are rounded once or twice.
  // Who computes in double has angles whose own rounding grows: an answer is held to 2^-40 of a value, as it states.
  const own = isLoose && type === "float64" ? 2 ** -42 : unit;
  // Cosines that were rounded to the results' type are not rounded to it again.
  const isCast = c.table && types[c.table].unit >= unit;
  const ofProducts = own * (isLoose ? 8 : before ? (isFine(type) ? 4 : isCast ? 1.05 : 2.05) : 0);
  const ofSum = own * (isLoose ? 8 : before ? 1.1 : isFine(type) ? 2 : 1.05);
  const ofLeast = least * (isLoose ? 8 : before ? 2 : 1.05);
  // One rounding is relative or, of the smallest numbers, absolute; several are both.
  const together = before || isLoose ? (a, b) => a + b : Math.max;
  const n = c.rotaryDim / 2;
  const lists = positionsOf(c, sample.positions);
  const [[a, b], [toA, toB]] = [dimsOf(c.reads, n), dimsOf(c.writes, n)];
  const lets = (value, at) => (c.lets === "zeros" ? value === 0 : c.lets === "inputs" && value === before[at]);
  let off = 0;
  /** Whether the sum of two products is not what a dimension has, and by how many times what is allowed. */
  const departs = (to, u, v, size) => {
    const relative = ofProducts * (Math.abs(u) + Math.abs(v)) + ofSum * Math.abs(u + v);
    const allowed = together(relative, ofLeast) + off * size;
    const is = Math.abs(after[to] - u - v);
    // Angles that a type does not have are none of either: they tell nothing.
    const isNone = Number.isNaN(after[to]) && Number.isNaN(u + v);
    return is <= allowed || isNone || lets(after[to], to) ? 0 : is / allowed || Number.POSITIVE_INFINITY;
  };
  // An angle that is off changes no length.
  const keepsLengths = !isLoose && !c.table && c.sineRow === 0;
  const isLonger = (x, y, u, v) => {
    const [is, was] = [Math.hypot(u, v), gainOf(c) * Math.hypot(x, y)];
    return Math.abs(is - was) > 2 * (ofProducts + ofSum) * (is + was) + 2 * ofLeast;
  };
  // Both dimensions of a pair together say what its cosine and its sine are.
  const isElsewhere = (x, y, u, v) => {
    const squares = x * x + y * y;
    const [cos, sin] = [(x * u + y * v) / squares, (x * v - y * u) / squares];
    const most = off + 4 * (ofProducts + ofSum) * gainOf(c) + (2 * ofLeast) / Math.sqrt(squares);
    return squares > 0 && Math.max(Math.abs(cos - turned.cos), Math.abs(sin - turned.sin)) > most;
  };
  for (let t = tokens - 1; t >= 0; --t) {
    for (let i = 0; i < n; ++i) {
      const own = lists[c.axes?.[i] ?? 0][t];
      if (c.byHead === undefined) turn(c, i, own, isLoose);
      for (let h = 0; h < heads; ++h) {
        if (c.byHead !== undefined) turn(c, i, c.byHead + h, isLoose);
        const { cos, sin } = turned;
        off = turned.slack;
        // What float32 angles may make of so large an angle is anything: that explains nothing.
        if (!isLoose && off > gainOf(c)) return { token: t, head: h, dim: toA[i], times: 0 };
        const at = (t * heads + h) * dim + c.first;
        const x = before ? before[at + a[i]] : own === c.padding ? 0 : 1;
        const y = before ? before[at + b[i]] : 0;
        const size = off === 0 ? 0 : Math.hypot(x, y);
        if (keepsLengths && isLonger(x, y, after[at + toA[i]], after[at + toB[i]]) && !c.lets)
          return { token: t, head: h, dim: c.first + toA[i], times: Number.POSITIVE_INFINITY };
        const isOpen = before && !isLoose && off > 0.25 && !c.lets;
        if (isOpen && isElsewhere(x, y, after[at + toA[i]], after[at + toB[i]]))
          return { token: t, head: h, dim: c.first + toA[i], times: Number.POSITIVE_INFINITY };
        const first = departs(at + toA[i], x * cos, -y * sin, size);
        const second = first || departs(at + toB[i], x * sin, y * cos, size);
        if (second) return { token: t, head: h, dim: c.first + (first ? toA : toB)[i], times: second };
      }
    }
    if (c.rotaryDim < dim)
      for (let at = t * heads * dim; at < (t + 1) * heads * dim; ++at) {
        const k = at % dim;
        if (k >= c.first && k < c.first + c.rotaryDim) continue;
        const [is, own] = [after[at], before[at]];
        const isSame = isLoose ? Math.abs(is - own) <= unit * Math.abs(own) + least : is === round(own);
        if (!isSame && !lets(is, at)) return { token: t, dim: k, times: Number.POSITIVE_INFINITY };
      }
  }
  return null;
}

/** Whether two lists of frequencies differ by more than one of them may be off. */
function ratesDiffer(a, b, { rates, type }) {
  const of = (c, i) => (c.inverse ? -1 : 1) * types[c.stored ?? "float64"].round(rateOf(c, i));
  return rates.some((_, i) => {
    const [x, y] = [of(a, i), of(b, i)];
    return Math.abs(x - y) > 2.2 * rateError(Math.max(Math.abs(x), Math.abs(y)), type, false);
  });
}

/** Positions at which computations that differ show it, and vectors to rotate there. */
const ladder = [0, 1, 2, 3, 7, 16, 64, 256, 1003, 4096, 12007, 32768, 100003, 2 ** 18, 700001, 2 ** 20];
const any = Float64Array.from(
  { length: 2 ** 15 },
  (_, i) => Math.sin(i * i + 0.5) + 0.1 * Math.sign(Math.sin(i * i + 0.5)),
);

/** What a computation makes of them, as a sample of the same kind; each axis has positions of its own. */
function elsewhere(c, { dim, heads, before, positions, type }) {
  if (c.ladder?.type === type && c.ladder.heads === heads) return c.ladder;
  // Float16 has no larger positions.
  const most = c.arithmetic === "float16" ? 65504 : Number.POSITIVE_INFINITY;
  const known = ladder.filter((p) => p <= most);
  const lists = positions.map(([first], axis) => [first, ...known.map((p) => Math.floor(p / (1 + 0.37 * axis)))]);
  const own = { tokens: lists[0].length, heads: Math.min(heads, 2), dim, positions: lists, type };
  own.before = before && any.subarray(0, own.tokens * own.heads * dim);
  own.after = simulated(c, own, "float64");
  c.ladder = own;
  return own;
}

/** Whether two computations differ by more than the noise of the sample's type at some position up to 2^20. */
export function differ(a, b, sample) {
  if (sample.rates) return ratesDiffer(a, b, sample);
  // Two patterns of one sample have the same positions there, and neither is of any other.
  const still = (c) => ({ ...c, pattern: undefined, ladder: undefined });
  if (a.pattern && b.pattern) return differ(still(a), still(b), sample);
  return misfit(b, elsewhere(a, sample), true) !== null && misfit(a, elsewhere(b, sample), true) !== null;
}
