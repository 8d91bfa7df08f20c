import type { ErrorFields } from "posenc";
import type { Language } from "../i18n";
import { fieldsOf } from "./fields";
import { refusals } from "./refusals.zh";

/** Translates the library's words for a value into Chinese. */
const shownInChinese: Readonly<Record<string, string>> = { "a list": "列表", "an object": "对象" };

/** Says in Chinese what was expected, or what is wrong with a file: the code's words with its parameters. */
export const inChinese = ({ code, parameters }: ErrorFields): string =>
  refusals[code].replace(/\{(\w+)\}/g, (_, name) => String(parameters[name]));

/** An error of the library as a sentence in the reader's language. */
export function refusal(error: unknown, language: Language): string {
  const fields = fieldsOf(error);
  if (fields === undefined) {
    const message = error instanceof Error ? error.message : String(error);
    return language === "zh" ? "无法计算。" : `This cannot be computed: ${message}.`;
  }
  const { code, argument, shown, expected } = fields;
  // Not an input of the reader's: the browser, the system or the reader has ended it, or it could not be fetched.
  if (code === "worker")
    return language === "zh"
      ? "负责训练的 worker 已终止或无法启动。"
      : "The worker that trains has ended or could not start.";
  // The library's message names a missing value so.
  const isMissing = shown === "none" || shown === "undefined";
  if (language === "en") {
    const found = isMissing ? `${argument} is missing` : `${argument} is ${shown}`;
    return `Invalid input: ${found}; expected ${expected}.`;
  }
  const found = isMissing ? `缺少 ${argument}` : `${argument} 的值是 ${shownInChinese[shown] ?? shown}`;
  return `输入无效：${found}，应为${inChinese(fields)}。`;
}

/** Why a text cannot be parsed as JSON, as a sentence in the reader's language: `error` is configOf's. */
export function noJson(error: unknown, language: Language): string {
  const isChinese = language === "zh";
  const [, line, what] = (error instanceof Error ? error.message : "").match(/^line (\d+): (.*)$/s) ?? [];
  const sign = what?.match(/^"(.*)"$/su)?.[1];
  const found = what === "a comment" ? (isChinese ? "注释" : "a comment") : sign && `“${sign}”`;
  if (line === undefined) return isChinese ? "这不是 JSON。" : "This is not JSON.";
  if (isChinese) return found ? `这不是 JSON：第 ${line} 行不该出现${found}。` : `这不是 JSON：问题在第 ${line} 行。`;
  return found ? `This is not JSON: ${found} is out of place in line ${line}.` : `This is not JSON: see line ${line}.`;
}
