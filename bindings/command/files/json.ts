// A file's JSON.

import { parseConfigText } from "../../js/files/config-text.js";
import { FileFailure } from "../failure.js";
import { openFile } from "./open-file.js";

/** Configs have kilobytes, with tables of quantization some 20 MB. */
const mostBytes = 2 ** 26;

/** Returns a file's JSON, an object. */
export function readJson(file: string): object {
  if (/\.np[yz]$/i.test(file)) throw new FileFailure(`${file}: arrays, expected a config.json: diagnose takes arrays`);
  const { name, size, read } = openFile(file, mostBytes);
  if (size > mostBytes) throw new FileFailure(`${name}: ${size} bytes, expected a config of at most ${mostBytes}`);
  let value: unknown;
  try {
    value = parseConfigText(new TextDecoder("utf-8", { fatal: true }).decode(read(0, size)));
  } catch (error) {
    throw new FileFailure(`${name}: no JSON (${(error as Error).message})`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new FileFailure(`${name}: expected an object of JSON`);
}
