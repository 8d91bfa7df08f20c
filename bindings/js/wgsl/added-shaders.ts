// What is added in a shader: a row of a table to each token, a bias to each score.

import { isObject, options as optionsOf, wrongShape, wrongType, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import type { Tensor } from "../types/base.js";
import type { AlibiShaderOptions, Shader } from "../types/wgsl.js";
import { type Buffer, shader } from "./shader.js";

/** A tensor's values, copied, and its two extents. */
function matrix(
  argument: string,
  given: Tensor,
  wanted: readonly string[],
): [Float32Array<ArrayBuffer>, number, number] {
  if (!isObject(given) || !(given.data instanceof Float32Array)) throw wrongType(argument, given, expected.tensor);
  const { data, shape } = given;
  const [rows = 0, columns = 0] = shape;
  if (shape.length !== 2 || rows * columns !== data.length || data.length === 0)
    throw wrongShape(argument, shape, wanted);
  return [Float32Array.from(data), rows, columns];
}

const readOnly = (name: string, holds: string, data?: Float32Array<ArrayBuffer>): Buffer => ({
  name,
  type: "read-only-storage",
  of: data ? "array<f32>" : "array<u32>",
  holds,
  data,
});

export function tableShader(table: Tensor): Shader {
  const [data, rows, dim] = matrix("table", table, ["rows", "dim"]);
  return shader({
    entryPoint: "add",
    comment: `Adds the row of each token's position to it. Tokens at positions from ${rows} on stay as they are.`,
    sizes: ["tokens"],
    buffers: [
      { name: "x", type: "storage", of: "array<f32>", holds: `[tokens, ${dim}], float32` },
      readOnly("positions", "[tokens], uint32"),
      readOnly("table", `[${rows}, ${dim}], float32`, data),
    ],
    invocations: "sizes.tokens * dim",
    invocationsOf: (tokens) => (tokens as number) * dim,
    functions: `const dim = ${dim}u;\n`,
    body: `let position = positions[index / dim];
if (position < ${rows}u) { x[index] += table[position * dim + index % dim]; }`,
  });
}

/** Adds what a function of head and distance gives to scores [heads, queries, keys]. */
const biasShader = (comment: string, values: Buffer, functions: string): Shader =>
  shader({
    entryPoint: "add_bias",
    comment: `${comment}\nQuery i is at position i + offset, key j at position j.`,
    sizes: ["heads", "queries", "keys"],
    offsets: ["offset"],
    buffers: [{ name: "scores", type: "storage", of: "array<f32>", holds: "[heads, queries, keys], float32" }, values],
    invocations: "sizes.heads * sizes.queries * sizes.keys",
    invocationsOf: (heads, queries, keys) => (heads as number) * (queries as number) * (keys as number),
    functions,
    body: `let key = index % sizes.keys;
let query = index / sizes.keys % sizes.queries;
let head = index / sizes.keys / sizes.queries;
scores[index] += bias(head, i32(key) - i32(query) - sizes.offset);`,
  });

export function alibiShader(given: AlibiShaderOptions): Shader {
  const { slopes, distance = "symmetric" } = optionsOf<AlibiShaderOptions>(
    given,
    ["slopes", "distance"],
    "alibiShader",
  );
  const values = slopes instanceof Float32Array ? slopes : (slopes as { data?: unknown } | undefined)?.data;
  if (!(values instanceof Float32Array))
    throw wrongType("slopes", slopes, expected.array_of, { items: "float32 slopes" });
  if (distance !== "symmetric" && distance !== "linear")
    throw wrongValue("distance", distance, expected.one_of, { names: '"symmetric", "linear"' });
  return biasShader(
    `Adds ALiBi's bias of ${values.length} heads to scores.`,
    readOnly("slopes", `[${values.length}], float32`, Float32Array.from(values)),
    `fn bias(head: u32, distance: i32) -> f32 { return slopes[head] * f32(${distance === "linear" ? "distance" : "-abs(distance)"}); }\n`,
  );
}

export function relativeBiasShader(bias: Tensor): Shader {
  const [data, heads, width] = matrix("bias", bias, ["heads", "2 * distances + 1"]);
  if (width % 2 === 0) throw wrongShape("bias", bias.shape, ["heads", "an odd number"]);
  const reach = (width - 1) / 2;
  return biasShader(
    `Adds the bias of a head and a distance, key - query, to scores; that of ${reach} is also that of what is farther.`,
    readOnly("biases", `[${heads}, ${width}], float32`, data),
    `fn bias(head: u32, distance: i32) -> f32 {
  return biases[head * ${width}u + u32(clamp(distance, -${reach}, ${reach}) + ${reach})];
}
`,
  );
}
