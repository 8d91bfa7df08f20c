import type { Language } from "../core/i18n";
import { inChinese, noJson, refusal } from "../core/refusal";
import { refusals } from "../core/refusal/refusals.zh";
import type { Unread } from "./desk";
import type { Problem } from "./protocol";

/** Words the refusals of the library and of its reader of files as sentences of this page. */

/** A message as a sentence: the word it begins with in capitals, a full stop at its end. */
const sentence = (message: string) => `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.?$/, ".")}`;

/** Why a file cannot be read. Messages of the reader start with the file's name; `text` is what a file of JSON holds. */
export function unread({ file, message, text, refused }: Unread, language: Language): string {
  if (text !== undefined) return noJson(text, new Error(message), language);
  if (language === "en") return sentence(message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message);
  return refused?.code.startsWith("file") ? inChinese(refused) : refusals.file;
}

/** Why an answer could not be given, where the page has no words of its own for it. */
export function refusedBy({ fault, message, text, refused }: Problem, language: Language): string | undefined {
  if (fault === undefined) return refusal(refused ?? new Error(message), language);
  return fault === "no-json" ? noJson(text ?? "", new Error(message), language) : undefined;
}
