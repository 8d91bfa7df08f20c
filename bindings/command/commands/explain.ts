// posenc explain: what a model does with positions, and what two models do differently.

import type { Comparison, Finding, Model, PosencTools } from "../../js/types/index.js";
import { filesOf, numberOf, readArguments, textOf, texts } from "../arguments.js";
import { codes, UsageFailure } from "../failure.js";
import { readModel } from "../files/config.js";
import { print, printJson, short } from "../print.js";
import { explainFor } from "./explain-for.js";

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

function printFindings(findings: readonly Finding[], language: "en" | "zh"): void {
  for (const kind of ["risk", "unusual", "does", "evidence"] as const) {
    const some = findings.filter((finding) => finding.kind === kind);
    if (some.length === 0) continue;
    print(`${words[language][kind]}:`);
    for (const { sentence, path } of some) print(kind === "evidence" ? `  - ${sentence}` : `  - ${sentence} (${path})`);
  }
}

function printComparison({ differing, notKnown, layerCounts }: Comparison, language: "en" | "zh"): void {
  const say = words[language];
  if (layerCounts[0] !== layerCounts[1]) print(say.counts(...layerCounts));
  else if (differing.length === 0) print(notKnown.length === 0 ? say.same : say.sameKnown);
  if (notKnown.length > 0) print(say.notKnown(notKnown.join(", ")));
  for (const { layers, differences, effect } of differing) {
    print(say.layers(layers));
    for (const { what, a, b } of differences) print(`  ${what}: ${JSON.stringify(a)} | ${JSON.stringify(b)}`);
    if (!effect) continue;
    const cosines = Array.from(effect.cosine as ArrayLike<number>);
    print(`  ${say.effect({ ...effect, cosine: Math.max(...cosines) } as never)}`);
  }
}

export async function explain(args: readonly string[], load: () => Promise<PosencTools>): Promise<number> {
  const given = readArguments(args, texts("length", "for"));
  const [first, second] = filesOf(given, 1, 2, "a config.json, or two to compare");
  const target = textOf(given, "for");
  if (target !== undefined && second !== undefined) throw new UsageFailure("--for: two configs, expected one");
  const pe = await load();
  const length = numberOf(given, "length");
  const { isJson, language } = given;
  const own = length === undefined ? {} : { length };
  const a: Model = readModel(pe, first as string);
  if (target !== undefined) {
    explainFor(pe, a, { target, length, isJson, language });
    return codes.fine;
  }
  if (second === undefined) {
    const findings = pe.explain(a, { language, ...own });
    if (isJson) printJson(findings);
    else printFindings(findings, language);
    return codes.fine;
  }
  const comparison = pe.compare(a, readModel(pe, second), own);
  if (isJson) printJson(comparison);
  else printComparison(comparison, language);
  return codes.fine;
}
