// The arrays of a model's folder: of all its .safetensors files.

import { readdirSync } from "node:fs";
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
