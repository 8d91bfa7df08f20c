// Multi-head self-attention in plain JavaScript, by the functions of attention.mjs.

import { attention, attentionBackward, exchangeAxes, linear, linearBackward } from "./attention.mjs";

const PROJECTED = ["query", "key", "value"];

/** x [n, width], weights [width, width] under the names of the layers. */
export function multiHead(arrays, out, { n, width, heads }) {
  const dim = width / heads;
  const made = {};
  const between = new Float32Array(n * width);
  for (const name of PROJECTED) {
    linear({ x: arrays.x, weight: arrays[name] }, between, n, width, width);
    made[name] = new Float32Array(n * width);
    exchangeAxes(between, made[name], n, heads, dim);
  }
  const output = new Float32Array(n * width);
  attention(made, output, { heads, queries: n, dim });
  exchangeAxes(output, between, heads, n, dim);
  linear({ x: between, weight: arrays.out }, out, n, width, width);
  return { ...made, context: between };
}

/** The gradients of x and of the layers' weights, from what the forward pass left. */
export function multiHeadBackward({ x, ...arrays }, saved, out, { n, width, heads }) {
  const dim = width / heads;
  const size = n * width;
  const context = { x: new Float32Array(size), weight: out.out, bias: new Float32Array(width) };
  linearBackward({ x: saved.context, weight: arrays.out, gradient: arrays.gradient }, context, n, width, width);
  const gradient = new Float32Array(size);
  exchangeAxes(context.x, gradient, n, heads, dim);
  const inner = Object.fromEntries(PROJECTED.map((name) => [name, new Float32Array(size)]));
  attentionBackward({ ...saved, gradient }, inner, { heads, n, dim });
  out.x.fill(0);
  for (const name of PROJECTED) {
    exchangeAxes(inner[name], gradient, heads, n, dim);
    const layer = { x: context.x, weight: out[name], bias: context.bias };
    linearBackward({ x, weight: arrays[name], gradient }, layer, n, width, width);
    for (let i = 0; i < size; ++i) out.x[i] += layer.x[i];
  }
}
