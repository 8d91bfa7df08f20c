// posenc explain: what a model does with positions, and what two models do differently.

import type { Comparison, Finding, Model, PosencTools } from "../../js/types/index.js";
import { filesOf, numberOf, readArguments, texts } from "../arguments.js";
import { codes } from "../failure.js";
import { readModel } from "../files/config.js";
import { print, printJson, short } from "../print.js";

const words = {
  en: {
    risk: "Will go wrong",
    unusual: "Unusual",
    does: "Does",
    same: "Both do the same in all layers.",
    layers: (layers: string) => `Layers ${layers}:`,
    effect: ({ cosine, distances }: NonNullable<Comparison["differing"][number]["effect"]> & { cosine: number }) =>
      `cosines differ by up to ${short(cosine)} up to distance ${distances.at(-1)}`,
  },
  zh: {
    risk: "会出错",
    unusual: "不同寻常",
    does: "做法",
    same: "两者在所有层上做法相同。",
    layers: (layers: string) => `第 ${layers} 层：`,
    effect: ({ cosine, distances }: NonNullable<Comparison["differing"][number]["effect"]> & { cosine: number }) =>
      `距离 ${distances.at(-1)} 以内余弦最多相差 ${short(cosine)}`,
  },
};

function printFindings(findings: readonly Finding[], language: "en" | "zh"): void {
  for (const kind of ["risk", "unusual", "does"] as const) {
    const some = findings.filter((finding) => finding.kind === kind);
    if (some.length === 0) continue;
    print(`${words[language][kind]}:`);
    for (const { sentence, path } of some) print(`  - ${sentence} (${path})`);
  }
}

function printComparison({ differing }: Comparison, language: "en" | "zh"): void {
  const say = words[language];
  if (differing.length === 0) print(say.same);
  for (const { layers, differences, effect } of differing) {
    print(say.layers(layers));
    for (const { what, a, b } of differences) print(`  ${what}: ${JSON.stringify(a)} | ${JSON.stringify(b)}`);
    if (!effect) continue;
    const cosines = Array.from(effect.cosine as ArrayLike<number>);
    print(`  ${say.effect({ ...effect, cosine: Math.max(...cosines) } as never)}`);
  }
}

export async function explain(args: readonly string[], load: () => Promise<PosencTools>): Promise<number> {
  const given = readArguments(args, texts("length"));
  const [first, second] = filesOf(given, 1, 2, "a config.json, or two to compare");
  const pe = await load();
  const length = numberOf(given, "length");
  const { isJson, language } = given;
  const own = length === undefined ? {} : { length };
  const a: Model = readModel(pe, first as string);
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
