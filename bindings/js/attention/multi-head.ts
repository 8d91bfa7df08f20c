import { define, inputsFirst, type Size } from "../base/call.js";
import { checkExtents, wrongValue } from "../base/check.js";
import * as is from "../base/kinds.js";
import type * as t from "../types/index.js";
import { checkTerms, wantedOf } from "./attention.js";
import { arraysOf } from "./gradients.js";
import { checkFull, termFields } from "./masked-attention.js";

const layerFields = { weight: is.tensor(2), bias: is.optional(is.tensor(1)) } satisfies is.FieldsOf<t.LinearLayer>;

export const layer = is.group(layerFields);

export const layers = is.group<t.MultiHeadLayers, Record<keyof t.MultiHeadLayers, typeof layer>>({
  query: layer,
  key: layer,
  value: layer,
  out: layer,
});

export const saved = is.group({
  query: is.tensor(),
  key: is.tensor(),
  value: is.tensor(),
  context: is.tensor(),
} satisfies is.FieldsOf<t.MultiHeadSaved>);

const inputFields = {
  query: is.tensor(),
  key: is.optional(is.tensor()),
  value: is.optional(is.tensor()),
  ...termFields,
  layers,
  heads: is.count,
  kvHeads: is.optional(is.count),
} satisfies is.FieldsOf<t.MultiHeadInputs>;

type Inputs = is.ReadOf<typeof inputFields>;
type Layers = Inputs["layers"];

/** How many rows of a layer belong to each head. */
function headDim(name: keyof Layers, layers: Layers, argument: string, heads: number): number {
  const rows = layers[name].weight.shape[0] as number;
  if (heads > 0 && rows % heads === 0) return rows / heads;
  throw wrongValue(argument, heads, `a divisor of ${rows}, the rows of layers.${name}.weight`);
}

/** An input [rows, width] or [batch, rows, width] of the width its layer takes. */
function checkInput(name: "query" | "key" | "value", { shape }: is.ReadTensor, layers: Layers, rank?: number): void {
  const width = layers[name].weight.shape[1];
  const wanted = rank ?? shape.length;
  if ((wanted !== 2 && wanted !== 3) || shape.length !== wanted || shape.at(-1) !== width) {
    const batch = rank === 2 ? "" : rank === 3 ? "batch, " : "[batch,] ";
    throw wrongValue(`${name}.shape`, shape, `[${batch}rows, ${width}], as wide as layers.${name}.weight`);
  }
}

/** The intermediate results of the steps, and the results of forward. */
function sizesOf({ query, key, value, layers, heads, kvHeads = heads, ...terms }: Inputs) {
  for (const [name, { weight, bias }] of Object.entries(layers)) {
    if (bias) checkExtents(`layers.${name}.bias`, bias.shape, weight.shape.slice(0, 1));
  }
  const dim = headDim("query", layers, "heads", heads);
  const valueDim = headDim("value", layers, "kvHeads", kvHeads);
  const rank = query.shape.length;
  checkInput("query", query, layers);
  if (key) checkInput("key", key, layers, rank);
  if (value) checkInput("value", value, layers, rank);
  const queries = query.shape.at(-2) as number;
  const keys = (key ?? query).shape.at(-2) as number;
  checkFull(terms);
  checkTerms(terms, rank === 3 ? (query.shape[0] as number) : 1, keys);
  const lead = query.shape.slice(0, -2);
  return {
    output: { shape: [...lead, queries, layers.out.weight.shape[0] as number], what: "output" },
    weights: { shape: [...lead, heads, queries, keys], what: "weights" },
    "saved.query": { shape: [...lead, heads, queries, dim], what: "query" },
    "saved.key": { shape: [...lead, kvHeads, keys, dim], what: "key" },
    "saved.value": { shape: [...lead, kvHeads, keys, valueDim], what: "value" },
    "saved.context": { shape: [...lead, queries, heads * valueDim], what: "context" },
  };
}

/** Nests results whose names have points as objects. */
function nested(results: readonly (readonly [string, unknown])[]): object {
  const parts = new Map<string, [string, unknown][]>();
  for (const [path, result] of results) {
    const [name = "", ...rest] = path.split(".");
    parts.set(name, [...(parts.get(name) ?? []), [rest.join("."), result]]);
  }
  const partOf = (inner: [string, unknown][]) => (inner[0]?.[0] === "" ? inner[0][1] : nested(inner));
  return Object.fromEntries([...parts].map(([name, inner]) => [name, partOf(inner)]));
}

const made = ["output", "weights", "saved.query", "saved.key", "saved.value", "saved.context"] as const;

const forwardFields = {
  ...inputFields,
  weights: is.optional(is.flag),
} satisfies is.FieldsOf<t.MultiHeadOptions>;

export const multiHeadAttention = define(
  { name: "multiHeadAttention", options: forwardFields, results: arraysOf(made) },
  ({ weights, ...inputs }) => wantedOf(sizesOf(inputs), weights),
  (made) => nested(Object.entries(made)) as t.MultiHeadOutput,
);

const backwardFields = {
  ...inputFields,
  saved,
  gradient: is.tensor(),
} satisfies is.FieldsOf<t.MultiHeadBackwardOptions>;

const gradients = [
  ...["query", "key", "value"],
  ...Object.keys(layers.fields).flatMap((name) => [`layers.${name}.weight`, `layers.${name}.bias`]),
  "bias",
];

export const multiHeadBackward = define(
  { name: "multiHeadBackward", options: backwardFields, results: arraysOf(gradients) },
  ({ saved, gradient, ...inputs }) => {
    const { output, weights: _, ...steps } = sizesOf(inputs);
    for (const [step, { shape }] of Object.entries(steps)) {
      const name = step.split(".").at(-1) as keyof typeof saved;
      checkExtents(`saved.${name}`, saved[name].shape, shape);
    }
    checkExtents("gradient", gradient.shape, output.shape);
    const { query, key, value, bias } = inputs;
    const given = Object.entries({ query, key, value, bias });
    for (const [name, { weight, bias }] of Object.entries(inputs.layers))
      given.push([`layers.${name}.weight`, weight], [`layers.${name}.bias`, bias]);
    return Object.fromEntries(given.map(([name, of]) => [name, of && { shape: of.shape, what: name }]));
  },
  (made) => nested(Object.entries(made)) as t.MultiHeadGradients,
);

const headFields = { heads: is.count } satisfies is.FieldsOf<t.HeadsOptions>;

export const splitHeads = inputsFirst(
  { name: "splitHeads", inputs: { x: is.tensor() }, options: headFields, results: Float32Array },
  ({ x: { shape }, heads }): Size => {
    if (shape.length < 2) throw wrongValue("x.shape", shape, "[..., rows, heads * dim]");
    const [rows, width] = shape.slice(-2) as [number, number];
    if (heads === 0 || width % heads !== 0) throw wrongValue("heads", heads, `a divisor of ${width}, the width of x`);
    return { shape: [...shape.slice(0, -2), heads, rows, width / heads], what: "x" };
  },
);

export const mergeHeads = inputsFirst(
  { name: "mergeHeads", inputs: { x: is.tensor() }, results: Float32Array },
  ({ x: { shape } }): Size => {
    if (shape.length < 3) throw wrongValue("x.shape", shape, "[..., heads, rows, dim]");
    const [heads, rows, dim] = shape.slice(-3) as [number, number, number];
    return { shape: [...shape.slice(0, -3), rows, heads * dim], what: "x" };
  },
);
