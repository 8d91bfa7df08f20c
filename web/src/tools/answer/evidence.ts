import type { Explanation, HalfTensor, PosencTools, RotaryOptions, Samples, SampleTensor } from "posenc/tools";
import type { Picture } from "../protocol";

/* What is drawn of an explanation: the numbers that were given, and those that it predicts. */

type Angles = Extract<Explanation["found"], { type: "rotary" | "sinusoidal" }>;

/** The most tokens and pairs that are drawn. */
const most = { tokens: 256, pairs: 512 };

/** The values of a tensor of any type as numbers. */
const valuesOf = (pe: PosencTools, { data, dtype, shape }: SampleTensor): ArrayLike<number> =>
  dtype === "float16" || dtype === "bfloat16" ? pe.convert({ data, shape, dtype } as HalfTensor, "float32").data : data;

const frequenciesOf = (pe: PosencTools, { dim, rotaryDim = dim, layout: _, ...rest }: RotaryOptions) =>
  Array.from(pe.frequencies({ ...rest, dim: rotaryDim }).data);

/** The angle of a pair at a token. */
type Angle = (token: number, pair: number) => number;

/** Reads two values a pair, at places from `at` on that are `step` apart. */
const pairIn =
  (values: ArrayLike<number>, isInterleaved: boolean, pairs: number, step = 1) =>
  (at: number, pair: number) =>
    (isInterleaved ? [2 * pair, 2 * pair + 1] : [pair, pair + pairs]).map((place) => values[at + place * step]);

/** Reads the angles of vectors, a cache or a table; null where they are not there to be read. */
function angleIn(pe: PosencTools, samples: Samples, found: Angles, pairs: number, seqAxis: number): Angle | null {
  if (found.type === "sinusoidal") {
    if (!("table" in samples)) return null;
    const width = samples.table.shape[1];
    const both = pairIn(valuesOf(pe, samples.table), found.arrangement.startsWith("interleaved"), pairs);
    return (token, pair) => {
      const [first, second] = both(token * width, pair);
      return found.arrangement.includes("cosines") ? Math.atan2(second, first) : Math.atan2(first, second);
    };
  }
  if ("cos" in samples) {
    const [x, y] = [valuesOf(pe, samples.cos), valuesOf(pe, samples.sin)];
    const width = samples.cos.shape.at(-1) as number;
    const step = found.form === "huggingface-interleaved" ? 2 : 1;
    return (token, pair) => Math.atan2(y[token * width + step * pair], x[token * width + step * pair]);
  }
  if (!("before" in samples && "after" in samples && samples.before)) return null;
  const { shape } = samples.before;
  const dims = shape.lastIndexOf(found.plan.dim);
  if (dims < 0) return null;
  const stride = (axis: number) => shape.slice(axis + 1).reduce((all, extent) => all * extent, 1);
  const [given, made] = [
    pairIn(valuesOf(pe, samples.before), found.reads === "interleaved", pairs, stride(dims)),
    pairIn(valuesOf(pe, samples.after), found.writes === "interleaved", pairs, stride(dims)),
  ];
  return (token, pair) => {
    const at = token * stride(seqAxis) + found.firstDim * stride(dims);
    const [[a, b], [c, d]] = [given(at, pair), made(at, pair)];
    return a === 0 && b === 0 ? Number.NaN : Math.atan2(a * d - b * c, a * c + b * d);
  };
}

const cycle = 2 * Math.PI;

function angles(pe: PosencTools, samples: Samples, found: Angles, given: number[], seqAxis: number): Picture | null {
  const frequencies = frequenciesOf(pe, found.plan).map((each) => (found.reciprocal ? 1 / each : each));
  const angle = angleIn(pe, samples, found, frequencies.length, seqAxis);
  if (!angle) return null;
  const [first] = Object.values(samples) as SampleTensor[];
  const xs = (given.length > 0 ? given : [...Array(first.shape[0]).keys()]).slice(0, most.tokens);
  // sin + i cos rotates in the opposite direction, starting at a right angle.
  const isExchanged = "exchanged" in found && found.exchanged;
  const sign = found.inverse === isExchanged ? 1 : -1;
  const predicted = (position: number, frequency: number) => {
    const right = sign * (found.positionScale * position + found.offset) * frequency + (isExchanged ? cycle / 4 : 0);
    return right - cycle * Math.round(right / cycle);
  };
  const series = frequencies.slice(0, most.pairs).map((frequency, pair) => ({
    given: xs.map((_, token) => angle(token, pair)),
    found: xs.map((position) => predicted(position, frequency)),
  }));
  // The pair that tells most rotates about once.
  const span = Math.max(...xs) - Math.min(...xs) || 1;
  const distances = frequencies.map((each) => Math.abs(Math.log((each * found.positionScale * span) / cycle)));
  return { kind: "angles", xs, series, best: distances.indexOf(Math.min(...distances.slice(0, most.pairs))) };
}

const units: Readonly<Record<string, (frequency: number) => number>> = {
  wavelengths: (each) => cycle / each,
  reciprocals: (each) => 1 / each,
};

/** The picture of an explanation, or null if there is none. */
export function pictureOf(
  pe: PosencTools,
  samples: Samples,
  found: Explanation["found"],
  seqAxis: number | null,
): Picture | null {
  const one = (kind: Picture["kind"], xs: number[], series: Picture["series"][number]) =>
    ({ kind, xs, series: [series], best: 0 }) as const;
  const positions = "positions" in samples && Array.isArray(samples.positions) ? (samples.positions as number[]) : [];
  if ("positions" in found && found.positions && positions.length === found.positions.values.length) {
    const tokens = positions.slice(0, most.tokens);
    return one("positions", [...tokens.keys()], { given: tokens, found: found.positions.values });
  }
  if (found.type === "sinusoidal" || (found.type === "rotary" && !found.axisOfPair))
    return angles(pe, samples, found, positions, seqAxis ?? 0);
  if (found.type === "frequencies" && "frequencies" in samples) {
    const values = samples.frequencies;
    const given = Array.from("shape" in values ? valuesOf(pe, values) : values);
    const predicted = frequenciesOf(pe, found.plan).map(units[found.unit] ?? ((each) => each));
    return one("frequencies", [...given.keys()], { given, found: predicted });
  }
  if (found.type !== "bias" || !found.slopes || !("bias" in samples)) return null;
  // Of the first head's last query, before which most keys are.
  const [queries, keys] = samples.bias.shape.slice(-2);
  const xs = Array.from({ length: keys }, (_, key) => key - (queries - 1));
  const given = Array.from(valuesOf(pe, samples.bias)).slice((queries - 1) * keys, queries * keys);
  const [slope] = found.slopes;
  return one("bias", xs, { given, found: xs.map((distance) => -slope * Math.abs(distance)) });
}
