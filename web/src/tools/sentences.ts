import type { Language } from "../core/i18n";
import { noJson, refusal } from "../core/refusal";
import type { Problem } from "./protocol";

/** What the library and its reader of files refuse, as sentences of this page. */

/** What is wrong with a file, in the reader's words and in Chinese. */
const ofFiles: readonly (readonly [RegExp, string])[] = [
  [/^truncated: (\d+) bytes(?: in the file)?, expected (\d+)$/, "文件不完整：只有 $1 字节，应有 $2 字节。"],
  [/^truncated/, "文件不完整。"],
  [/^a file that begins with (.+), expected /s, "文件开头是 $1，不是 .npy、.npz 或 .safetensors 文件。"],
  [/^(\d+) bytes, expected (\d+) for shape (\[.*\])$/, "形状 $3 应有 $2 字节，文件里是 $1 字节。"],
  [/^no array (".*"), expected one of (.+)$/s, "没有名为 $1 的数组，可用的有：$2。"],
  [/^compressed, which /, "文件经过压缩，这个浏览器无法解压：请用 numpy.savez 重新保存。"],
];

/** A message as a sentence: the word it begins with in capitals, a full stop at its end. */
const sentence = (message: string) => `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.?$/, ".")}`;

/** Why a file cannot be read. Messages of the reader start with the file's name; `text` is what a file of JSON holds. */
export function unread(
  { file, message, text }: { readonly file: string; readonly message: string; readonly text?: string },
  language: Language,
): string {
  if (text !== undefined) return noJson(text, new Error(message), language);
  const bare = message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message;
  if (language === "en") return sentence(bare);
  const [pattern, words] = ofFiles.find(([each]) => each.test(bare)) ?? [/.*/s, "文件内容不正确，或者已经损坏。"];
  return (bare.match(pattern)?.[0] ?? "").replace(pattern, words);
}

/** Why an answer could not be given, where the page has no words of its own for it. */
export function refusedBy({ fault, message, text }: Problem, language: Language): string | undefined {
  const error = new Error(message);
  if (fault === undefined) return refusal(error, language);
  return fault === "no-json" ? noJson(text ?? "", error, language) : undefined;
}
