import type { FullModule } from "posenc-module";
import { biasTensor, lendTerms, termKeys } from "./attention-options.js";
import { options as checkOptions, count, shaped, tensor, unwrap, wrongValue } from "./check.js";
import { arrayOf, type Borrower, borrowForAll, lendArguments, lendResult, noArray } from "./memory.js";
import type {
  LinearLayer,
  MultiHeadBackwardOptions,
  MultiHeadGradients,
  MultiHeadInputs,
  MultiHeadOptions,
  MultiHeadResult,
  MultiHeadSaved,
  Tensor,
} from "./types/index.js";

const inputKeys = ["query", "key", "value"] as const;
const layerNames = ["query", "key", "value", "out"] as const;
const savedNames = ["query", "key", "value", "weights", "context"] as const;
const multiHeadKeys = [...inputKeys, ...termKeys, "layers", "heads", "kvHeads"] as const;

function checkLayer(name: string, layer: LinearLayer) {
  const where = `layers.${name}`;
  layer = checkOptions(layer, ["weight", "bias"], where);
  const weight = tensor(`${where}.weight`, layer.weight, 2);
  const [out, width] = weight.shape as [number, number];
  const bias = layer.bias && { data: shaped(`${where}.bias`, layer.bias, [out]), shape: [out] };
  return { weight, bias, out, width };
}

/** How many rows of a layer belong to each head. */
function headDim(name: string, rows: number, heads: number, argument: string): number {
  if (heads === 0 || rows % heads !== 0) {
    throw wrongValue(argument, heads, `a divisor of ${rows}, the rows of layers.${name}.weight`);
  }
  return rows / heads;
}

/** An input [rows, width] or [batch, rows, width] of the width its layer takes. */
function checkInput(name: string, value: Tensor, layer: string, width: number, rank?: number) {
  const { data, shape } = tensor(name, value);
  const wanted = rank ?? shape.length;
  if ((wanted !== 2 && wanted !== 3) || shape.length !== wanted || shape.at(-1) !== width) {
    const batch = rank === 2 ? "" : rank === 3 ? "batch, " : "[batch,] ";
    throw wrongValue(`${name}.shape`, shape, `[${batch}rows, ${width}], as wide as layers.${layer}.weight`);
  }
  return { data, shape, rows: shape.at(-2) as number };
}

/** Everything that forward and backward are given alike. */
function multiHeadInputs(options: MultiHeadInputs) {
  const given = checkOptions(options.layers, layerNames, "layers");
  const layers = {
    query: checkLayer("query", given.query),
    key: checkLayer("key", given.key),
    value: checkLayer("value", given.value),
    out: checkLayer("out", given.out),
  };
  const heads = count("heads", options.heads);
  const kvHeads = count("kvHeads", options.kvHeads ?? heads);
  const dim = headDim("query", layers.query.out, heads, "heads");
  const valueDim = headDim("value", layers.value.out, kvHeads, "kvHeads");
  const query = checkInput("query", options.query, "query", layers.query.width);
  const rank = query.shape.length;
  const key = options.key && checkInput("key", options.key, "key", layers.key.width, rank);
  const value = options.value && checkInput("value", options.value, "value", layers.value.width, rank);
  const batch = rank === 3 ? (query.shape[0] as number) : 1;
  const queries = query.rows;
  const keys = (key ?? query).rows;
  const extents = { batch, heads, kvHeads, queries, keys, dim, valueDim };
  const widths = [layers.query.width, layers.key.width, layers.value.width, layers.out.out];
  const lead = query.shape.slice(0, -2);
  const saved = {
    query: [...lead, heads, queries, dim],
    key: [...lead, kvHeads, keys, dim],
    value: [...lead, kvHeads, keys, valueDim],
    weights: [...lead, heads, queries, keys],
    context: [...lead, queries, heads * valueDim],
  };
  const output = [...lead, queries, layers.out.out];
  return { layers, query, key, value, extents, widths, saved, output };
}

type Inputs = ReturnType<typeof multiHeadInputs>;

/** The numbers of all that, in the core's order. */
function lendGiven(memory: Borrower, { extents, widths, layers, ...inputs }: Inputs, options: MultiHeadInputs) {
  const { numbers, maskMeaning } = lendTerms(memory, options, extents);
  const lend = (name: string, given: { data: Float32Array } | undefined) =>
    given ? arrayOf(memory.floatsFrom(given.data, name)) : noArray;
  const arrays = [
    ...layerNames.flatMap((name) => [
      ...lend(`layers.${name}.weight`, layers[name].weight),
      ...lend(`layers.${name}.bias`, layers[name].bias),
    ]),
    ...inputKeys.flatMap((name) => lend(name, inputs[name])),
  ];
  return { list: [...Object.values(extents), ...widths, ...numbers, ...arrays], maskMeaning };
}

/** The weights are saved and a result too: they are one array. */
const savedOut = (name: string) => (name === "weights" ? "out.weights" : `out.saved.${name}`);
const forwardOuts = ["out.output", ...savedNames.map(savedOut)];

export function multiHeadAttention(module: FullModule, options: MultiHeadOptions): MultiHeadResult {
  options = checkOptions(options, [...multiHeadKeys, "out"], "multiHeadAttention");
  const inputs = multiHeadInputs(options);
  return borrowForAll(module, options.out, forwardOuts, (memory) => {
    const { list, maskMeaning } = lendGiven(memory, inputs, options);
    const lent = savedNames.map((name) => lendResult(memory, inputs.saved[name], name, savedOut(name)));
    const output = lendResult(memory, inputs.output, "output", "out.output");
    list.push(...lent.flatMap(({ array }) => array), ...output.array);
    unwrap(module.multiHead(lendArguments(memory, list), maskMeaning));
    const [query, key, value, weights, context] = lent.map(({ taken }) => taken()) as [
      Tensor,
      Tensor,
      Tensor,
      Tensor,
      Tensor,
    ];
    return { output: output.taken(), weights, saved: { query, key, value, weights, context } };
  });
}

/** Room for a layer's gradients. */
function lendLayer(memory: Borrower, name: string, { weight, bias }: Inputs["layers"]["query"]) {
  const dWeight = lendResult(memory, weight.shape, "a weight", `out.layers.${name}.weight`);
  const dBias = bias && lendResult(memory, bias.shape, "a bias", `out.layers.${name}.bias`);
  return {
    array: [...dWeight.array, ...(dBias?.array ?? noArray)],
    taken: (): LinearLayer => ({ weight: dWeight.taken(), ...(dBias && { bias: dBias.taken() }) }),
  };
}

export function multiHeadBackward(module: FullModule, options: MultiHeadBackwardOptions): MultiHeadGradients {
  options = checkOptions(options, [...multiHeadKeys, "saved", "gradient", "out"], "multiHeadBackward");
  const inputs = multiHeadInputs(options);
  const saved: MultiHeadSaved = checkOptions(options.saved, savedNames, "saved");
  const kept = savedNames.map((name) => shaped(`saved.${name}`, saved[name], inputs.saved[name]));
  const gradient = shaped("gradient", options.gradient, inputs.output);
  const bias = biasTensor(options);
  const outs = [
    ...["query", inputs.key && "key", inputs.value && "value", bias && "bias"].filter(Boolean),
    ...layerNames.flatMap((name) => [
      `layers.${name}.weight`,
      ...(inputs.layers[name].bias ? [`layers.${name}.bias`] : []),
    ]),
  ].map((name) => `out.${name}`);
  return borrowForAll(module, options.out, outs, (memory) => {
    const { list } = lendGiven(memory, inputs, options);
    const arrays = kept.map((data, at) => arrayOf(memory.floatsFrom(data, savedNames[at] as string)));
    const query = lendResult(memory, inputs.query.shape, "query", "out.query");
    const key = inputs.key && lendResult(memory, inputs.key.shape, "key", "out.key");
    const value = inputs.value && lendResult(memory, inputs.value.shape, "value", "out.value");
    const lent = layerNames.map((name) => lendLayer(memory, name, inputs.layers[name]));
    const added = bias && lendResult(memory, bias.shape, "bias", "out.bias");
    list.push(
      ...arrays.flat(),
      ...arrayOf(memory.floatsFrom(gradient, "gradient")),
      ...query.array,
      ...(key?.array ?? noArray),
      ...(value?.array ?? noArray),
      ...lent.flatMap(({ array }) => array),
      ...(added?.array ?? noArray),
    );
    unwrap(module.multiHeadBackward(lendArguments(memory, list)));
    const [dQuery, dKey, dValue, dOut] = lent.map(({ taken }) => taken()) as [
      LinearLayer,
      LinearLayer,
      LinearLayer,
      LinearLayer,
    ];
    return {
      query: query.taken(),
      ...(key && { key: key.taken() }),
      ...(value && { value: value.taken() }),
      layers: { query: dQuery, key: dKey, value: dValue, out: dOut },
      ...(added && { bias: added.taken() }),
    };
  });
}
