// A model's config.json: the file, or the folder in which it is.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Model, PosencTools } from "../../js/types/index.js";
import { FileFailure, onFile } from "../failure.js";
import { openFile } from "./open-file.js";

/** Configs have kilobytes. */
const mostBytes = 2 ** 24;

/** Returns the file's content. */
export function readJson(given: string): { file: string; value: object } {
  const isFolder = onFile(given, () => statSync(given).isDirectory());
  const file = isFolder ? join(given, "config.json") : given;
  const { size, read } = openFile(file);
  if (size > mostBytes) throw new FileFailure(`${file}: ${size} bytes, expected a config of at most ${mostBytes}`);
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(read(0, size)));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { file, value };
  } catch (error) {
    throw new FileFailure(`${file}: no JSON (${(error as Error).message})`);
  }
  throw new FileFailure(`${file}: expected an object of JSON`);
}

/** The model that a config describes. */
export function readModel(pe: PosencTools, given: string): Model {
  const { file, value } = readJson(given);
  try {
    return pe.model(value);
  } catch (error) {
    throw new FileFailure(`${file}: ${(error as Error).message}`);
  }
}
