import type { ExpectedPlan, Explanation, Model, PosencTools, RotaryOptions } from "posenc/tools";
import { javascript, list, raw } from "../../code/literal";
import { float } from "../../code/python";
import type { Code, Programs } from "../protocol";

/* Code to copy: lines that correct existing numbers, and a function that computes what was meant, or else what was found. */

type Found = Explanation["found"];

const numbers = (values: ArrayLike<number>) => `torch.tensor(${list(values)}, dtype=torch.float64)`;
const start = (entry: string) => `import { load } from ${JSON.stringify(entry)};\n\nconst pe = await load();`;

/** Writes the rows of pairs whose first and second dimensions are in a and b. */
const joined = (layout: string, a: string, b: string) =>
  layout === "interleaved"
    ? `torch.stack((${a}, ${b}), dim=-1).reshape(*${a}.shape[:-1], -1)`
    : `torch.cat((${a}, ${b}), dim=-1)`;

/** Options without those that have their default. */
const bare = <Options extends object>(options: Options, defaults: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(options).filter(([name, value]) => value !== defaults[name])) as Options;

/** A plan, and what surrounds it. */
interface Surrounded {
  readonly plan: RotaryOptions;
  readonly firstDim?: number;
  readonly inverse?: boolean;
  readonly offset?: number;
}

function rotary(pe: PosencTools, { plan, firstDim = 0, inverse = false, offset = 0 }: Surrounded): Programs {
  const { dim, layout = "half", rotaryDim = dim, ...rest } = plan;
  const { exponentDim = rotaryDim, base = 10000, exponent = "paper" } = rest;
  const { data, attentionFactor: factor } = pe.frequencies({ ...rest, dim: rotaryDim });
  const defaults = { exponent: "paper", rotaryDim: dim, exponentDim: rotaryDim };
  const { scaling, ...own } = bare({ dim, layout, rotaryDim, ...rest }, defaults);
  const options = scaling && scaling.type !== "default" ? { ...own, scaling } : own;
  const isPlain = options === own && exponent === "paper";
  const [half, last, heads] = [rotaryDim / 2, firstDim + rotaryDim, firstDim + dim];
  const formula = `${float(base)} ** (-2 * torch.arange(${half}, dtype=torch.float64) / ${exponentDim})`;
  const [first, second] = layout === "half" ? [`:${half}`, `${half}:`] : ["0::2", "1::2"];
  const [before, behind] = [firstDim > 0 && `x[..., :${firstDim}]`, last < heads && `x[..., ${last}:]`];
  const parts = [before, "rotated", behind].filter(Boolean);
  const scaled = factor === 1 ? "" : ` * ${factor}`;
  const positions = "positions.to(torch.float64)";
  const [plus, minus] = inverse ? "-+" : "+-";
  return {
    pytorch: `import torch

inv_freq = ${isPlain ? formula : numbers(data)}


def rotate(x, positions):  # x [..., tokens, ${heads}], positions [tokens]
    angles = ${offset === 0 ? positions : `(${positions} + ${offset})`}[:, None] * inv_freq
    cos = (torch.cos(angles)${scaled}).to(x.dtype)
    sin = (torch.sin(angles)${scaled}).to(x.dtype)
    part = x[..., ${firstDim}:${last}]
    a, b = part[..., ${first}], part[..., ${second}]
    a, b = a * cos ${minus} b * sin, b * cos ${plus} a * sin
    rotated = ${joined(layout, "a", "b")}
    return ${parts.length > 1 ? `torch.cat((${parts.join(", ")}), dim=-1)` : "rotated"}`,
    javascript: `${start(firstDim > 0 ? "posenc/full" : "posenc")}
const rope = pe.rotary(${javascript(options)});
rope.apply(x, ${javascript({
      shape: raw(`[tokens, heads, ${heads}]`),
      seqAxis: 0,
      firstDim: firstDim || undefined,
      inverse: inverse || undefined,
      positions: raw(offset === 0 ? "positions" : `positions.map((p) => p + ${offset})`),
    })}); // in place; positions: one number a token`,
  };
}

function sinusoidal(
  pe: PosencTools,
  { dim, base = 10000, exponent = "paper" }: Pick<RotaryOptions, "dim" | "base" | "exponent">,
  { order = "interleaved", amplitude = 1, offset = 0 },
): Programs {
  const defaults = { base: 10000, exponent: "paper", order: "interleaved", amplitude: 1, offset: 0 };
  const [frequencies, rest] = [
    { dim, base, exponent },
    { order, amplitude },
  ].map((each) => bare(each, defaults));
  const [sine, cosine] = ["sin", "cos"].map(
    (name) => `${amplitude === 1 ? "" : `${amplitude} * `}torch.${name}(angles)`,
  );
  const pair: readonly [string, string] = order === "cosines-first" ? ["cos", "sin"] : ["sin", "cos"];
  return {
    pytorch: `import torch

frequencies = ${numbers(pe.frequencies({ dim, base, exponent }).data)}


def table(positions):  # [tokens] gives [tokens, ${dim}]; the first position is ${offset}
    angles = positions.to(torch.float64)[:, None] * frequencies
    sin, cos = ${sine}, ${cosine}
    return ${joined(order, ...pair)}`,
    javascript: `${start("posenc")}
const table = pe.sinusoidal(${javascript({ length: 16, ...bare({ offset }, defaults), ...frequencies, ...rest })});`,
  };
}

function alibi(values: readonly number[], slopes: string, steepness: number): Programs {
  const heads = values.length;
  const own = bare({ heads, slopes, steepness }, { slopes: "paper", steepness: 8 });
  return {
    pytorch: `import torch

slopes = ${numbers(values)}


def bias(queries, keys):  # [heads, queries, keys]; the last query is at the position of the last key
    distance = torch.arange(keys)[None, :] - (torch.arange(queries) + keys - queries)[:, None]
    return -slopes[:, None, None] * torch.abs(distance)`,
    javascript: `${start("posenc/full")}
const bias = pe.alibi(${javascript({ ...own, queries: raw("queries"), keys: raw("keys") })}); // [heads, queries, keys]`,
  };
}

/** The plan of a layer: of the one that is named, or of the first that rotates. */
function ofLayer({ model, layer, layout, length }: { model: Model; layer?: number } & Partial<RotaryOptions>) {
  let end = 0;
  const run = model.layers.find(({ count, plan }) => {
    end += count;
    return layer === undefined ? plan !== null : layer < end;
  });
  const found = model.plans[(run?.plan as number | undefined) ?? 0];
  const named = layout ?? found?.rotary.layout;
  if (!found || !named) return undefined;
  const plan = { ...found.rotary, layout: named, ...(length !== undefined && { length }) };
  return { plan, firstDim: run?.dims?.first ?? 0, inverse: found.inverse };
}

/** What was meant, of vectors and their caches. */
function meant(expected: ExpectedPlan): Surrounded | undefined {
  if ("type" in expected) return undefined;
  if ("model" in expected) return ofLayer(expected);
  const { firstDim = 0, inverse = false, others: _, ...plan } = expected;
  return { plan: plan as RotaryOptions, firstDim, inverse };
}

function programs(pe: PosencTools, expected: ExpectedPlan | undefined, found: Found): Programs | null {
  if (found.type === "rotary" || found.type === "frequencies") {
    const own = (expected && meant(expected)) ?? found;
    return "axisOfPair" in own && own.axisOfPair ? null : rotary(pe, own);
  }
  if (found.type === "sinusoidal") {
    if (expected && "type" in expected && expected.type === "sinusoidal") return sinusoidal(pe, expected as never, {});
    const { plan, arrangement: order, ...rest } = found;
    return order.startsWith("interleaved-") ? null : sinusoidal(pe, plan, { order, ...rest });
  }
  if (found.type !== "bias" || found.bias !== "alibi" || !found.slopes) return null;
  return alibi(found.slopes, found.slopeRule || "paper", found.steepness ?? 8);
}

/** Permutes dimensions of outputs or rows of weights, multiplies, shifts positions. */
const mends = {
  dims: (order: readonly number[]) => ({
    pytorch: `order = ${list(order)}\ny = y[..., order]`,
    javascript: `const order = ${list(order)};
y = y.map((_, i) => y[i - (i % ${order.length}) + order[i % ${order.length}]]);`,
  }),
  rows: (order: readonly number[]) => ({
    pytorch: `order = ${list(order)}\nw = w.reshape(-1, ${order.length}, w.shape[-1])[:, order].reshape(w.shape)`,
    javascript: `const order = ${list(order)};
w = w.map((_, i) => w[i - (i % ${order.length}) + order[i % ${order.length}]]); // rows`,
  }),
  factor: (factor: number) => ({
    pytorch: `y = y * ${factor}`,
    javascript: `y = y.map((value) => value * ${factor});`,
  }),
  shift: (shift: number) => ({
    pytorch: `positions = positions + ${shift}`,
    javascript: `positions = positions.map((p) => p + ${shift});`,
  }),
};

export function codeOf(pe: PosencTools, expected: ExpectedPlan | undefined, { found, remedy }: Explanation): Code {
  const mended = (["dims", "rows", "factor", "shift"] as const).flatMap((name) => {
    const value = remedy?.[name];
    return value === undefined ? [] : [[name, mends[name](value as never)] as const];
  });
  return { mended, whole: programs(pe, expected, found) };
}
