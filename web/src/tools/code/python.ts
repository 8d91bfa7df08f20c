import { list } from "../../code/literal";
import { type Dialect, powers, slices } from "../../code/python/dialect";
import type { Right } from "../protocol";

type Rotary = Extract<Right, { type: "rotary" }>;
type Sinusoidal = Extract<Right, { type: "sinusoidal" }>;

/** A formula where there is one, else the numbers of the library. */
function frequencies({ plan, frequencies: values }: Rotary, dialect: Dialect): string {
  const { dim, rotaryDim = dim, exponentDim = rotaryDim, base = 10000, exponent = "paper", scaling } = plan;
  const isPlain = exponent === "paper" && (scaling === undefined || scaling.type === "default");
  if (!isPlain) return `inv_freq = ${dialect.array(list(values))}`;
  return `inv_freq = ${powers(base, rotaryDim / 2, exponentDim, dialect)}`;
}

function rotary(right: Rotary, dialect: Dialect): string {
  const { plan, firstDim, heads, inverse, offset, factor, layout } = right;
  const { rotaryDim = plan.dim } = plan;
  const last = firstDim + rotaryDim;
  const isSlice = firstDim > 0 || last < heads;
  const part = isSlice ? "part" : "x";
  const [a, b] = slices(layout, part, rotaryDim / 2);
  const scaled = factor === 1 ? "" : ` * ${factor}`;
  const [plus, minus] = inverse ? ["-", "+"] : ["+", "-"];
  const { module, double, stored, join, pairs } = dialect;
  const whole = layout === "interleaved" ? pairs("a", "b") : join("a, b");
  const around = [firstDim > 0 ? `x[..., :${firstDim}]` : "", whole, last < heads ? `x[..., ${last}:]` : ""];
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
    ...(isSlice ? [`    part = x[..., ${firstDim}:${last}]`] : []),
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
