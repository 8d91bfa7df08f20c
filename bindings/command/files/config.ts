// A model by what is written on the command line: a config.json, the folder in which it is, or a .gguf file.

import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ggufOf } from "../../js/files.js";
import type { GgufModel } from "../../js/types/files.js";
import type { Model, PosencTools } from "../../js/types/index.js";
import { FileFailure, onFile } from "../failure.js";
import { missingParts, missingShards, partsOf } from "./folder.js";
import { readJson } from "./json.js";
import { openFile, standardInput } from "./open-file.js";
import { onContent } from "./tensors.js";

/** A model, and the file that describes it; of a .gguf file what it says. */
export interface NamedModel {
  readonly file: string;
  readonly model: Model;
  readonly gguf?: GgufModel;
  /** Its files that are not there: shards, or parts of one that is split. */
  readonly missing: readonly string[];
}

export const isFolder = (given: string): boolean =>
  given !== standardInput && onFile(given, () => statSync(given).isDirectory());

function onModel(file: string, make: () => Model): Model {
  try {
    return make();
  } catch (error) {
    throw new FileFailure(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Opens a model; says what it is from, too. */
export async function openModel(pe: PosencTools, given: string, part?: string): Promise<NamedModel> {
  if (/\.gguf$/i.test(given)) {
    const others = partsOf(given).filter((part) => resolve(part) !== resolve(given) && existsSync(part));
    const parts = others.map((part) => openFile(part));
    const gguf = await onContent(() => ggufOf(openFile(given), { parts }));
    const { config, layout } = gguf;
    const model = onModel(given, () => pe.model(config, layout && { layout }));
    const count = (gguf.part?.count ?? 1) - 1 - parts.length;
    const named = missingParts(given);
    // A file of another name does not say those of the other parts.
    const missing = named.length > 0 ? named : [`${count} of ${gguf.part?.count} parts`];
    return { file: given, gguf, model, missing: count > 0 ? missing : [] };
  }
  const file = isFolder(given) ? join(given, "config.json") : given;
  const value = readJson(file);
  return {
    file,
    model: onModel(file, () => pe.model(value, part === undefined ? {} : { part })),
    missing: missingShards(file),
  };
}

/** The model alone, of which nothing may be left open. */
export async function readModel(pe: PosencTools, given: string, part?: string): Promise<Model> {
  const { model, gguf, missing } = await openModel(pe, given, part);
  if (!gguf?.part?.isOpen) return model;
  throw new FileFailure(`${missing.join(", ")}: not there, expected all parts: they may hold factors of frequencies`);
}
