import type { Right } from "../protocol";
import { list } from "./literal";

/** What differs between PyTorch and NumPy with JAX. */
export interface Dialect {
  readonly import: string;
  readonly module: string;
  /** 0, 1, … below a number, as doubles. */
  range(count: number | string): string;
  array(values: string): string;
  double(name: string): string;
  stored(name: string, like: string): string;
  join(parts: string): string;
  pairs(a: string, b: string): string;
}

export const pytorch: Dialect = {
  import: "import torch",
  module: "torch",
  range: (count) => `torch.arange(${count}, dtype=torch.float64)`,
  array: (values) => `torch.tensor(${values}, dtype=torch.float64)`,
  double: (name) => `${name}.to(torch.float64)`,
  stored: (name, like) => `${name}.to(${like}.dtype)`,
  join: (parts) => `torch.cat((${parts}), dim=-1)`,
  pairs: (a, b) => `torch.stack((${a}, ${b}), dim=-1).flatten(-2)`,
};

export const jax: Dialect = {
  // Angles in NumPy's doubles: JAX has float32 unless it is told otherwise.
  import: "import jax.numpy as jnp\nimport numpy as np",
  module: "np",
  range: (count) => `np.arange(${count}, dtype=np.float64)`,
  array: (values) => `np.array(${values}, dtype=np.float64)`,
  double: (name) => `np.asarray(${name}, dtype=np.float64)`,
  stored: (name, like) => `jnp.asarray(${name}, dtype=${like}.dtype)`,
  join: (parts) => `jnp.concatenate((${parts}), axis=-1)`,
  pairs: (a, b) => `jnp.stack((${a}, ${b}), axis=-1).reshape(*${a}.shape[:-1], -1)`,
};

type Rotary = Extract<Right, { type: "rotary" }>;
type Sinusoidal = Extract<Right, { type: "sinusoidal" }>;

/** A formula where there is one, else the numbers of the library. */
function frequencies({ plan, frequencies: values }: Rotary, { range, array }: Dialect): string {
  const { dim, rotaryDim = dim, exponentDim = rotaryDim, base = 10000, exponent = "paper", scaling } = plan;
  const isPlain = exponent === "paper" && (scaling === undefined || scaling.type === "default");
  if (!isPlain) return `inv_freq = ${array(list(values))}`;
  const float = Number.isSafeInteger(base) ? `${base}.0` : String(base);
  return `inv_freq = ${float} ** (-2 * ${range(rotaryDim / 2)} / ${exponentDim})`;
}

/** Slices of the last axis: the pairs' first lanes and their second ones. */
const slices = (layout: string, name: string, half: number): readonly [string, string] =>
  layout === "half"
    ? [`${name}[..., :${half}]`, `${name}[..., ${half}:]`]
    : [`${name}[..., 0::2]`, `${name}[..., 1::2]`];

function rotary(right: Rotary, dialect: Dialect): string {
  const { plan, firstLane, heads, inverse, offset, factor, layout } = right;
  const { rotaryDim = plan.dim } = plan;
  const last = firstLane + rotaryDim;
  const isSlice = firstLane > 0 || last < heads;
  const part = isSlice ? "part" : "x";
  const [a, b] = slices(layout, part, rotaryDim / 2);
  const scaled = factor === 1 ? "" : ` * ${factor}`;
  const [plus, minus] = inverse ? ["-", "+"] : ["+", "-"];
  const { module, double, stored, join, pairs } = dialect;
  const whole = layout === "interleaved" ? pairs("a", "b") : join("a, b");
  const around = [firstLane > 0 ? `x[..., :${firstLane}]` : "", whole, last < heads ? `x[..., ${last}:]` : ""];
  return [
    dialect.import,
    "",
    frequencies(right, dialect),
    "",
    "",
    `def rotate(x, positions):  # x [..., tokens, ${heads}], positions [tokens]`,
    `    angles = ${offset === 0 ? double("positions") : `(${double("positions")} + ${offset})`}[:, None] * inv_freq`,
    `    cos = ${stored(`(${module}.cos(angles)${scaled})`, "x")}`,
    `    sin = ${stored(`(${module}.sin(angles)${scaled})`, "x")}`,
    ...(isSlice ? [`    part = x[..., ${firstLane}:${last}]`] : []),
    `    a, b = ${a}, ${b}`,
    `    a, b = a * cos ${minus} b * sin, b * cos ${plus} a * sin`,
    `    return ${isSlice ? join(around.filter(Boolean).join(", ")) : whole}`,
  ].join("\n");
}

function sinusoidal({ dim, order, offset, amplitude, frequencies: values }: Sinusoidal, dialect: Dialect): string {
  const { module, double, array, pairs, join } = dialect;
  const put: Readonly<Record<string, string>> = {
    interleaved: pairs("sin", "cos"),
    split: join("sin, cos"),
    "cosines-first": join("cos, sin"),
  };
  const times = amplitude === 1 ? "" : `${amplitude} * `;
  return [
    dialect.import,
    "",
    `frequencies = ${array(list(values))}`,
    "",
    "",
    `def table(positions):  # [tokens] gives [tokens, ${dim}]; the first position is ${offset}`,
    `    angles = ${double("positions")}[:, None] * frequencies`,
    `    sin, cos = ${times}${module}.sin(angles), ${times}${module}.cos(angles)`,
    `    return ${put[order] ?? put.interleaved}`,
  ].join("\n");
}

function alibi(slopes: readonly number[], { import: first, module, range, array }: Dialect): string {
  return [
    first,
    "",
    `slopes = ${array(list(slopes))}`,
    "",
    "",
    "def bias(queries, keys):  # [heads, queries, keys]; the last query stands at the last key",
    `    distance = ${range("keys")}[None, :] - (${range("queries")} + keys - queries)[:, None]`,
    `    return -slopes[:, None, None] * ${module}.abs(distance)`,
  ].join("\n");
}

/** A function that does it. */
export function python(right: Right, dialect: Dialect): string {
  if (right.type === "rotary") return rotary(right, dialect);
  if (right.type === "sinusoidal") return sinusoidal(right, dialect);
  return alibi(right.slopes, dialect);
}
