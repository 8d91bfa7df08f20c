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

/** Where a text stops being JSON, as line and column from 1; undefined where the browser does not say. */
function placeIn(text: string, message: string): readonly [number, number] | undefined {
  const [, line, column] = message.match(/line (\d+),? column (\d+)/) ?? [];
  if (line) return [Number(line), Number(column)];
  const at = Number(message.match(/position (\d+)/)?.[1] ?? Number.NaN);
  const isCut = /end of (?:JSON input|data|input)/i.test(message);
  if (!isCut && Number.isNaN(at)) return undefined;
  const before = text.slice(0, isCut ? undefined : at).split("\n");
  return [before.length, before[before.length - 1].length + 1];
}

/** Why a text cannot be parsed as JSON, as a sentence in the reader's language. */
export function noJson(text: string, error: unknown, language: Language): string {
  const message = error instanceof Error ? error.message : "";
  const place = placeIn(text, message);
  const [line, column] = place ?? [];
  if (place)
    return language === "zh"
      ? `这不是 JSON：问题在第 ${line} 行第 ${column} 列。`
      : `This is not JSON: see line ${line}, column ${column}.`;
  // Chromium names the character alone in long texts.
  const [, sign] = message.match(/Unexpected token '(.)'/u) ?? [];
  if (language === "zh") return sign ? `这不是 JSON：不该出现“${sign}”。` : "这不是 JSON。";
  return sign ? `This is not JSON: “${sign}” is out of place.` : "This is not JSON.";
}
