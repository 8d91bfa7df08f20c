// posenc diagnose: what was done to numbers in files. Of large files some tokens and heads are read, where they are.

import { sentences } from "../../js/diagnosis/sentences.js";
import type { Picks } from "../../js/types/files.js";
import type * as t from "../../js/types/index.js";
import * as arg from "../arguments.js";
import { codes, UsageFailure } from "../failure.js";
import { readModel } from "../files/config.js";
import { layerOf } from "../files/layer.js";
import { openTensor, type Tensor } from "../files/tensors.js";
import { print, printJson, short } from "../print.js";
import { announced, withProgress } from "../progress.js";
import * as sample from "../sampling.js";

/** Looks at the samples; `sampled` is what the files were read for. */
export type Look = (samples: object, sampled?: sample.Sampled | null) => t.Diagnosis;

interface Task {
  readonly given: arg.Given;
  readonly tensors: readonly Tensor[];
  readonly positions: arg.ReadPositions | undefined;
  readonly look: Look;
}

function checkShapes([first, ...others]: readonly Tensor[]): readonly number[] {
  const { shape, file } = first as Tensor;
  for (const other of others) {
    if (other.shape.join() === shape.join()) continue;
    throw new UsageFailure(
      `${other.file}: shape [${other.shape.join(", ")}], expected [${shape.join(", ")}], as ${file}`,
    );
  }
  return shape;
}

function axisOf(given: arg.Given, name: string, rank: number): number | undefined {
  const axis = arg.numberOf(given, name);
  return axis !== undefined && axis < 0 ? axis + rank : axis;
}

/** Reads each kind of sample, by its name. */
async function readAs(
  names: readonly string[],
  tensors: readonly Tensor[],
  read: (tensor: Tensor) => Promise<t.SampleTensor>,
): Promise<{ [name: string]: t.SampleTensor }> {
  const all: { [name: string]: t.SampleTensor } = {};
  for (const [i, tensor] of tensors.entries()) all[names[i] as string] = await read(tensor);
  return all;
}

/** Vectors, by the names under which `diagnose` takes them. */
async function vectors({ given, tensors, positions, look }: Task, names: readonly string[]): Promise<t.Diagnosis> {
  const shape = checkShapes(tensors);
  if (!positions) throw new UsageFailure("--positions: missing, expected one number for each token");
  const seqAxis = axisOf(given, "seq-axis", shape.length);
  const dimAxis = axisOf(given, "dim-axis", shape.length);
  const read = (picks: readonly Picks[]) => readAs(names, tensors, (tensor) => tensor.read(picks));
  if (!sample.isLarge(shape))
    return look({ ...(await read([])), positions: arg.pickedPositions(positions, undefined), seqAxis, dimAxis });
  let best: t.Diagnosis | undefined;
  for (const [tokens, dims] of sample.axesOf({ shape, seqAxis, dimAxis }, positions.tokens)) {
    const { picks, sampled } = sample.vectorPicks(shape, tokens, dims);
    const own = { positions: arg.pickedPositions(positions, picks[tokens]), seqAxis: tokens, dimAxis: dims };
    const made = look({ ...(await read(picks)), ...own }, sampled);
    best ??= made;
    if (made.verdict !== "none") return made;
  }
  if (best) return best;
  const expected = `as many as one axis has of the shape [${shape.join(", ")}]`;
  throw new UsageFailure(`--positions: ${positions.tokens} positions, expected ${expected}`);
}

/** Rows of a table or a cache, by the names under which `diagnose` takes them. */
export async function rows(
  { tensors, positions, look }: Omit<Task, "given">,
  names: readonly string[],
): Promise<t.Diagnosis> {
  const shape = checkShapes(tensors);
  if (!sample.isLarge(shape)) {
    const own = positions && { positions: arg.pickedPositions(positions, undefined) };
    return look({ ...(await readAs(names, tensors, (tensor) => tensor.read([]))), ...own });
  }
  const kept = names[0] === "cosSin" && shape.length > 2 && shape.at(-1) === 2 ? 3 : 2;
  const { whole, tokens, sampled } = sample.rowPicks(shape, kept);
  const count = whole[1] as number;
  if (positions && positions.tokens !== count)
    throw new UsageFailure(`--positions: ${positions.tokens} positions, expected ${count}, one for each row`);
  const read = await readAs(names, tensors, async (tensor) => {
    const { shape: made, ...values } = await tensor.read([[0], tokens], whole);
    return { ...values, shape: made.slice(1) };
  });
  const own = positions ? arg.pickedPositions(positions, tokens) : tokens;
  return look({ ...read, ...(own && { positions: own }) }, sampled);
}

async function bias({ given, tensors, look }: Task): Promise<t.Diagnosis> {
  const [tensor] = tensors as [Tensor];
  const first = arg.numberOf(given, "first-query");
  if (!sample.isLarge(tensor.shape)) return look({ bias: await tensor.read([]), firstQuery: first });
  const { picks, shape, firstQuery, sampled } = sample.biasWindow(tensor.shape, first);
  const { shape: made, ...values } = await tensor.read(picks, shape);
  return look({ bias: { ...values, shape: made.slice(-3) }, firstQuery }, sampled);
}

async function ids({ given, tensors, look }: Task): Promise<t.Diagnosis> {
  const [tensor] = tensors as [Tensor];
  const segments = arg.jsonOf(given, "segments");
  if (segments === undefined) throw new UsageFailure("--segments: missing, expected what the sequence is made of");
  const { data, shape } = await tensor.read([]);
  const [mergeSize, tokensPerSecond] = [arg.numberOf(given, "merge-size"), arg.numberOf(given, "tokens-per-second")];
  return look({ ids: { data: Array.from(data), shape }, segments, mergeSize, tokensPerSecond });
}

/** A kind of sample: how many files it takes, what these are, who looks at them, and which one is an input. */
interface Kind {
  readonly count: readonly [least: number, most: number];
  readonly files: string;
  readonly run: (task: Task) => Promise<t.Diagnosis>;
  readonly input?: number | undefined;
}

const kind = (count: Kind["count"], files: string, run: Kind["run"], input?: number): Kind => ({
  count,
  files,
  run,
  input,
});

const cache = (task: Task) => rows(task, task.tensors.length === 2 ? ["cos", "sin"] : ["cosSin"]);
const outputs = (task: Task) => vectors(task, ["a", "b", "before"]);
const pair = (task: Task) => vectors(task, ["before", "after"]);
const frequencies = async ({ tensors, look }: Task) => look({ frequencies: await (tensors[0] as Tensor).read([]) });

/** Each by its flag. */
const kinds: { readonly [flag: string]: Kind } = {
  cache: kind([1, 2], "cos and sin, or one file of both", cache),
  table: kind([1, 1], "one table", (task) => rows(task, ["table"])),
  bias: kind([1, 1], "one bias", bias),
  ids: kind([1, 1], "one file of ids", ids),
  frequencies: kind([1, 1], "one file of frequencies", frequencies),
  outputs: kind([2, 3], "two outputs, and their input if it is there", outputs, 2),
};
const ofVectors = kind([2, 2], "the vectors before and after rotation", pair, 0);

/** Returns what was meant: a model's layer, or options in JSON. */
async function expectedOf(given: arg.Given, pe: t.PosencTools): Promise<t.ExpectedPlan | undefined> {
  const config = arg.textOf(given, "expected");
  const plan = arg.objectOf(given, "plan");
  const arithmetic = arg.textOf(given, "arithmetic");
  if (config !== undefined && plan) throw new UsageFailure("--plan: given beside --expected, expected one of them");
  if (plan) return { ...plan, ...(arithmetic !== undefined && { arithmetic }) } as unknown as t.ExpectedPlan;
  if (arithmetic !== undefined && config === undefined)
    throw new UsageFailure("--arithmetic: expected --expected or --plan beside it");
  if (config === undefined) return undefined;
  const [length, layout] = [arg.numberOf(given, "length"), arg.textOf(given, "layout")];
  const model = await readModel(pe, config);
  const meant = Object.entries({ model, layer: layerOf(given, model).layer, length, layout, arithmetic });
  return Object.fromEntries(meant.filter(([, value]) => value !== undefined)) as unknown as t.ExpectedPlan;
}

/** The tensor with what its values went through before they were stored, if that is said; an input has its own type. */
function stated(tensor: Tensor, given: arg.Given, isInput: boolean): Tensor {
  const [dtype, quantized] = [arg.textOf(given, "dtype"), arg.textOf(given, "quantized")];
  if (isInput || (dtype === undefined && quantized === undefined)) return tensor;
  return {
    ...tensor,
    async read(picks, shape) {
      const values = await tensor.read(picks, shape);
      const is16 = values.dtype === "float16" || values.dtype === "bfloat16";
      if (dtype !== undefined && is16 && dtype !== values.dtype)
        throw new UsageFailure(`--dtype: ${dtype}, expected ${values.dtype}, as ${tensor.file}`);
      return { ...values, dtype: dtype ?? values.dtype, quantized } as never;
    },
  };
}

/** Options that say nothing without that of their kind. */
const besides = {
  expected: ["layer", "layout", "length"],
  bias: ["first-query"],
  ids: ["segments", "merge-size", "tokens-per-second"],
};

/** More explanations than this are for programs. */
const shown = 4;

const words = {
  en: {
    others: "Other explanations:",
    residual: (ulps: string) => `Largest residual: ${ulps} ulps.`,
    sampled: ({ tokens, heads }: sample.Sampled) =>
      `Only ${tokens[0]} of ${tokens[1]} tokens and ${heads[0]} of ${heads[1]} heads were read.`,
  },
  zh: {
    others: "其他解释：",
    residual: (ulps: string) => `最大残差：${ulps} ulp。`,
    sampled: ({ tokens, heads }: sample.Sampled) =>
      `只读了 ${tokens[1]} 个 token 中的 ${tokens[0]} 个、${heads[1]} 个头中的 ${heads[0]} 个。`,
  },
};

function printDiagnosis({ text, verdict, explanations, outputs }: t.Diagnosis, language: "en" | "zh"): void {
  const say = words[language];
  print(text);
  if (outputs) print(sentences[language].outputs[outputs.wrong]);
  const [first, ...others] = explanations;
  if (!first) return;
  print(say.residual(short(first.residual.ulps)));
  if (first.remedy) {
    print(first.remedy.text);
    for (const name of ["rows", "dims"] as const) {
      const list = first.remedy[name];
      if (list) print(`${name} = [${list.join(", ")}]`);
    }
  }
  const rest = verdict === "ambiguous" ? explanations : others;
  if (verdict === "certain" || rest.length === 0) return;
  print(say.others);
  for (const { text: other } of rest.slice(0, shown)) print(`  - ${other}`);
}

/** The exit code of an answer. */
function codeOf({ verdict, explanations, outputs }: t.Diagnosis, isExpected: boolean): number {
  if (outputs?.wrong === "unknown" && isExpected) return codes.unsure;
  if (verdict === "ambiguous" || verdict === "too-little") return codes.unsure;
  if (!isExpected) return verdict === "none" ? codes.unsure : codes.fine;
  if (verdict === "none" || (explanations[0]?.mistakes.length ?? 0) > 0) return codes.mistaken;
  return verdict === "certain" ? codes.fine : codes.unsure;
}

/** Looks at samples beside what was expected; says of how many they are. */
export function lookWith(pe: t.PosencTools, expected: t.ExpectedPlan | undefined, language: "en" | "zh"): Look {
  return (samples, sampled) => {
    const options = { language, partial: Boolean(sampled), ...(expected && { expected }) };
    const diagnosis = announced(language, () => pe.diagnose(samples as t.Samples, options));
    if (!sampled) return diagnosis;
    const text = sentences[language].joined([diagnosis.text, words[language].sampled(sampled)]);
    return { ...diagnosis, sampled, text };
  };
}

export async function diagnose(args: readonly string[], load: () => Promise<t.PosencTools>): Promise<number> {
  const given = arg.readArguments(args, {
    ...arg.texts("positions", "expected", "plan", "layer", "layout", "length", "seq-axis", "dim-axis", "first-query"),
    ...arg.texts("segments", "merge-size", "tokens-per-second", "dtype", "quantized", "arithmetic"),
    ...arg.switches(...Object.keys(kinds)),
  });
  for (const [other, flags] of Object.entries(besides)) {
    const alone = flags.find((flag) => given.flags[flag] !== undefined && given.flags[other] === undefined);
    if (alone !== undefined) throw new UsageFailure(`--${alone}: expected --${other} beside it`);
  }
  const chosen = Object.keys(kinds).filter((flag) => given.flags[flag]);
  if (chosen.length > 1)
    throw new UsageFailure(`${chosen.map((flag) => `--${flag}`).join(", ")}: expected one of them`);
  const { count, files: what, input, run } = kinds[chosen[0] ?? ""] ?? ofVectors;
  const files = arg.filesOf(given, ...count, what);
  const pe = await load();
  const expected = await expectedOf(given, pe);
  const { language, isJson } = given;
  const made = await withProgress(language === "en" ? "Reading" : "读取", async (progress) => {
    const tensors: Tensor[] = [];
    for (const [i, file] of files.entries()) tensors.push(stated(await openTensor(file, progress), given, i === input));
    const look = lookWith(pe, expected, language);
    return run({ given, tensors, positions: await arg.positionsOf(given, progress), look });
  });
  if (isJson) printJson(made);
  else printDiagnosis(made, language);
  return codeOf(made, expected !== undefined);
}
