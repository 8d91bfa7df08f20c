// posenc explain: what a model does with positions; posenc compare: what two models do differently, and what a conversion
// lost.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { explain as explained } from "posenc/engines";
import type { Finding } from "../../js/types/engines.js";
import type { Comparison, Model, PosencTools } from "../../js/types/index.js";
import { filesOf, type Given, numberOf, readArguments, textOf, texts } from "../arguments.js";
import { codes, UsageFailure } from "../failure.js";
import { isFolder, type NamedModel, openModel, readModel } from "../files/config.js";
import { type Located, locate, unread } from "../files/evidence.js";
import { folderArrays, missingParts, partArrays } from "../files/folder.js";
import { readJson } from "../files/json.js";
import { type Lost, lostIn } from "../files/lost.js";
import { isOnnx } from "../files/tensors.js";
import { print, printJson, short } from "../print.js";
import { announced } from "../progress.js";
import { explainFor } from "./explain-for.js";
import * as arrays from "./stored.js";

const words = {
  en: {
    risk: "Can go wrong",
    unusual: "Unusual",
    does: "Does",
    evidence: "How this is known",
    same: "Both do the same in all layers.",
    sameKnown: "Both do the same in all layers, as far as it is known.",
    rows: "The layers are alike, but not the rows of weights:",
    nothing: "Nothing was compared: what one of them does, or the number of its layers, is not known.",
    missing: (files: string) => `Not there, and not read: ${files}.`,
    part: (part: string) => `Part ${part}:`,
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
    rows: "各层做法相同，但权重的行不同：",
    nothing: "没有可比较的：其中一方的做法或层数未知。",
    missing: (files: string) => `以下文件不在，没有读到：${files}。`,
    part: (part: string) => `部分 ${part}：`,
    notKnown: (traits: string) => `其中一方有不知道的：${traits}。`,
    counts: (a: number, b: number) => `前一个有 ${a} 层，后一个有 ${b} 层；只比较两者都有的层。`,
    layers: (layers: string) => `第 ${layers} 层：`,
    effect: ({ cosine, distances }: NonNullable<Comparison["differing"][number]["effect"]> & { cosine: number }) =>
      `距离 ${distances.at(-1)} 以内余弦最多相差 ${short(cosine)}`,
  },
};

type Words = (typeof words)["en"];
type Shown = (Finding | arrays.StoredFinding) & Located & { readonly part?: string };

function printFindings(findings: readonly Shown[], language: "en" | "zh"): void {
  for (const kind of ["risk", "unusual", "does", "evidence"] as const) {
    const some = findings.filter((finding) => finding.kind === kind);
    if (some.length === 0) continue;
    print(`${words[language][kind]}:`);
    for (const { sentence, path, from } of some)
      print(kind === "evidence" ? `  - ${sentence}` : `  - ${sentence} (${unread(path, from, language)})`);
  }
}

/** Whether there was nothing to compare: no layer, or one that does what is not known. */
const isNothing = ({ layerCounts }: Comparison, ...models: readonly NamedModel[]): boolean =>
  layerCounts.includes(0) || models.some(({ model }) => model.encoding.type === "unknown");

function headline(
  { differing, notKnown, layerCounts, weights = [] }: Comparison & Lost,
  say: Words,
): string | undefined {
  if (layerCounts[0] !== layerCounts[1]) return say.counts(...layerCounts);
  if (differing.length > 0) return undefined;
  if (weights.some(({ isRight }) => isRight === false)) return say.rows;
  return notKnown.length === 0 && weights.every(({ isRight }) => isRight) ? say.same : say.sameKnown;
}

function printComparison(comparison: Comparison & Lost, language: "en" | "zh", isEmpty: boolean): void {
  const say = words[language];
  const { differing, notKnown, weights = [], missing = [] } = comparison;
  const first = isEmpty ? say.nothing : headline(comparison, say);
  if (first !== undefined) print(first);
  if (missing.length > 0) print(say.missing(missing.join(", ")));
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
  const options = length === undefined ? {} : { length };
  const made = announced(given.language, () => pe.compare(a.model, b.model, options));
  const comparison = await lostIn(made, a, b);
  const isEmpty = isNothing(comparison, a, b);
  if (given.isJson) printJson(comparison);
  else printComparison(comparison, given.language, isEmpty);
  return isEmpty ? codes.unsure : codes.fine;
}

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
  return printStored(given, { pe, model: a.model, length: numberOf(given, "length") }, stored);
}

function printAll({ isJson, language }: Given, findings: readonly Shown[]): void {
  if (isJson) {
    printJson(findings);
    return;
  }
  for (const part of new Set(findings.map((finding) => finding.part))) {
    if (part !== undefined) print(words[language].part(part));
    printFindings(
      findings.filter((finding) => finding.part === part),
      language,
    );
  }
}

/** What the other parts of a config do, such as a vision tower, and parts of these; of one that is refused why. */
function partsOf(asked: arrays.Asked, { config, parts }: Pick<Model, "config" | "parts">): Shown[] {
  const { pe, language } = asked;
  return parts.flatMap((part): Shown[] => {
    try {
      const model = pe.model(config, { part });
      const own = explained(model, { language }).map((finding) => ({ ...finding, part }));
      return [...own, ...partsOf(asked, model)];
    } catch (error) {
      return [{ kind: "risk", code: "unknown", path: part, numbers: {}, sentence: (error as Error).message, part }];
    }
  });
}

/** What towers do beside a text that is refused. */
function partsOfRefused(asked: arrays.Asked, given: string): Shown[] {
  if (given === "-" || /\.gguf$/i.test(given)) return [];
  const config = readJson(isFolder(given) ? join(given, "config.json") : given) as { readonly [key: string]: unknown };
  const parts = Object.keys(config).filter((key) => /vision|audio|speech|encoder/.test(key));
  return partsOf(asked, { config, parts: parts.filter((key) => Object(config[key]) === config[key]) });
}

/** Prints what a graph or the arrays of a checkpoint say; where that is nothing, so does the exit code. */
async function printStored(given: Given, known: Omit<arrays.Asked, "language">, file: string): Promise<number> {
  const asked = { ...known, language: given.language };
  const found = isOnnx(file)
    ? await arrays.onnxFindings(asked, file)
    : await arrays.storedFindings(asked, await partArrays(file));
  const isFound = arrays.hasFound(found);
  const nothing = isFound || isOnnx(file) ? [] : [arrays.nothingFinding(asked, file)];
  printAll(given, [...nothing, ...arrays.missingFindings(asked, missingParts(file)), ...found]);
  return isFound ? codes.fine : codes.unsure;
}

export async function explain(args: readonly string[], load: () => Promise<PosencTools>): Promise<number> {
  const given = readArguments(args, texts("length", "for", "part"));
  const [first = "", second] = filesOf(given, 1, 2, "a config.json, a folder or another file, or two to compare");
  const target = textOf(given, "for");
  const part = textOf(given, "part");
  if (part !== undefined && (second !== undefined || isOnnx(first) || isArrays(first) || /\.gguf$/i.test(first)))
    throw new UsageFailure("--part: expected one config");
  if (target !== undefined && (second !== undefined || isOnnx(first) || isArrays(first)))
    throw new UsageFailure("--for: expected one model");
  const pe = await load();
  const length = numberOf(given, "length");
  const { language } = given;
  if (second !== undefined) return compareFiles(given, pe, first, second);
  if (isOnnx(first) || isArrays(first))
    return printStored(given, { pe, model: await besideOf(pe, first), length }, first);
  if (target !== undefined) {
    await explainFor(pe, await readModel(pe, first, part), target, length, given);
    return codes.fine;
  }
  const opened = await openModel(pe, first, part).catch((failure: Error) => {
    const others = part === undefined ? partsOfRefused({ pe, language, model: undefined, length }, first) : [];
    if (others.length === 0) throw failure;
    printAll(given, [{ kind: "risk", code: "unknown", path: "", numbers: {}, sentence: failure.message }, ...others]);
  });
  if (!opened) return codes.unsure;
  const { model, gguf, file, missing } = opened;
  const findings = locate(explained(model, { language, ...(length !== undefined && { length }) }), gguf, language);
  const asked = { pe, language, model, length };
  const stored =
    file === first || part !== undefined ? [] : await arrays.storedFindings(asked, await folderArrays(file));
  const lost = file === first && !gguf ? [] : arrays.missingFindings(asked, missing, gguf?.part?.isOpen);
  const others = part === undefined && !gguf ? partsOf(asked, model) : [];
  printAll(given, [...lost, ...findings, ...stored, ...others]);
  return model.encoding.type === "unknown" && !arrays.hasFound(stored) ? codes.unsure : codes.fine;
}

export async function compare(args: readonly string[], load: () => Promise<PosencTools>): Promise<number> {
  const given = readArguments(args, texts("length"));
  const [first, second] = filesOf(given, 2, 2, "two: config.json, a folder or another file") as [string, string];
  return compareFiles(given, await load(), first, second);
}
