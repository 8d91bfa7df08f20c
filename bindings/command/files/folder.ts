// The arrays of a model's folder: of all its .safetensors files.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { arraysOf } from "../../js/files.js";
import type { FileArray } from "../../js/types/files.js";
import { onFile } from "../failure.js";
import { openFile, standardInput } from "./open-file.js";
import { onContent } from "./tensors.js";

/** More files than any model has. */
const mostFiles = 1000;

/** The arrays beside a config.json. */
export async function folderArrays(config: string): Promise<FileArray[]> {
  if (config === standardInput) return [];
  const folder = dirname(config);
  const files = onFile(folder, () => readdirSync(folder)).filter((name) => /\.safetensors$/i.test(name));
  const all: FileArray[] = [];
  for (const file of files.sort().slice(0, mostFiles))
    for (const array of await onContent(() => arraysOf(openFile(join(folder, file))))) all.push(array);
  return all;
}

/** The files that the folder's index names, and that are not there. */
export function missingShards(config: string): string[] {
  const folder = dirname(config);
  const index = join(folder, "model.safetensors.index.json");
  if (config === standardInput || !existsSync(index)) return [];
  try {
    const { weight_map: map = {} } = JSON.parse(readFileSync(index, "utf8")) as { weight_map?: object };
    return [...new Set(Object.values(map).map(String))].filter((file) => !existsSync(join(folder, file)));
  } catch {
    // The index only says what else there is: one that cannot be read says nothing.
    return [];
  }
}
