import type { Work } from "../../core/computation";
import { type Dialect, float, powers, slices } from "./dialect";

/** Functions that several steps of a program call. */

type Sinusoid = Extract<Work, { does: "sinusoid" }>;

/** Exponents of the base, by the convention. */
function frequencies({ dim, base, exponent = "paper", shift = 0, scale = 1 }: Sinusoid, dialect: Dialect): string {
  const times = scale === 1 ? "" : `${scale} * `;
  if (exponent === "paper") return times + powers(base, Math.ceil(dim / 2), dim, dialect);
  const half = Math.floor(dim / 2);
  const power =
    exponent === "half"
      ? `-${dialect.range(half)} / ${half - shift}`
      : `-4 * ${dialect.range(Math.ceil(dim / 2))} / ${dim}`;
  return `${times}${float(base)} ** (${power})`;
}

/** Sines and cosines in their dimensions. The last one of an odd row lacks its cosine, or is 0. */
function dims({ dim, order = "interleaved", exponent }: Sinusoid, { pairs, join, module }: Dialect): string {
  const isOdd = dim % 2 === 1;
  const isZero = isOdd && exponent === "half";
  const cos = isOdd && !isZero ? "cos[:, :-1]" : "cos";
  const empty = `${module}.zeros_like(positions)[:, None]`;
  const joined = (first: string, second: string) => join([first, second, ...(isZero ? [empty] : [])].join(", "));
  if (order === "split") return joined("sin", cos);
  if (order === "cosines-first") return joined(cos, "sin");
  const whole = pairs("sin", "cos");
  return isZero ? join(`${whole}, ${empty}`) : isOdd ? `${whole}[:, :-1]` : whole;
}

export function sinusoid(step: Sinusoid, dialect: Dialect): string[] {
  const { module, rounded } = dialect;
  const { amplitude = 1 } = step;
  const times = amplitude === 1 ? "" : `${amplitude} * `;
  return [
    "def sinusoid(positions):",
    `    angles = positions[:, None] * ${frequencies(step, dialect)}`,
    `    sin, cos = ${times}${module}.sin(angles), ${times}${module}.cos(angles)`,
    `    return ${rounded(dims(step, dialect))}`,
  ];
}

export function rotate(layout: "interleaved" | "half", dim: number, dialect: Dialect): string[] {
  const { module, rounded, pairs, join } = dialect;
  const [a, b] = slices(layout, "x", dim / 2);
  return [
    "def rotate(x, angles):",
    `    cos, sin = ${rounded(`${module}.cos(angles)`)}, ${rounded(`${module}.sin(angles)`)}`,
    `    a, b = ${a}, ${b}`,
    "    a, b = a * cos - b * sin, a * sin + b * cos",
    `    return ${layout === "interleaved" ? pairs("a", "b") : join("a, b")}`,
  ];
}

export function bound(dim: number, { module, running }: Dialect, range: string): string[] {
  const pairs = dim / 2;
  return [
    "def bound(distances, base):",
    `    angles = distances[:, None] * base ** (-2 * ${range} / ${dim})`,
    `    real, imaginary = ${running(`${module}.cos(angles)`)}, ${running(`${module}.sin(angles)`)}`,
    `    return ${module}.hypot(real, imaginary).sum(-1) / ${(pairs * (pairs + 1)) / 2}`,
  ];
}
