// A model by what is written on the command line: a config.json, the folder in which it is, or a .gguf file.

import { statSync } from "node:fs";
import { join } from "node:path";
import { ggufOf } from "../../js/files.js";
import type { GgufModel } from "../../js/types/files.js";
import type { Model, PosencTools } from "../../js/types/index.js";
import { FileFailure, onFile } from "../failure.js";
import { openFile, standardInput } from "./open-file.js";
import { onContent } from "./tensors.js";

/** Configs have kilobytes. */
const mostBytes = 2 ** 24;

/** A model, and the file that describes it; of a .gguf file what it says. */
export interface NamedModel {
  readonly file: string;
  readonly model: Model;
  readonly gguf?: GgufModel;
}

export const isFolder = (given: string): boolean =>
  given !== standardInput && onFile(given, () => statSync(given).isDirectory());

/** Returns a file's JSON, an object. */
export function readJson(file: string): object {
  const { name, size, read } = openFile(file);
  if (size > mostBytes) throw new FileFailure(`${name}: ${size} bytes, expected a config of at most ${mostBytes}`);
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(read(0, size)));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new FileFailure(`${name}: no JSON (${(error as Error).message})`);
  }
  throw new FileFailure(`${name}: expected an object of JSON`);
}

function onModel(file: string, make: () => Model): Model {
  try {
    return make();
  } catch (error) {
    throw new FileFailure(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Opens a model; says what it is from, too. */
export async function openModel(pe: PosencTools, given: string): Promise<NamedModel> {
  if (/\.gguf$/i.test(given)) {
    const gguf = await onContent(() => ggufOf(openFile(given)));
    const { config, layout } = gguf;
    return { file: given, gguf, model: onModel(given, () => pe.model(config, layout && { layout })) };
  }
  const file = isFolder(given) ? join(given, "config.json") : given;
  const value = readJson(file);
  return { file, model: onModel(file, () => pe.model(value)) };
}

export const readModel = async (pe: PosencTools, given: string): Promise<Model> => (await openModel(pe, given)).model;
