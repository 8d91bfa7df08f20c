// posenc table, cache and bias: arrays that go into a file.

import type { Writable } from "../../js/files/to-safetensors.js";
import type * as t from "../../js/types/index.js";
import * as arg from "../arguments.js";
import { codes, UsageFailure } from "../failure.js";
import { readModel } from "../files/config.js";
import { rotatingLayer } from "../files/layer.js";
import { checkFree, outputFile, standardOutput, writeTensors } from "../files/write.js";
import { keepOutput, print, printJson } from "../print.js";
import { withProgress } from "../progress.js";

type Load = () => Promise<t.PosencTools>;

/** Half precision in a Float16Array is written as its bits. */
function writable(tensor: t.Tensor | t.HalfTensor, dtype: string | undefined): Writable {
  const { data, shape } = tensor;
  if (dtype === undefined || dtype === "float32") return { data: data as Float32Array, shape };
  const { buffer, byteOffset, length } = data as Uint16Array;
  return { data: new Uint16Array(buffer, byteOffset, length), shape, dtype };
}

/** Writes what was made, and says where it is. */
export function finish(
  given: arg.Given,
  file: string,
  tensors: { readonly [name: string]: Writable },
  only?: () => Writable,
): number {
  writeTensors(file, tensors, only);
  const made = Object.entries(tensors).map(([name, { shape, dtype = "float32" }]) => ({ name, shape, dtype }));
  if (given.isJson) printJson({ file, tensors: made });
  else print(`${file}: ${made.map(({ name, shape, dtype }) => `${name} ${dtype} [${shape.join(", ")}]`).join(", ")}`);
  return codes.fine;
}

export function target(given: arg.Given): string {
  const file = outputFile(given.flags.output);
  if (file === standardOutput) keepOutput();
  checkFree(file, given.flags.force === true);
  return file;
}

/** Numbers and names that are given are options. */
function optionsOf(given: arg.Given, numbers: readonly string[], names: readonly string[]) {
  const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const all: { [name: string]: unknown } = {};
  for (const name of numbers) if (given.flags[name] !== undefined) all[camel(name)] = arg.numberOf(given, name);
  for (const name of names) if (given.flags[name] !== undefined) all[camel(name)] = arg.textOf(given, name);
  return all;
}

async function positioned(given: arg.Given) {
  const positions = await withProgress("positions", (progress) => arg.positionsOf(given, progress));
  if (positions && positions.axes > 1) throw new UsageFailure("--positions: several axes, expected one number a row");
  const length = arg.numberOf(given, "length");
  if (positions && length !== undefined)
    throw new UsageFailure("--length: given beside --positions, expected one of them");
  if (!positions && length === undefined) throw new UsageFailure("--length: missing, expected how many positions");
  return positions ? { positions: [...positions.values] } : { length: length as number };
}

const tableNumbers = ["dim", "base", "shift", "scale", "amplitude", "padding-idx"];
const tableNames = ["preset", "order", "exponent", "dtype"];

export async function table(args: readonly string[], load: Load): Promise<number> {
  const given = arg.readArguments(args, {
    ...arg.output,
    ...arg.texts("length", "positions", ...tableNumbers, ...tableNames),
  });
  arg.filesOf(given, 0, 0, "none: the table's options have names, --dim 512");
  const file = target(given);
  const options = { ...optionsOf(given, tableNumbers, tableNames), ...(await positioned(given)) };
  const pe = await load();
  const made = pe.sinusoidal(options as unknown as Parameters<t.PosencFull["sinusoidal"]>[0]);
  return finish(given, file, { table: writable(made, arg.textOf(given, "dtype")) });
}

/** Options of a rotary: a model's layer, or JSON. */
async function rotaryOf(
  given: arg.Given,
  pe: t.PosencTools,
  config: string | undefined,
  length: number,
): Promise<t.RotaryOptions> {
  const plan = arg.planInPlaceOf(config, given);
  if (plan) return plan as t.RotaryOptions;
  const model = await readModel(pe, config as string);
  // Cosines and sines are the same in all layouts.
  return { layout: "half", length, ...rotatingLayer(given, model).plan.rotary };
}

/** Cosines and sines in one array, [2, positions, ...]: a .npy file has no other place for both. */
function stacked(cos: Writable, sin: Writable): Writable {
  const Kind = cos.data.constructor as typeof Float32Array;
  const data = new Kind(cos.data.length * 2);
  data.set(cos.data as Float32Array);
  data.set(sin.data as Float32Array, cos.data.length);
  return { ...cos, data, shape: [2, ...cos.shape] };
}

export async function cache(args: readonly string[], load: Load): Promise<number> {
  const given = arg.readArguments(args, {
    ...arg.output,
    ...arg.texts("length", "positions", "plan", "layer", "form", "dtype"),
  });
  const [config] = arg.filesOf(given, 0, 1, "a config.json, or --plan");
  const file = target(given);
  const where = await positioned(given);
  const pe = await load();
  // Positions may be more than a call takes arguments.
  const count = where.length ?? (where.positions ?? []).reduce((most, position) => Math.max(most, position + 1), 1);
  const rotary = pe.rotary((await rotaryOf(given, pe, config, count)) as t.PreciseRotaryOptions);
  const [form, dtype] = [arg.textOf(given, "form") ?? "onnx", arg.textOf(given, "dtype")];
  const options = { rotary, form, ...where, ...(dtype !== undefined && { dtype }) };
  const made = pe.rotaryCache(options as unknown as t.RotaryCacheOptions & t.LengthOrPositions) as unknown as {
    [name: string]: t.Tensor;
  };
  const tensors = Object.fromEntries(Object.entries(made).map(([name, tensor]) => [name, writable(tensor, dtype)]));
  const { cos, sin } = tensors;
  return finish(given, file, tensors, cos && sin ? () => stacked(cos, sin) : undefined);
}

const biasNumbers = ["heads", "queries", "keys", "query-offset", "steepness", "dim"];
const biasNames = ["slopes", "distance", "form"];

/** The biases whose values no learning decides; others take what was learned from --options. */
const biases = ["alibi", "sandwich", "kerple"] as const;

export async function bias(args: readonly string[], load: Load): Promise<number> {
  const given = arg.readArguments(args, {
    ...arg.output,
    ...arg.texts("options", ...biasNumbers, ...biasNames),
    ...arg.switches("causal"),
  });
  const [name] = arg.filesOf(given, 1, 1, `one of ${biases.join(", ")}, or a config.json`);
  const file = target(given);
  const pe = await load();
  const { causal } = given.flags;
  const own = {
    ...optionsOf(given, biasNumbers, biasNames),
    ...arg.objectOf(given, "options"),
    ...(causal && { future: "mask" }),
  };
  const known = biases.find((each) => each === name);
  if (known) return finish(given, file, { bias: writable(make(pe, known, own), undefined) });
  const { encoding } = await readModel(pe, name as string);
  if (encoding.type !== "alibi") {
    throw new UsageFailure(
      `${name}: a model with ${encoding.type}, expected one with ALiBi, or one of ${biases.join(", ")}`,
    );
  }
  const { type: _, ...options } = encoding;
  return finish(given, file, { bias: writable(make(pe, "alibi", { ...options, ...own }), undefined) });
}

function make(pe: t.PosencTools, name: (typeof biases)[number], own: { [name: string]: unknown }): t.Tensor {
  // Learned values come as lists of numbers.
  const options = Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, Array.isArray(value) ? Float32Array.from(value) : value]),
  );
  return (pe[name] as (options: object) => t.Tensor)(options);
}
