import { list } from "../../code/literal";
import { float } from "../../code/python";
import type { Right } from "../protocol";

type Rotary = Extract<Right, { type: "rotary" }>;
type Sinusoidal = Extract<Right, { type: "sinusoidal" }>;

const doubles = (values: string) => `torch.tensor(${values}, dtype=torch.float64)`;

/** Writes positions as doubles in a column, moved by `offset`. */
const column = (offset: number) =>
  offset === 0 ? "positions.to(torch.float64)[:, None]" : `(positions.to(torch.float64) + ${offset})[:, None]`;

/** Writes the rows of pairs whose first and second dimensions are in a and b. */
const joined = (layout: string, a: string, b: string) =>
  layout === "interleaved"
    ? `torch.stack((${a}, ${b}), dim=-1).reshape(*${a}.shape[:-1], -1)`
    : `torch.cat((${a}, ${b}), dim=-1)`;

/** Writes the frequencies as a formula if they follow the paper's, else as numbers of the library. */
function frequencies({ plan, frequencies: values }: Rotary): string {
  const { dim, rotaryDim = dim, exponentDim = rotaryDim, base = 10000, exponent = "paper", scaling } = plan;
  const isPlain = exponent === "paper" && (scaling === undefined || scaling.type === "default");
  if (!isPlain) return doubles(list(values));
  return `${float(base)} ** (-2 * torch.arange(${rotaryDim / 2}, dtype=torch.float64) / ${exponentDim})`;
}

function rotary(right: Rotary): string {
  const { plan, firstDim, heads, inverse, offset, factor, layout } = right;
  const { rotaryDim = plan.dim } = plan;
  const last = firstDim + rotaryDim;
  const half = rotaryDim / 2;
  const slices = layout === "half" ? [`[..., :${half}]`, `[..., ${half}:]`] : ["[..., 0::2]", "[..., 1::2]"];
  const scaled = factor === 1 ? "" : ` * ${factor}`;
  const [plus, minus] = inverse ? ["-", "+"] : ["+", "-"];
  const parts = [
    ...(firstDim > 0 ? [`x[..., :${firstDim}]`] : []),
    "rotated",
    ...(last < heads ? [`x[..., ${last}:]`] : []),
  ];
  return `import torch

inv_freq = ${frequencies(right)}


def rotate(x, positions):  # x [..., tokens, ${heads}], positions [tokens]
    angles = ${column(offset)} * inv_freq
    cos = (torch.cos(angles)${scaled}).to(x.dtype)
    sin = (torch.sin(angles)${scaled}).to(x.dtype)
    part = x[..., ${firstDim}:${last}]
    a, b = part${slices[0]}, part${slices[1]}
    a, b = a * cos ${minus} b * sin, b * cos ${plus} a * sin
    rotated = ${joined(layout, "a", "b")}
    return ${parts.length > 1 ? `torch.cat((${parts.join(", ")}), dim=-1)` : "rotated"}`;
}

function sinusoidal({ dim, order, offset, amplitude, frequencies: values }: Sinusoidal): string {
  const [first, second] = order === "cosines-first" ? ["cos", "sin"] : ["sin", "cos"];
  const times = amplitude === 1 ? "" : `${amplitude} * `;
  return `import torch

frequencies = ${doubles(list(values))}


def table(positions):  # [tokens] gives [tokens, ${dim}]; the first position is ${offset}
    angles = ${column(0)} * frequencies
    sin, cos = ${times}torch.sin(angles), ${times}torch.cos(angles)
    return ${joined(order === "interleaved" ? order : "half", first, second)}`;
}

const alibi = (slopes: readonly number[]) => `import torch

slopes = ${doubles(list(slopes))}


def bias(queries, keys):  # [heads, queries, keys]; the last query is at the position of the last key
    distance = torch.arange(keys)[None, :] - (torch.arange(queries) + keys - queries)[:, None]
    return -slopes[:, None, None] * torch.abs(distance)`;

/** Writes a function for PyTorch that computes this convention. */
export function torch(right: Right): string {
  if (right.type === "rotary") return rotary(right);
  return right.type === "sinusoidal" ? sinusoidal(right) : alibi(right.slopes);
}
