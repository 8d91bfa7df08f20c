// Rotation in a shader: tables of cosines and sines that the library computes, which the shader multiplies.

import { flag, isObject, options as optionsOf, whole, wrongType, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import type { Mrope, Rotary, RotaryShaderOptions, Shader } from "../types/wgsl.js";
import { float, shader } from "./shader.js";

/** Rows of a table that is left to choose: 11 bits of a position, 1 MB with 64 pairs. */
const usualBits = 11;
const mostBits = 31;
const mostBitsOfTable = 16;

function among(argument: string, value: number, least: number, most: number): number {
  if (whole(argument, value) < least || value > most)
    throw wrongValue(argument, value, expected.whole_from_to, { least, most });
  return value;
}

/** The cosines and sines of positions, alternating, [positions, pairs, 2], without the attention factor. */
function rowsOf(rotary: Rotary | Mrope, positions: readonly number[], axes: number): Float32Array<ArrayBuffer> {
  const { cos, sin } =
    axes === 1
      ? (rotary as Rotary).cache({ positions })
      : (rotary as Mrope).cache({
          positions: { data: Array.from({ length: axes }, () => positions).flat(), shape: [axes, positions.length] },
        });
  const values = new Float32Array(2 * cos.data.length);
  const factor = rotary.attentionFactor;
  cos.data.forEach((value, i) => {
    values[2 * i] = value / factor;
    values[2 * i + 1] = (sin.data[i] as number) / factor;
  });
  return values;
}

/** The axis by which each pair turns: the only one whose position changes its sine. */
function axesOf(rotary: Mrope, axes: number, pairs: number): number[] {
  const found: number[] = new Array(pairs).fill(0);
  for (let axis = 1; axis < axes; ++axis) {
    const data = Array.from({ length: axes }, (_, i) => Number(i === axis));
    const { sin } = rotary.cache({ positions: { data, shape: [axes, 1] } });
    sin.data.forEach((value, pair) => {
      if (value !== 0) found[pair] = axis;
    });
  }
  return found;
}

/** Tables whose rows are multiplied: what is uploaded, the bits of a position that each is for, and its row in WGSL. */
interface Tables {
  readonly data: Float32Array<ArrayBuffer>;
  readonly bits: number[];
  readonly rows: string[];
}

function tablesOf(rotary: Rotary | Mrope, axes: number, length: number, wanted: number | undefined): Tables {
  const all = Math.max(1, Math.ceil(Math.log2(length)));
  const many = Math.min(all, wanted ?? Math.ceil(all / usualBits));
  const bits = Array.from({ length: many }, (_, i) => Math.ceil((all - i) / many));
  const positions: number[] = [];
  let shift = 0;
  const rows = bits.map((more) => {
    const digit = `(${shift === 0 ? "position" : `(position >> ${shift}u)`} & ${2 ** more - 1}u)`;
    const row = positions.length === 0 ? digit : `(${positions.length}u + ${digit})`;
    for (let i = 0; i < 2 ** more; ++i) positions.push(i * 2 ** shift);
    shift += more;
    return `tables[${row} * pairs + pair]`;
  });
  return { data: rowsOf(rotary, positions, axes), bits, rows };
}

function rotation({ bits, rows }: Tables, factor: number): string {
  const [first, ...others] = rows;
  const scaled = factor === 1 ? "" : ` * ${float(factor)}`;
  const how = `// A position's turn: the product of rows of tables, for ${bits.join(", ")} bits of it from the lowest on.`;
  const times =
    "fn times(a: vec2f, b: vec2f) -> vec2f { return vec2f(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }\n\n";
  return `${others.length > 0 ? times : ""}${how}
fn rotation(position: u32, pair: u32) -> vec2f {
  return ${others.reduce((turn, row) => `times(${turn}, ${row})`, first as string)}${scaled};
}
`;
}

export function rotaryShader(rotary: Rotary | Mrope, given: RotaryShaderOptions): Shader {
  const names = ["seqAxis", "inverse", "tables", "length"] as const;
  const options = optionsOf<RotaryShaderOptions>(given, names, "rotaryShader");
  const { seqAxis, inverse = false, tables, length = 2 ** mostBits } = options;
  if (!isObject(rotary) || typeof rotary.cache !== "function" || rotary.layout === undefined)
    throw wrongType("rotary", rotary, expected.made_by, { maker: "rotary() or mrope()" });
  among("seqAxis", seqAxis, 0, 1);
  if (tables !== undefined) among("tables", tables, 1, 3);
  among("length", length, 1, Math.min(2 ** mostBits, 2 ** ((tables ?? 3) * mostBitsOfTable)));
  flag("inverse", inverse);
  const { dim, rotaryDim, attentionFactor, layout } = rotary;
  if (layout === "deinterleaved")
    throw wrongValue("rotary.layout", layout, expected.exactly, { value: '"half" or "interleaved"' });
  const axes = "axes" in rotary ? rotary.axes : 1;
  const pairs = rotaryDim / 2;
  const made = tablesOf(rotary, axes, length, tables);
  const ofPairs = axes === 1 ? [] : axesOf(rotary as Mrope, axes, pairs).map((axis) => `${axis}u`);
  const axisTable = axes === 1 ? "" : `const axes = array<u32, ${pairs}>(${ofPairs.join(", ")});\n`;
  const shape = seqAxis === 0 ? "tokens, heads" : "heads, tokens";
  const read = { type: "read-only-storage" } as const;
  return shader({
    entryPoint: "rotate",
    comment: `Rotates ${rotaryDim} of ${dim} dimensions of each head in place, at whole positions below ${length}.`,
    sizes: ["tokens", "heads"],
    buffers: [
      { name: "x", type: "storage", of: "array<f32>", holds: `[${shape}, ${dim}], float32` },
      { name: "positions", ...read, of: "array<u32>", holds: `[${axes > 1 ? `${axes}, ` : ""}tokens], uint32` },
      { name: "tables", ...read, of: "array<vec2f>", holds: `[rows, ${pairs}, 2], float32`, data: made.data },
    ],
    invocations: "sizes.tokens * sizes.heads * pairs",
    invocationsOf: (tokens, heads) => (tokens as number) * (heads as number) * pairs,
    functions: `const pairs = ${pairs}u;\n${axisTable}\n${rotation(made, attentionFactor)}`,
    body: `let pair = index % pairs;
let head = index / pairs;
let token = ${seqAxis === 0 ? "head / sizes.heads" : "head % sizes.tokens"};
let turn = rotation(positions[${axes > 1 ? "axes[pair] * sizes.tokens + " : ""}token], pair);
let first = head * ${dim}u + ${layout === "half" ? "pair" : "2u * pair"};
let second = first + ${layout === "half" ? "pairs" : "1u"};
let a = x[first];
let b = x[second];
x[first] = a * turn.x ${inverse ? "+" : "-"} b * turn.y;
x[second] = ${inverse ? "b * turn.x - a * turn.y" : "a * turn.y + b * turn.x"};`,
  });
}
