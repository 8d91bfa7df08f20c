import type { Explanation, HalfTensor, Layout, PosencTools, RotaryOptions, Samples, SampleTensor } from "posenc/tools";
import type { Picture } from "../protocol";

/* What is drawn of an explanation: the numbers that were given, and those that it predicts. */

type Found<Type> = Extract<Explanation["found"], { type: Type }>;

/** The most tokens and pairs that are drawn. */
const most = { tokens: 256, pairs: 512 };

/** The values of a tensor of any type as numbers. */
function valuesOf(pe: PosencTools, tensor: SampleTensor): ArrayLike<number> {
  const { data, dtype, shape } = tensor;
  if (dtype === "float16" || dtype === "bfloat16")
    return pe.convert({ data: data as Uint16Array, shape: [...shape], dtype } as HalfTensor, "float32").data;
  return data;
}

const count = (shape: readonly number[]) => shape.reduce((all, extent) => all * extent, 1);
const stride = (shape: readonly number[], axis: number) => count(shape.slice(axis + 1));

/** The dimensions of a pair among `rotated` ones. */
const dimsOf = (pair: number, layout: Layout, rotated: number): readonly [number, number] =>
  layout === "half" ? [pair, pair + rotated / 2] : [2 * pair, 2 * pair + 1];

const frequenciesOf = (pe: PosencTools, { dim, rotaryDim = dim, layout: _, ...rest }: RotaryOptions) =>
  pe.frequencies({ ...rest, dim: rotaryDim }).data;

/** Slope and start of each pair's angle by the position given. */
function lines(pe: PosencTools, found: Found<"rotary">) {
  const frequencies = [...frequenciesOf(pe, found.plan)].map((each) => (found.reciprocal ? 1 / each : each));
  // sin + i cos rotates in the opposite direction, starting at a right angle.
  const sign = (found.inverse ? -1 : 1) * (found.exchanged ? -1 : 1);
  return {
    slopes: frequencies.map((each) => sign * found.positionScale * each),
    starts: frequencies.map((each) => sign * found.offset * each + (found.exchanged ? Math.PI / 2 : 0)),
  };
}

type Angle = (token: number, pair: number) => number;

function angles(
  positions: readonly number[],
  slopes: readonly number[],
  starts: readonly number[],
  angle: Angle,
): Picture {
  const tokens = positions.slice(0, most.tokens);
  const pairs = Math.min(slopes.length, most.pairs);
  return {
    kind: "angles",
    positions: tokens,
    observed: Array.from({ length: pairs }, (_, pair) => tokens.map((__, token) => angle(token, pair))),
    slopes: slopes.slice(0, pairs),
    starts: starts.slice(0, pairs),
  };
}

/** Finds the axes of tokens and dimensions by their extents: the number of positions, and the plan's dim. */
function axesOf(shape: readonly number[], tokens: number, dim: number): { seq: number; dims: number } | undefined {
  const axes = [...shape.keys()].reverse();
  const dims = axes.find((axis) => shape[axis] === dim);
  if (dims === undefined) return undefined;
  const seq = [...axes].reverse().find((axis) => axis !== dims && shape[axis] === tokens);
  if (seq === undefined) return tokens === 1 ? { seq: -1, dims } : undefined;
  return { seq, dims };
}

function rotation(
  pe: PosencTools,
  before: SampleTensor,
  after: SampleTensor,
  positions: readonly number[],
  found: Found<"rotary">,
) {
  const axes = axesOf(before.shape, positions.length, found.plan.dim);
  if (!axes) return null;
  const [x, y] = [valuesOf(pe, before), valuesOf(pe, after)];
  const [perToken, perDim] = [axes.seq < 0 ? 0 : stride(before.shape, axes.seq), stride(before.shape, axes.dims)];
  const rotated = found.plan.rotaryDim ?? found.plan.dim;
  const value = (values: ArrayLike<number>, token: number, dimension: number) =>
    values[token * perToken + (found.firstDim + dimension) * perDim];
  const { slopes, starts } = lines(pe, found);
  return angles(positions, slopes, starts, (token, pair) => {
    const [a, b] = dimsOf(pair, found.reads ?? "half", rotated).map((dimension) => value(x, token, dimension));
    const [c, d] = dimsOf(pair, found.writes ?? "half", rotated).map((dimension) => value(y, token, dimension));
    return a === 0 && b === 0 ? Number.NaN : Math.atan2(a * d - b * c, a * c + b * d);
  });
}

/** A cache has a column for each pair, or all of them twice: one half after the other, or each twice in a row. */
function cache(
  pe: PosencTools,
  cos: SampleTensor,
  sin: SampleTensor,
  positions: readonly number[],
  found: Found<"rotary">,
) {
  const [x, y] = [valuesOf(pe, cos), valuesOf(pe, sin)];
  const { slopes, starts } = lines(pe, found);
  const width = cos.shape[cos.shape.length - 1];
  const isTwice = width === 2 * slopes.length;
  const inRow =
    isTwice &&
    Array.from({ length: Math.min(x.length, 4 * width) / 2 }, (_, i) => x[2 * i] === x[2 * i + 1]).every(Boolean);
  const tokens = Math.floor(x.length / width);
  const list = positions.length > 0 ? positions : Array.from({ length: tokens }, (_, token) => token);
  return angles(list.slice(0, tokens), slopes, starts, (token, pair) => {
    const at = token * width + (inRow ? 2 * pair : pair);
    return Math.atan2(y[at], x[at]);
  });
}

function sinusoids(pe: PosencTools, table: SampleTensor, positions: readonly number[], found: Found<"sinusoidal">) {
  const values = valuesOf(pe, table);
  const width = table.shape[table.shape.length - 1];
  const frequencies = frequenciesOf(pe, found.plan);
  const half = frequencies.length;
  const isSplit = !found.arrangement.startsWith("interleaved");
  const isCosineFirst = /cosine/.test(found.arrangement);
  const [first, second]: ((pair: number) => number)[] = isSplit
    ? [(pair) => pair, (pair) => pair + half]
    : [(pair) => 2 * pair, (pair) => 2 * pair + 1];
  const tokens = Math.floor(values.length / width);
  const list = positions.length > 0 ? positions : Array.from({ length: tokens }, (_, token) => token);
  const slopes = Array.from(frequencies, (each) => found.positionScale * each);
  const starts = Array.from(frequencies, (each) => found.offset * each);
  return angles(list.slice(0, tokens), slopes, starts, (token, pair) => {
    const [a, b] = [values[token * width + first(pair)], values[token * width + second(pair)]];
    return isCosineFirst ? Math.atan2(b, a) : Math.atan2(a, b);
  });
}

function frequencyCurve(
  pe: PosencTools,
  given: SampleTensor | ArrayLike<number>,
  found: Found<"frequencies">,
): Picture {
  const observed = Array.from("shape" in given ? valuesOf(pe, given) : given);
  const unit: Readonly<Record<string, (each: number) => number>> = {
    wavelengths: (each) => (2 * Math.PI) / each,
    reciprocals: (each) => 1 / each,
  };
  const predicted = Array.from(frequenciesOf(pe, found.plan), unit[found.unit] ?? ((each) => each));
  return { kind: "frequencies", xs: observed.map((_, pair) => pair), observed, found: predicted };
}

/** Compares the bias of the first head's last query, before which most keys are. */
function biasCurve(pe: PosencTools, given: SampleTensor, found: Found<"bias">): Picture | null {
  const [slope] = found.slopes ?? [];
  if (slope === undefined) return null;
  const values = valuesOf(pe, given);
  const [queries, keys] = given.shape.slice(-2);
  const row = Array.from({ length: keys }, (_, key) => values[(queries - 1) * keys + key]);
  const xs = row.map((_, key) => key - (queries - 1));
  return { kind: "bias", xs, observed: row, found: xs.map((distance) => -slope * Math.abs(distance)) };
}

/** The picture of an explanation, or null if there is none. */
export function pictureOf(pe: PosencTools, samples: Samples, { found }: Explanation): Picture | null {
  const given = "positions" in samples && Array.isArray(samples.positions) ? (samples.positions as number[]) : [];
  if ("positions" in found && found.positions && given.length === found.positions.values.length) {
    const tokens = given.slice(0, most.tokens);
    return { kind: "positions", xs: [...tokens.keys()], observed: found.positions.values, found: tokens };
  }
  if (found.type === "rotary" && !found.axisOfPair) {
    if ("before" in samples && "after" in samples) return rotation(pe, samples.before, samples.after, given, found);
    if ("cos" in samples) return cache(pe, samples.cos, samples.sin, given, found);
  }
  if (found.type === "sinusoidal" && "table" in samples) return sinusoids(pe, samples.table, given, found);
  if (found.type === "frequencies" && "frequencies" in samples) return frequencyCurve(pe, samples.frequencies, found);
  if (found.type === "bias" && "bias" in samples) return biasCurve(pe, samples.bias, found);
  return null;
}
