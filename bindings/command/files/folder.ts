// The files of a model: the arrays of its folder's .safetensors files, and the parts of one that is split.

import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { arraysOf } from "../../js/files.js";
import type { FileArray } from "../../js/types/files.js";
import { onFile } from "../failure.js";
import { readJson } from "./json.js";
import { openFile, standardInput } from "./open-file.js";
import { onContent } from "./tensors.js";

/** More files than any model has. */
const mostFiles = 1000;

const filesIn = (folder: string, ending: RegExp): string[] =>
  onFile(folder, () => readdirSync(folder))
    .filter((name) => ending.test(name))
    .sort()
    .slice(0, mostFiles);

/** All files of a set, itself too, by the names that converters give: "model-00001-of-00003.safetensors". */
export function partsOf(file: string): string[] {
  const [, stem, count, ending] = /^(.+)-\d{5}-of-(\d{5})(\.\w+)$/.exec(basename(file)) ?? [];
  const name = (i: number) => join(dirname(file), `${stem}-${`${i + 1}`.padStart(5, "0")}-of-${count}${ending}`);
  return count === undefined ? [file] : Array.from({ length: Math.min(Number(count), mostFiles) }, (_, i) => name(i));
}

const isMissing = (file: string): boolean => !existsSync(file);

/** The arrays of several files. */
async function arraysIn(files: Iterable<string>): Promise<FileArray[]> {
  const all: FileArray[] = [];
  for (const file of files) for (const array of await onContent(() => arraysOf(openFile(file)))) all.push(array);
  return all;
}

/** The arrays of a file and of the other parts that are there. */
export const partArrays = (file: string): Promise<FileArray[]> =>
  arraysIn(new Set([file, ...partsOf(file).filter((part) => existsSync(part))]));

/** The arrays beside a config.json. */
export async function folderArrays(config: string): Promise<FileArray[]> {
  if (config === standardInput) return [];
  const folder = dirname(config);
  return arraysIn(filesIn(folder, /\.safetensors$/i).map((file) => join(folder, file)));
}

/** The parts of a file that are not there, by their names. */
export const missingParts = (file: string): string[] =>
  partsOf(file)
    .filter(isMissing)
    .map((part) => basename(part));

/** The files that the folder's index names, or the names of those that are there, and that are not there. */
export function missingShards(config: string): string[] {
  if (config === standardInput) return [];
  const folder = dirname(config);
  const named = filesIn(folder, /\.safetensors$/i).flatMap((file) => missingParts(join(folder, file)));
  for (const index of filesIn(folder, /\.safetensors\.index\.json$/i)) {
    try {
      const { weight_map: map = {} } = readJson(join(folder, index)) as { weight_map?: object };
      named.push(
        ...new Set(
          Object.values(map)
            .map(String)
            .filter((file) => isMissing(join(folder, file))),
        ),
      );
    } catch {
      // The index only says what else there is: one that cannot be read says nothing.
    }
  }
  return [...new Set(named)].sort();
}
