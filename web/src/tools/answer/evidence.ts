import type { Explanation, HalfTensor, Layout, PosencTools, RotaryOptions, Samples, SampleTensor } from "posenc/tools";
import type { Picture } from "../protocol";

/** The found laws beside the numbers they were found in. */

type Found<Type> = Extract<Explanation["found"], { type: Type }>;

/** Tokens and pairs that are drawn at the most. */
const most = { tokens: 256, pairs: 512 };

/** Values by index, of any type. */
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
function lines(pe: PosencTools, law: Found<"rotary">) {
  const frequencies = [...frequenciesOf(pe, law.plan)].map((each) => (law.reciprocal ? 1 / each : each));
  // sin + i cos is what turns the other way, from a right angle on.
  const sign = (law.inverse ? -1 : 1) * (law.exchanged ? -1 : 1);
  return {
    slopes: frequencies.map((each) => sign * law.positionScale * each),
    starts: frequencies.map((each) => sign * law.offset * each + (law.exchanged ? Math.PI / 2 : 0)),
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

/** Which axes have tokens and dimensions: as many as there are positions, and as the plan has. */
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
  law: Found<"rotary">,
) {
  const axes = axesOf(before.shape, positions.length, law.plan.dim);
  if (!axes) return null;
  const [x, y] = [valuesOf(pe, before), valuesOf(pe, after)];
  const [perToken, perDim] = [axes.seq < 0 ? 0 : stride(before.shape, axes.seq), stride(before.shape, axes.dims)];
  const rotated = law.plan.rotaryDim ?? law.plan.dim;
  const value = (values: ArrayLike<number>, token: number, dimension: number) =>
    values[token * perToken + (law.firstDim + dimension) * perDim];
  const { slopes, starts } = lines(pe, law);
  return angles(positions, slopes, starts, (token, pair) => {
    const [a, b] = dimsOf(pair, law.reads, rotated).map((dimension) => value(x, token, dimension));
    const [c, d] = dimsOf(pair, law.writes, rotated).map((dimension) => value(y, token, dimension));
    return a === 0 && b === 0 ? Number.NaN : Math.atan2(a * d - b * c, a * c + b * d);
  });
}

/** Columns of a cache: as many as there are pairs, or all twice, one after the other or each twice in a row. */
function cache(
  pe: PosencTools,
  cos: SampleTensor,
  sin: SampleTensor,
  positions: readonly number[],
  law: Found<"rotary">,
) {
  const [x, y] = [valuesOf(pe, cos), valuesOf(pe, sin)];
  const { slopes, starts } = lines(pe, law);
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

function sinusoids(pe: PosencTools, table: SampleTensor, positions: readonly number[], law: Found<"sinusoidal">) {
  const values = valuesOf(pe, table);
  const width = table.shape[table.shape.length - 1];
  const frequencies = frequenciesOf(pe, law.plan);
  const half = frequencies.length;
  const isSplit = /block/.test(law.arrangement);
  const isCosineFirst = /cosine/.test(law.arrangement);
  const [first, second]: ((pair: number) => number)[] = isSplit
    ? [(pair) => pair, (pair) => pair + half]
    : [(pair) => 2 * pair, (pair) => 2 * pair + 1];
  const tokens = Math.floor(values.length / width);
  const list = positions.length > 0 ? positions : Array.from({ length: tokens }, (_, token) => token);
  const slopes = Array.from(frequencies, (each) => law.positionScale * each);
  const starts = Array.from(frequencies, (each) => law.offset * each);
  return angles(list.slice(0, tokens), slopes, starts, (token, pair) => {
    const [a, b] = [values[token * width + first(pair)], values[token * width + second(pair)]];
    return isCosineFirst ? Math.atan2(b, a) : Math.atan2(a, b);
  });
}

function frequencyCurve(pe: PosencTools, given: SampleTensor | ArrayLike<number>, law: Found<"frequencies">): Picture {
  const observed = Array.from("shape" in given ? valuesOf(pe, given) : given);
  const unit: Readonly<Record<string, (each: number) => number>> = {
    wavelengths: (each) => (2 * Math.PI) / each,
    reciprocals: (each) => 1 / each,
  };
  const found = Array.from(frequenciesOf(pe, law.plan), unit[law.unit] ?? ((each) => each));
  return { kind: "frequencies", xs: observed.map((_, pair) => pair), observed, found };
}

/** The last query of the first head: most keys come before it. */
function biasCurve(pe: PosencTools, given: SampleTensor, law: Found<"bias">): Picture | null {
  const [slope] = law.slopes ?? [];
  if (slope === undefined) return null;
  const values = valuesOf(pe, given);
  const [queries, keys] = given.shape.slice(-2);
  const row = Array.from({ length: keys }, (_, key) => values[(queries - 1) * keys + key]);
  const xs = row.map((_, key) => key - (queries - 1));
  return { kind: "bias", xs, observed: row, found: xs.map((distance) => -slope * Math.abs(distance)) };
}

/** What is drawn of an explanation, null where there is nothing. */
export function pictureOf(pe: PosencTools, samples: Samples, { found }: Explanation): Picture | null {
  const given = "positions" in samples && Array.isArray(samples.positions) ? (samples.positions as number[]) : [];
  if (found.type === "rotary" && !found.axisOfPair) {
    if ("before" in samples && "after" in samples) return rotation(pe, samples.before, samples.after, given, found);
    if ("cos" in samples) return cache(pe, samples.cos, samples.sin, given, found);
  }
  if (found.type === "sinusoidal" && "table" in samples) return sinusoids(pe, samples.table, given, found);
  if (found.type === "frequencies" && "frequencies" in samples) return frequencyCurve(pe, samples.frequencies, found);
  if (found.type === "bias" && "bias" in samples) return biasCurve(pe, samples.bias, found);
  return null;
}
