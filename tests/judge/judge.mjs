// Whether an answer of `diagnose` is right, by brute force: all that the answer says is computed anew, and whatever it
// calls certain has to be the only computation of the list, its pairs and the family that explains every value.

import { axesOf, changesOf, familyOf, models, pairsOf } from "./changes.mjs";
import { changed, computation, differ, misfit, patterns, positionsOf, types } from "./computation.mjs";

const denominators = {
  paper: (d) => d,
  "double-stepped": (d) => d / 2,
  half: (d, shift) => 2 * (Math.floor(d / 2) - shift),
};

const writesOf = {
  interleaved: "sines-first-interleaved",
  split: "sines-first",
  "cosines-first": "half",
  "interleaved-cosines-first": "interleaved",
};

/** What leaves values as they were or empties them, by the name of the mistake: `found` has no place for it. */
const named = {
  "zero-rows": { lets: "zeros" },
  "zero-heads": { lets: "zeros" },
  "tokens-not-rotated": { lets: "inputs" },
  "heads-not-rotated": { lets: "inputs" },
};

/** Explanations that are no computation of pairs. */
const isBeyond = (mistakes) => mistakes.some((name) => name === "cache-form" || name === "exponent-by-dim");

/** The positions of tokens as an explanation has them. */
function patternOf({ values, tokens, amount }, mistakes, axes) {
  // Each axis has a bound or a constant of its own.
  if (axes > 1) return (list, axis) => list.map((p, t) => values[axis * list.length + t] ?? p);
  const name = mistakes.find((mistake) => mistake in patterns);
  const [n, at] = [amount, tokens[0]];
  if (name === "positions-restarted" && tokens.length === 1) return patterns[name](at, values[at] !== 0);
  if (name === "offset-from") return patterns[name](n, at);
  if (name && name !== "positions-restarted") return patterns[name](n);
  return (list, axis) => list.map((p, t) => values[axis * list.length + t] ?? p);
}

/** What an explanation says was done; several where it leaves a part open, none where it is beyond this judge. */
export function computationsOf({ found, mistakes }, { meant, sample, facts, form }) {
  if (isBeyond(mistakes) || found.type === "made") return [];
  const {
    dim,
    rotaryDim = dim,
    base,
    exponent = "paper",
    shift = 0,
    exponentDim = rotaryDim,
    scaling,
    length,
  } = found.plan;
  const { reads = "half", offset = 0, positionScale: scale = 1, arithmetic = "exact", mrope, positions } = found;
  const isTable = found.type === "sinusoidal";
  const isTurned = form && form !== "ggml" && form !== "joined" ? false : /sines-first/.test(found.form ?? "");
  let made = computation({
    ...{ dim: isTable || reads === undefined ? dim : sample.dim || dim, rotaryDim, base, first: found.firstDim ?? 0 },
    ...{
      denominator: denominators[exponent](exponentDim, shift),
      rule: scaling ?? { type: "default" },
      length: length ?? 0,
    },
    ...{ reads, writes: isTable ? writesOf[found.arrangement] : (found.writes ?? "half"), offset, scale, arithmetic },
    ...{ stored: found.frequencies, table: found.cosines, sineRow: found.sineRows ?? 0 },
    ...{ inverse: found.inverse, exchanged: (found.exchanged ?? false) !== isTurned },
    ...{ reciprocal: found.reciprocal || found.unit === "reciprocals", gain: isTable ? found.amplitude : found.factor },
    isFree: meant
      ? meant.isFree && ["exact", "float32", "product"].includes(arithmetic)
      : /exact|float32/.test(arithmetic),
  });
  for (const name of mistakes) made = changed(made, named[name] ?? {});
  if (made.isFree) made.arithmetic = "exact";
  if (mrope) made.axes = axesOf(mrope.sections, mrope.order, rotaryDim / 2);
  if (found.axisOfPair?.length) made.axes = found.axisOfPair;
  if (positions) made.pattern = patternOf(positions, mistakes, sample.positions.length);
  if (found.paddingRow) {
    const isZero = (t) => sample.after.subarray(t * sample.dim, (t + 1) * sample.dim).every((x) => x === 0);
    const row = Math.max(
      0,
      sample.positions[0].findIndex((_, t) => isZero(t)),
    );
    made.padding = meant?.padding ?? positionsOf(made, sample.positions)[0][row];
  }
  if (!mistakes.includes("sequence-axis")) return [made];
  return [0, facts.first].map((byHead) => changed(made, { byHead }));
}

/** The other computations that may explain what came, one after the other. */
function* rivalsOf({ meant, sample, facts, kind }) {
  const own = kind === "outputs" ? "vectors" : kind;
  if (meant) {
    const singles = changesOf(meant, own, facts);
    yield { names: ["as expected"], made: meant };
    for (const { name, made } of singles) yield { names: [name], made };
    for (const made of familyOf(meant, own)) yield { names: ["family", made.rule.type, made.base], made };
    yield* pairsOf(singles);
    return;
  }
  const dim = sample.rates ? 2 * sample.rates.length : sample.dim;
  const layouts = own === "vectors" ? ["half", "interleaved"] : own === "table" ? Object.values(writesOf) : ["half"];
  for (const layout of layouts)
    for (const rotaryDim of own === "vectors" ? [dim, dim / 2, dim / 4] : [dim])
      for (const { base, rule = { type: "default" }, length = 0, sections } of models) {
        if (rotaryDim < 2 || sections || typeof rule === "function" || (own === "table" && rule.type !== "default"))
          continue;
        const reads = own === "vectors" ? layout : "half";
        yield {
          names: [rule.type, base, layout],
          made: computation({ dim, rotaryDim, base, rule, length, reads, writes: layout }),
        };
      }
}

const say = (names) => names.join(" + ");
const at = (miss) => JSON.stringify(miss);
/** Whether this is one of the words of an answer about everything as it was expected. */
const isAsExpected = ({ explanations: [first] }) => first?.mistakes.length === 0;

/** The type that results have: what was stated, or 16 bits that all of them fit where nothing was. */
function typeOf({ kind, sample, isUnstated }, { dtype, verdict }) {
  // A list of frequencies in 16 bits is a cast: a finding, and no noise, unless several are left.
  if (kind === "frequencies") return verdict === "ambiguous" && dtype in types ? dtype : "float32";
  const isCoarse = dtype === "bfloat16" || dtype === "float16";
  if (isUnstated) return isCoarse ? sample.type : "float32";
  // Doubles may be products with numbers of float32.
  if (dtype === "float32" && sample.type === "float64") return dtype;
  // Where nothing was stated, results that all fit a type may be reported as rounded to it.
  const isReported = isCoarse && sample.after?.every((x) => types[dtype].round(x) === x);
  return isReported ? dtype : sample.type;
}

/** Whether a computation has a row of zeros at a position that no token of a sample has. */
const hidesPadding = (c, { positions }) =>
  c.padding !== undefined && !positionsOf(c, positions).some((list) => list.includes(c.padding));

/** Whether a pattern moves no position that pairs take: one that moves none at all is no change. */
const hidesPattern = ({ pattern, axes = [] }, { positions }) =>
  pattern &&
  axes.length > 0 &&
  axes.every((axis) => String(pattern(positions[axis], axis)) === String(positions[axis]));

/** Another computation that explains every value, and makes other numbers elsewhere; or the same, by fewer changes. */
function rivalOf(found, mistakes, case_, sample) {
  for (const { names, made } of rivalsOf(case_)) {
    if (misfit(made, sample) !== null || hidesPattern(made, sample)) continue;
    if (made.padding !== case_.meant?.padding && hidesPadding(made, sample)) continue;
    if (found.every((c) => differ(c, made, sample)))
      return { reason: "w1", text: `${say(names)} explains every value as well` };
    const count = names[0] === "as expected" ? 0 : names[0] === "family" ? 9 : names.length;
    if (case_.meant && count < mistakes.length) return { reason: "w7", text: `${say(names)} is the same` };
  }
  return null;
}

/** Why an answer is wrong: { reason, text }, or null. */
export function judged(case_, answer) {
  const { meant, done, names, kind, way } = case_;
  const sample = { ...case_.sample, type: typeOf(case_, answer) };
  if (kind === "outputs" && meant) {
    const isRight = misfit(meant, sample, true) === null;
    const { wrong } = answer.outputs;
    if (wrong === "neither" && !isRight)
      return { reason: "w3", text: `neither is wrong, but b is, ${at(misfit(meant, sample, true))}` };
    if (wrong === "a" || wrong === "both") return { reason: "w4", text: `${wrong} called wrong, but a is as expected` };
    if (isRight || wrong !== "b") return null;
  }
  const { verdict, explanations } = answer;
  const first = explanations[0];
  if (verdict === "none") {
    if (explanations.length > 0) return { reason: "w0", text: "an explanation under none" };
    if (!done || names === undefined || names.length > 2 || case_.isUnstated) return null;
    return { reason: "w6", text: `none, but was ${say(names) || "as expected"}` };
  }
  if (!first) return null;
  const says = say(first.mistakes) || "as expected";
  const found = computationsOf(first, case_);
  if (found.length === 0) return null;
  if (verdict === "certain" && meant && isAsExpected(answer)) {
    const miss = misfit(meant, sample, true);
    if (miss) return { reason: done ? "w3" : "w5", text: `as expected, but ${at(miss)} (${way})` };
  }
  const misses = found.map((c) => misfit(c, sample, true));
  if (misses.every(Boolean))
    return { reason: done ? "w2" : "w5", text: `${verdict} ${says}, but ${at(misses[0])} (${way})` };
  if (verdict !== "certain") return null;
  if (done && found.every((c) => differ(c, done, sample)))
    return { reason: "w4", text: `certain ${says}, but was ${names ? say(names) || "as expected" : way}` };
  const rival = rivalOf(found, first.mistakes, case_, sample);
  return rival && { reason: rival.reason, text: `certain ${says}, but ${rival.text}` };
}

/** Whether what was done is among the explanations. */
export function isNamed({ meant, done, sample, ...more }, answer) {
  if (!done || !answer.explanations.length) return false;
  return answer.explanations.some((each) =>
    computationsOf(each, { meant, sample, ...more }).some((c) => !differ(c, done, { ...sample, type: sample.type })),
  );
}
