// A file's JSON, as Python writes it, too: with Infinity and NaN, and a mark of its byte order.

import { FileFailure } from "../failure.js";
import { openFile } from "./open-file.js";

/** Configs have kilobytes, with tables of quantization some 20 MB. */
const mostBytes = 2 ** 26;

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

/** Parses a text that is no JSON as it is; an Error says in which line it is none. */
function parsedAs(text: string): unknown {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const [found] = token.exec(text) ?? [];
    if (found === undefined) {
      const what = /^(#|\/[/*])/.test(text.slice(at, at + 2)) ? "a comment" : JSON.stringify(text[at]);
      throw new Error(`line ${lineAt(text, at)}: ${what}`);
    }
    parts.push(writtenAs[found] ?? found);
  }
  const made = parts.join("");
  try {
    return JSON.parse(made, (_, value) => (value === notANumber ? Number.NaN : value));
  } catch (error) {
    const { message } = error as Error;
    const [, at] = /position (\d+)/.exec(message) ?? [];
    throw at === undefined ? error : new Error(`line ${lineAt(made, Number(at))}: ${message}`);
  }
}

/** Returns a file's JSON, an object. */
export function readJson(file: string): object {
  const { name, size, read } = openFile(file, mostBytes);
  if (size > mostBytes) throw new FileFailure(`${name}: ${size} bytes, expected a config of at most ${mostBytes}`);
  let value: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(read(0, size));
    try {
      value = JSON.parse(text);
    } catch {
      value = parsedAs(text);
    }
  } catch (error) {
    throw new FileFailure(`${name}: no JSON (${(error as Error).message})`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new FileFailure(`${name}: expected an object of JSON`);
}
