// A port of rotation, right or with a mistake: every step that a mistake changes is a number of its description. In
// float32 and bfloat16, emulated.

import { types } from "../../judge/computation.mjs";

const { fround } = Math;
const [bfloat16, float16] = ["bfloat16", "float16"].map((name) => (x) => types[name].round(fround(x)));

/** How an angle is made, for a position and the frequency of a pair. */
const angles = {
  exact: (position, { frequencies }, pair) => position * frequencies[pair],
  float32: (position, { frequencies }, pair) => fround(fround(position) * fround(frequencies[pair])),
  float16: (position, { frequencies }, pair) => float16(float16(position) * float16(frequencies[pair])),
  bfloat16: (position, { frequencies }, pair) => bfloat16(bfloat16(position) * bfloat16(frequencies[pair])),
  /** ggml's running product, of plans without a scaling rule. */
  product(position, { frequencies }, pair) {
    const step = fround(frequencies[1] / frequencies[0]);
    let angle = fround(position);
    for (let i = 0; i < pair; ++i) angle = fround(angle * step);
    return angle;
  },
};

/** Names the types that are rounded to: of cosines and sines, products, and outputs. */
const roundings = {
  float32: [fround, fround, fround],
  bfloat16: [bfloat16, bfloat16, bfloat16],
  "bfloat16, rounded once": [fround, fround, bfloat16],
  "bfloat16, of a cache": [bfloat16, fround, bfloat16],
};

const dimsOf = (layout, pairs, pair) => (layout === "half" ? [pair, pair + pairs] : [2 * pair, 2 * pair + 1]);

/** Heads [heads, tokens, dim] rotated as the description says; `along` names what is counted in place of the tokens. */
export function rotated(port, x, dim, positions, rounding = "float32") {
  const { frequencies, factor, first, reads, writes, negative, exchanged, offset, scale, axisOfPair, arithmetic } =
    port;
  const { modulo = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY, zeros } = port;
  const [ofSines, ofProducts, ofOutputs] = roundings[rounding];
  const pairs = frequencies.length;
  const out = Float32Array.from(x);
  const tokens = positions[0].length;
  for (let row = 0; row < x.length / dim; ++row) {
    const [head, token] = [Math.floor(row / tokens), row % tokens];
    const at = row * dim + first;
    for (let pair = 0; pair < pairs; ++pair) {
      const own = { tokens: token, heads: head }[port.along ?? "tokens"];
      const given = port.counts ? own : positions[axisOfPair[pair]][own];
      const position = Math.min(given % modulo, most) * scale + offset;
      const angle = angles[arithmetic](position, port, pair) * (negative ? -1 : 1);
      const factors = [Math.cos(angle), Math.sin(angle)].map((value) =>
        ofSines(fround(fround(value) * fround(factor))),
      );
      const [cosine, sine] = exchanged ? [factors[1], factors[0]] : factors;
      const [a, b] = dimsOf(reads, pairs, pair).map((dimension) => x[at + dimension]);
      const [one, other] = dimsOf(writes, pairs, pair);
      out[at + one] = ofOutputs(ofProducts(ofProducts(a * cosine) - ofProducts(b * sine)));
      out[at + other] = ofOutputs(ofProducts(ofProducts(a * sine) + ofProducts(b * cosine)));
    }
    if (zeros === "heads" || (zeros === "rows" && 2 * token >= tokens)) out.fill(0, row * dim, (row + 1) * dim);
  }
  return out;
}

/** Queries and keys, of which one may be left as it is. */
export function rotateBoth(port, { dims }, q, k, positions, rounding) {
  const rotate = (x, side) =>
    port.isLeft || port.skips === side ? Float32Array.from(x) : rotated(port, x, dims.dim, positions, rounding);
  return { q: rotate(q, "queries"), k: rotate(k, "keys") };
}
