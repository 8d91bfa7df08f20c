// posenc explain: what a model does with positions; posenc compare: what two models do differently, and what a conversion
// lost.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { explain as explained } from "posenc/engines";
import { arraysOf } from "../../js/files.js";
import type { Finding } from "../../js/types/engines.js";
import type { Comparison, Model, PosencTools } from "../../js/types/index.js";
import { filesOf, type Given, numberOf, readArguments, textOf, texts } from "../arguments.js";
import { codes, UsageFailure } from "../failure.js";
import { type NamedModel, openModel } from "../files/config.js";
import { type Located, locate, unread } from "../files/evidence.js";
import { folderArrays, missingShards } from "../files/folder.js";
import { type Lost, lostIn } from "../files/lost.js";
import { openFile } from "../files/open-file.js";
import { onContent } from "../files/tensors.js";
import { print, printJson, short } from "../print.js";
import { explainFor } from "./explain-for.js";
import { type Asked, onnxFindings, type StoredFinding, storedFindings } from "./stored.js";

const words = {
  en: {
    risk: "Can go wrong",
    unusual: "Unusual",
    does: "Does",
    evidence: "How this is known",
    same: "Both do the same in all layers.",
    sameKnown: "Both do the same in all layers, as far as it is known.",
    notKnown: (traits: string) => `Not known of one of them: ${traits}.`,
    counts: (a: number, b: number) => `The first has ${a} layers, the other ${b}; those that both have are compared.`,
    layers: (layers: string) => `Layers ${layers}:`,
    effect: ({ cosine, distances }: NonNullable<Comparison["differing"][number]["effect"]> & { cosine: number }) =>
      `cosines differ by up to ${short(cosine)} up to distance ${distances.at(-1)}`,
  },
  zh: {
    risk: "可能出错",
    unusual: "不同寻常",
    does: "做法",
    evidence: "依据",
    same: "两者在所有层上做法相同。",
    sameKnown: "就所知的部分而言，两者在所有层上做法相同。",
    notKnown: (traits: string) => `其中一方有不知道的：${traits}。`,
    counts: (a: number, b: number) => `前一个有 ${a} 层，后一个有 ${b} 层；只比较两者都有的层。`,
    layers: (layers: string) => `第 ${layers} 层：`,
    effect: ({ cosine, distances }: NonNullable<Comparison["differing"][number]["effect"]> & { cosine: number }) =>
      `距离 ${distances.at(-1)} 以内余弦最多相差 ${short(cosine)}`,
  },
};

type Shown = (Finding | StoredFinding) & Located;

function printFindings(findings: readonly Shown[], language: "en" | "zh"): void {
  for (const kind of ["risk", "unusual", "does", "evidence"] as const) {
    const some = findings.filter((finding) => finding.kind === kind);
    if (some.length === 0) continue;
    print(`${words[language][kind]}:`);
    for (const { sentence, path, from } of some)
      print(kind === "evidence" ? `  - ${sentence}` : `  - ${sentence} (${unread(path, from, language)})`);
  }
}

function printComparison(comparison: Comparison & { weights?: Lost["weights"] }, language: "en" | "zh"): void {
  const say = words[language];
  const { differing, notKnown, layerCounts, weights = [] } = comparison;
  if (layerCounts[0] !== layerCounts[1]) print(say.counts(...layerCounts));
  else if (differing.length === 0) print(notKnown.length === 0 ? say.same : say.sameKnown);
  if (notKnown.length > 0) print(say.notKnown(notKnown.join(", ")));
  for (const { layers, differences, effect } of differing) {
    print(say.layers(layers));
    for (const { what, a, b, ...more } of differences) {
      const { path, from } = more as Partial<Located & { path: string }>;
      const place = path === undefined ? "" : ` (${unread(path, from, language)})`;
      print(`  ${what}: ${JSON.stringify(a)} | ${JSON.stringify(b)}${place}`);
    }
    if (!effect) continue;
    const cosines = Array.from(effect.cosine as ArrayLike<number>);
    print(`  ${say.effect({ ...effect, cosine: Math.max(...cosines) } as never)}`);
  }
  for (const { sentence } of weights) print(sentence[language]);
}

async function compareModels(given: Given, pe: PosencTools, a: NamedModel, b: NamedModel): Promise<number> {
  const length = numberOf(given, "length");
  const made = pe.compare(a.model, b.model, length === undefined ? {} : { length });
  const comparison = await lostIn(made, a, b);
  if (given.isJson) printJson(comparison);
  else printComparison(comparison, given.language);
  return codes.fine;
}

const isOnnx = (file: string): boolean => /\.onnx$/i.test(file);
const isArrays = (file: string): boolean => /\.safetensors$/i.test(file);

/** The model beside a file that has none itself: that of the config.json in its folder. */
async function besideOf(pe: PosencTools, file: string): Promise<Model | undefined> {
  const config = join(dirname(file), "config.json");
  return existsSync(config) ? (await openModel(pe, config)).model : undefined;
}

/** Compares two models, or a model with what is stored in a graph or beside it. */
async function compareFiles(given: Given, pe: PosencTools, first: string, second: string): Promise<number> {
  const [model, stored] = isOnnx(first) || isArrays(first) ? [second, first] : [first, second];
  const a = await openModel(pe, model);
  if (!isOnnx(stored) && !isArrays(stored)) return compareModels(given, pe, a, await openModel(pe, stored));
  printAll(
    given,
    await findingsIn({ pe, language: given.language, model: a.model, length: numberOf(given, "length") }, stored),
  );
  return codes.fine;
}

const findingsIn = (asked: Asked, file: string): Promise<StoredFinding[]> =>
  isOnnx(file)
    ? onnxFindings(asked, file)
    : onContent(() => arraysOf(openFile(file))).then((arrays) => storedFindings(asked, arrays));

function printAll({ isJson, language }: Given, findings: readonly Shown[]): void {
  if (isJson) printJson(findings);
  else printFindings(findings, language);
}

export async function explain(args: readonly string[], load: () => Promise<PosencTools>): Promise<number> {
  const given = readArguments(args, texts("length", "for"));
  const [first = "", second] = filesOf(given, 1, 2, "a config.json, a folder or another file, or two to compare");
  const target = textOf(given, "for");
  if (target !== undefined && (second !== undefined || isOnnx(first) || isArrays(first)))
    throw new UsageFailure("--for: expected one model");
  const pe = await load();
  const length = numberOf(given, "length");
  const { isJson, language } = given;
  if (second !== undefined) return compareFiles(given, pe, first, second);
  if (isOnnx(first) || isArrays(first)) {
    printAll(given, await findingsIn({ pe, language, model: await besideOf(pe, first), length }, first));
    return codes.fine;
  }
  const { model, gguf, file } = await openModel(pe, first);
  if (target !== undefined) {
    explainFor(pe, model, { target, length, isJson, language });
    return codes.fine;
  }
  const findings = locate(explained(model, { language, ...(length !== undefined && { length }) }), gguf, language);
  const asked = { pe, language, model, length };
  const stored = file === first ? [] : await storedFindings(asked, await folderArrays(file), missingShards(file));
  printAll(given, [...findings, ...stored]);
  return codes.fine;
}

export async function compare(args: readonly string[], load: () => Promise<PosencTools>): Promise<number> {
  const given = readArguments(args, texts("length"));
  const [first, second] = filesOf(given, 2, 2, "two: config.json, a folder or another file") as [string, string];
  return compareFiles(given, await load(), first, second);
}
