// A config's JSON, as Python writes it, too: with Infinity and NaN, and a mark of its byte order.

import { quoted } from "../base/check.js";
import { keyTwice } from "./key-twice.js";

/** What may follow in JSON, and Python's numbers. */
const token = /[ \t\r\n]+|"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*|true|false|null|-?Infinity|NaN|[{}[\],:]/y;

/** JSON has no such numbers, but those that are too large, and texts. */
const notANumber = "\u0000NaN";
const writtenAs: { readonly [name: string]: string } = {
  Infinity: "1e999",
  "-Infinity": "-1e999",
  NaN: JSON.stringify(notANumber),
};

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** Parses a text that is no JSON as it is. */
function parsedAs(text: string): unknown {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const [found] = token.exec(text) ?? [];
    if (found === undefined) {
      const what = /^(#|\/[/*])/.test(text.slice(at, at + 2)) ? "a comment" : JSON.stringify(text[at]);
      throw new SyntaxError(`line ${lineAt(text, at)}: ${what}`);
    }
    parts.push(writtenAs[found] ?? found);
  }
  const made = parts.join("");
  try {
    return JSON.parse(made, (_, value) => (value === notANumber ? Number.NaN : value));
  } catch (error) {
    const { message } = error as Error;
    // Engines say a position, a line, or that the text ended.
    const [, at = made.length] = /position (\d+)/.exec(message) ?? [];
    const [, line = lineAt(made, Number(at))] = /line (\d+)/.exec(message) ?? [];
    throw new SyntaxError(`line ${line}: ${message}`);
  }
}

export function parseConfigText(text: string): object {
  const own = text.replace(/^\uFEFF/, "");
  let made: object;
  try {
    made = JSON.parse(own);
  } catch {
    made = parsedAs(own) as object;
  }
  const key = keyTwice(own, made);
  if (key !== undefined) throw new SyntaxError(`key ${quoted(key)}: twice, expected each key once`);
  return made;
}
