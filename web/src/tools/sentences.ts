import { language } from "../core/i18n";
import { inChinese, noJson, refusal } from "../core/refusal";
import { refusals } from "../core/refusal/refusals.zh";
import type { Problem } from "./protocol";
import type { ToolsText } from "./text.en";

/** A problem as a sentence: in words of this page, or the library's. */
export function sentenceOf({ fault, message, refused }: Problem, words: ToolsText): string {
  if (fault === "no-json") return noJson(new Error(message), language.value);
  if (fault) return `${words.fault[fault]} ${message}`;
  return refusal(refused ?? new Error(message), language.value);
}

/** Why a file cannot be read. Messages of the reader start with the file's name. */
export function unreadable(file: string, problem: Problem, words: ToolsText): string {
  const { fault, message, refused } = problem;
  if (fault) return sentenceOf(problem, words);
  if (language.value === "zh") return refused?.code.startsWith("file") ? inChinese(refused) : refusals.file;
  const rest = message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message;
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1).replace(/\.?$/, ".")}`;
}
