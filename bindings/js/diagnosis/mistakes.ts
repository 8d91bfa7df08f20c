import { define } from "../base/call.js";
import { options as checkOptions } from "../base/check.js";
import { taken } from "../base/json.js";
import { languageOf } from "../base/language.js";
import type { Module } from "../base/module.js";
import type * as t from "../types/index.js";
import { sentences } from "./sentences.js";

export const mistakeNames = define(
  { name: "mistakes", answers: ["handle", "address", "size"] },
  () => {},
  (answers, _, module) => taken(answers, module)() as string[],
);

/** The core's list of mistakes, with sentences. */
export function mistakes(module: Module, given: t.MistakeOptions = {}): t.KnownMistake[] {
  const { language } = checkOptions<t.MistakeOptions>(given, ["language"], "mistakes");
  const texts = sentences[languageOf(language ?? "en")].mistakes;
  return mistakeNames(module).map((mistake) => ({ mistake, text: texts[mistake as keyof typeof texts] }));
}
