// Reads what an ONNX graph does with positions (onnx.proto of ONNX): its nodes that rotate or attend, with their attributes,
// and the arrays that they take, whose values are not read here.

import type { ByteSource, FileArray, OnnxModel, OnnxNode, OnnxOptions } from "../types/files.js";
import { type Listed, StoredArray } from "./file-array.js";
import { type Field, fieldsOf, textOf, varint } from "./protobuf.js";
import { type Section, sectionOf, wrongFile } from "./section.js";
import { bytesOf, isCount, otherType, type TypeNames, typeNamed } from "./stored-types.js";
import { Walker } from "./walker.js";

/** Limits of a graph: names have fewer bytes, graphs fewer nodes and weights, tensors fewer axes. */
const [longestName, mostNodes, mostArrays, mostAxes, deepest] = [2 ** 12, 2 ** 20, 2 ** 18, 16, 8];

/** Types of tensors by their numbers in onnx.proto. */
const types: TypeNames = {
  1: "float32",
  2: "uint8",
  3: "int8",
  4: "uint16",
  5: "int16",
  6: "int32",
  7: "int64",
  9: "bool",
  10: "float16",
  11: "float64",
  12: "uint32",
  13: "uint64",
  16: "bfloat16",
};

/**
 * Operators that concern positions, by domain and name: which of their inputs are the cosines and the sines
 * (RotaryEmbedding and Attention of ONNX since opset 23, docs/Operators.md; docs/ContribOperators.md of onnxruntime).
 */
const operators: { readonly [name: string]: readonly [number, number] | null } = {
  RotaryEmbedding: [1, 2],
  Attention: null,
  "com.microsoft.RotaryEmbedding": [2, 3],
  "com.microsoft.GroupQueryAttention": [7, 8],
  "com.microsoft.MultiHeadAttention": null,
  "com.microsoft.Attention": null,
};

interface Tensor {
  readonly name: string;
  readonly type: number;
  readonly shape: readonly number[];
  /** Where its values are in this file. */
  readonly place: { readonly from: number; readonly to: number } | undefined;
  readonly external: ReadonlyMap<string, string> | undefined;
}

interface Graph {
  readonly opsets: Map<string, number>;
  readonly nodes: OnnxNode[];
  readonly tensors: Map<string, Tensor>;
}

class GraphReader {
  readonly graph: Graph = { opsets: new Map(), nodes: [], tensors: new Map() };
  #nodes = 0;

  constructor(readonly walker: Walker) {}

  async model(): Promise<void> {
    let hasGraph = false;
    for await (const field of fieldsOf(this.walker, this.walker.section.size)) {
      if (field.number === 7 && field.wire === 2) {
        if (hasGraph) throw this.walker.fail("two graphs, expected one");
        hasGraph = true;
        await this.readGraph(field.to, 0);
      } else if (field.number === 8 && field.wire === 2) await this.opset(field.to);
    }
    if (!hasGraph) throw this.walker.fail("no graph, expected an ONNX model");
  }

  async opset(to: number): Promise<void> {
    let [domain, version] = ["", 0];
    for await (const field of fieldsOf(this.walker, to)) {
      if (field.number === 1 && field.wire === 2) domain = await this.name(field, "a domain");
      else if (field.number === 2 && field.wire === 0) version = field.value;
    }
    this.graph.opsets.set(domain === "ai.onnx" ? "" : domain, version);
  }

  name(field: Field, what: string): Promise<string> {
    return textOf(this.walker, field, what, longestName);
  }

  async readGraph(to: number, depth: number): Promise<void> {
    if (depth > deepest) throw this.walker.fail(`graphs within more than ${deepest} graphs, expected fewer`);
    for await (const field of fieldsOf(this.walker, to)) {
      if (field.wire !== 2) continue;
      if (field.number === 1) await this.node(field.to, depth);
      else if (field.number === 5) this.add(await this.tensor(field.to), depth);
    }
  }

  add(tensor: Tensor, depth: number): void {
    const { tensors } = this.graph;
    let { name } = tensor;
    if (name === "") return;
    if (depth === 0 && tensors.has(name)) throw this.walker.fail(`tensor ${name}: twice, expected each name once`);
    if (tensors.size === mostArrays) throw this.walker.fail(`more than ${mostArrays} tensors, expected fewer`);
    // The graphs of two branches may have the same names.
    while (tensors.has(name)) name += `'${tensors.size}`;
    tensors.set(name, { ...tensor, name });
  }

  async node(to: number, depth: number): Promise<void> {
    this.#nodes += 1;
    if (this.#nodes > mostNodes) throw this.walker.fail(`more than ${mostNodes} nodes, expected fewer`);
    const inputs: string[] = [];
    const attributes: { [name: string]: number } = {};
    let [output, name, operator, domain] = ["", "", "", ""];
    let constant: Tensor | undefined;
    for await (const field of fieldsOf(this.walker, to)) {
      if (field.wire !== 2) continue;
      if (field.number === 1 && inputs.length < 64) inputs.push(await this.name(field, "an input"));
      else if (field.number === 2 && output === "") output = await this.name(field, "an output");
      else if (field.number === 3) name = await this.name(field, "the name of a node");
      else if (field.number === 4) operator = await this.name(field, "an operator");
      else if (field.number === 7) domain = await this.name(field, "a domain");
      else if (field.number === 5) constant = (await this.attribute(field.to, depth, attributes)) ?? constant;
    }
    if (domain === "ai.onnx") domain = "";
    // A constant is an initializer in another place.
    if (operator === "Constant" && domain === "" && constant) this.add({ ...constant, name: output }, depth);
    const key = domain === "" ? operator : `${domain}.${operator}`;
    if (!Object.hasOwn(operators, key)) return;
    const places = operators[key];
    const [cos, sin] = places ? places.map((place) => inputs[place] ?? "") : [];
    this.graph.nodes.push({ name, domain, operator, attributes, ...(cos && sin && { cos, sin }) });
  }

  /** Reads numbers, by name, and what is in graphs; gives the tensor of a constant. */
  async attribute(to: number, depth: number, all: { [name: string]: number }): Promise<Tensor | undefined> {
    let name = "";
    let value: number | undefined;
    let tensor: Tensor | undefined;
    for await (const field of fieldsOf(this.walker, to)) {
      if (field.number === 1 && field.wire === 2) name = await this.name(field, "the name of an attribute");
      else if (field.number === 2 && field.wire === 5) {
        await this.walker.need(4);
        value = this.walker.take(4, (view, at) => view.getFloat32(at, true));
      } else if (field.number === 3 && field.wire === 0) value = field.value;
      else if (field.number === 5 && field.wire === 2) tensor = await this.tensor(field.to);
      else if ((field.number === 6 || field.number === 11) && field.wire === 2)
        await this.readGraph(field.to, depth + 1);
    }
    if (value !== undefined && /^\w{1,64}$/.test(name))
      Object.defineProperty(all, name, { value, enumerable: true, configurable: true });
    return tensor;
  }

  async tensor(to: number): Promise<Tensor> {
    const shape: number[] = [];
    const external = new Map<string, string>();
    let [name, type, isExternal] = ["", 0, false];
    let place: Tensor["place"];
    const axis = (extent: number) => {
      if (!isCount(extent)) throw this.walker.fail(`tensor ${name}: an extent ${extent}`);
      if (shape.length === mostAxes) throw this.walker.fail(`tensor ${name}: more than ${mostAxes} axes`);
      shape.push(extent);
    };
    for await (const field of fieldsOf(this.walker, to)) {
      const { number, wire, from } = field;
      if (number === 1 && wire === 0) axis(field.value);
      else if (number === 1 && wire === 2) for (const extent of await this.list(field.to)) axis(extent);
      else if (number === 2 && wire === 0) type = field.value;
      else if (number === 8 && wire === 2) name = await this.name(field, "the name of a tensor");
      // Lists of floats and doubles have the bytes of raw data.
      else if (wire === 2 && (number === 9 || (number === 4 && type === 1) || (number === 10 && type === 11)))
        place = { from, to: field.to };
      else if (number === 13 && wire === 2) await this.entry(field.to, external);
      else if (number === 14 && wire === 0) isExternal = field.value === 1;
    }
    return { name, type, shape, place, external: isExternal ? external : undefined };
  }

  async list(to: number): Promise<number[]> {
    const all: number[] = [];
    // A list is a run of numbers without keys.
    while (this.walker.place < to && all.length <= mostAxes) all.push(await varint(this.walker, to));
    return all;
  }

  async entry(to: number, all: Map<string, string>): Promise<void> {
    let [key, value] = ["", ""];
    for await (const field of fieldsOf(this.walker, to)) {
      if (field.wire !== 2) continue;
      if (field.number === 1) key = await this.name(field, "a key");
      else if (field.number === 2) value = await this.name(field, "a value");
    }
    if (all.size < 16) all.set(key, value);
  }
}

/** A path within the model's folder, as the format wants it; throws for any other. */
function checkPath(file: string, location: string): void {
  const parts = location.split("/");
  const isWithin = parts.every((part) => part !== "" && part !== "." && part !== "..");
  if (!isWithin || /[\\:\0]/.test(location))
    throw wrongFile(file, `external data in ${JSON.stringify(location)}, expected a file within the model's folder`);
}

const countOf = (file: string, text: string): number => {
  const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  throw wrongFile(file, `external data at ${JSON.stringify(text)}, expected a whole number`);
};

/** The array of a tensor, whose values are here or in another file; an error as a value where they are not read. */
async function arrayOf(section: Section, tensor: Tensor, open: OnnxOptions["open"]): Promise<FileArray | RangeError> {
  const path = `${section.name}:${tensor.name}`;
  const dtype = typeNamed(types, `${tensor.type}`);
  if (dtype === undefined) return otherType(path, `${tensor.type}`, types);
  const wanted = bytesOf(path, dtype, tensor.shape);
  let [from, size, of] = [0, 0, section];
  if (tensor.external) {
    const location = tensor.external.get("location") ?? "";
    checkPath(path, location);
    const source: ByteSource | undefined = await open?.(location);
    if (!source) return wrongFile(path, `external data in ${JSON.stringify(location)}, expected that file too`);
    of = sectionOf(source);
    from = countOf(path, tensor.external.get("offset") ?? "0");
    size = countOf(path, tensor.external.get("length") ?? `${wanted}`);
    if (from + size > of.size)
      throw wrongFile(path, `external data up to byte ${from + size}, expected at most ${of.size}`);
  } else if (tensor.place) [from, size] = [tensor.place.from, tensor.place.to - tensor.place.from];
  else if (wanted > 0) return wrongFile(path, "values in a list of numbers, expected raw data");
  if (size !== wanted)
    throw wrongFile(path, `${size} bytes for the shape [${tensor.shape.join(", ")}], expected ${wanted}`);
  return new StoredArray(tensor.name, of, from, dtype, tensor.shape, path);
}

async function readGraph(section: Section): Promise<Graph> {
  const reader = new GraphReader(new Walker(section, Number.POSITIVE_INFINITY));
  await reader.model();
  return reader.graph;
}

/** The arrays in an .onnx file. */
export async function onnx(section: Section): Promise<Listed> {
  const tensors = [...(await readGraph(section)).tensors.values()];
  return { names: tensors.map(({ name }) => name), open: (at) => arrayOf(section, tensors[at] as Tensor, undefined) };
}

export async function onnxModel(section: Section, open: OnnxOptions["open"]): Promise<OnnxModel> {
  const { opsets, nodes, tensors } = await readGraph(section);
  const arrays = new Map<string, FileArray>();
  const notRead = new Map<string, string>();
  for (const name of nodes.flatMap(({ cos, sin }) => (cos && sin ? [cos, sin] : [])))
    if (!tensors.has(name)) notRead.set(name, "computed in the graph, or an input");
  for (const [name, tensor] of tensors) {
    const array = await arrayOf(section, tensor, open);
    if (array instanceof RangeError) notRead.set(name, array.message);
    else arrays.set(name, array);
  }
  return { opsets, nodes, arrays, notRead };
}
