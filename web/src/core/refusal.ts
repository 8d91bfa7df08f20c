import type { Language } from "./i18n";

/** What the library's errors say: "argument: value, expected what would be right". */
const form = /^([^\s:]+): (.+?), expected (.+)$/s;

/** The library's words for what would be right, and how Chinese says them. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/^a finite number$/, "有限的数"],
  [/^a finite number > (\S+)$/, "大于 $1 的有限数"],
  [/^a finite number >= (\S+)$/, "不小于 $1 的有限数"],
  [/^a number$/, "一个数"],
  [/^a (?:finite )?number from (\S+) to (\S+)$/, "$1 到 $2 之间的数"],
  [/^a whole number$/, "整数"],
  [/^a whole number >= (\S+)$/, "不小于 $1 的整数"],
  [/^a whole number from (.+) to (.+)$/, "$1 到 $2 之间的整数"],
  [/^an even number$/, "偶数"],
  [/^an even number from (\S+) to (?:dim \()?(\d+)\)?$/, "$1 到 $2 之间的偶数"],
  [/^a whole number, or hidden_size in its place$/, "整数，或以 hidden_size 代替"],
  [/^a divisor of the hidden size$/, "hidden_size 的约数"],
  [/^a divisor of (\S+)$/, "$1 的约数"],
  [/^a multiple of (\S+)$/, "$1 的倍数"],
  [/^at most (\d+) .+ in all of a config$/, "整个 config 中最多 $1 个"],
  [/^one of (.+)$/, "以下之一：$1"],
  [/^true or false$/, "true 或 false"],
  [/^(?:row )?(\d+) to (\d+)$/, "$1 到 $2"],
  [/^(\d+) to (\d+) of them$/, "$1 到 $2 个"],
  [/^as many values as fit into memory$/, "内存放得下的个数"],
  [/^the object parsed from a config\.json$/, "config.json 中的对象"],
];

function inChinese(expected: string): string | undefined {
  for (const [phrase, words] of phrases) if (phrase.test(expected)) return expected.replace(phrase, words);
  // Names in quotes and shapes are the same in every language.
  return /^["[\d][^A-Za-z]*$|^"[^"]*"(?:(?:, | or )"[^"]*")*$/.test(expected) ? expected : undefined;
}

/** "none" is the library's word for what is missing. */
const isMissing = (value: string) => value === "none" || value === "undefined";

/** An error of the library as a sentence in the reader's language. */
export function refusal(error: unknown, language: Language): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, argument, value, expected] = message.match(form) ?? [];
  if (argument === undefined) return language === "zh" ? "无法计算。" : `This cannot be computed: ${message}.`;
  // Not an input of the reader's: the browser, the system or the reader has ended it, or it could not be fetched.
  if (argument === "worker")
    return language === "zh"
      ? "负责训练的 worker 已终止或无法启动。"
      : "The worker that trains has ended or could not start.";
  if (language === "en") {
    const found = isMissing(value) ? `${argument} is missing` : `${argument} is ${value}`;
    return `Invalid input: ${found}; expected ${expected}.`;
  }
  const found = isMissing(value)
    ? `缺少 ${argument}`
    : `${argument} 的值是 ${value.replace(" rotated dims", "").replace(/ characters$/, " 个字符")}`;
  const wanted = inChinese(expected);
  return wanted === undefined ? `输入无效：${found}，不是可用的值。` : `输入无效：${found}，应为${wanted}。`;
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
