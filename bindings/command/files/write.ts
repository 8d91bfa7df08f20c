// Files are written beside their place and renamed: they are complete, or not there.

import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { toSafetensors, type Writable } from "../../js/files/to-safetensors.js";
import { toNpy } from "../../js/npy.js";
import { FileFailure, onFile, UsageFailure } from "../failure.js";
import { printBytes } from "../print.js";

/** The name of standard output, to which arrays are written as a .npy file. */
export const standardOutput = "-";

/** Whether something has this name, if only a link to nothing. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file) !== undefined;
  } catch {
    return false;
  }
}

/** Refuses a file that is there already, before anything is computed for it. */
export function checkFree(file: string, isForced: boolean): void {
  if (file !== standardOutput && !isForced && isThere(file))
    throw new UsageFailure(`${file}: is there already; --force overwrites it`);
}

/** A file and what it is to hold. */
interface Content {
  readonly file: string;
  readonly data: Uint8Array | string;
}

/** Makes a folder; returns those that were not there, the innermost first. */
function makeFolder(folder: string): string[] {
  const made: string[] = [];
  for (let each = folder; !isThere(each); each = dirname(each)) made.push(each);
  mkdirSync(folder, { recursive: true });
  return made;
}

/** The place of a file, which is another where a link has its name. */
function placeOf(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  if (isThere(file)) throw new FileFailure(`${file}: a link to a file that is not there`);
  return file;
}

/**
 * Writes files: all of them, or none where the disk is full. Each is written beside its place, and renamed when all are
 * there; a link stays, and the file that it names is written.
 */
export function writeAll(contents: readonly Content[]): void {
  const parts: [string, string][] = [];
  const folders: string[] = [];
  let renamed = 0;
  try {
    for (const { file, data } of contents) {
      onFile(file, () => {
        folders.unshift(...makeFolder(dirname(file)));
        const place = placeOf(file);
        const part = join(dirname(place), `.${basename(place)}.${process.pid}.part`);
        parts.push([part, place]);
        writeFileSync(part, data, { flag: "wx" });
      });
    }
    for (const [part, place] of parts) {
      onFile(place, () => renameSync(part, place));
      renamed += 1;
    }
  } catch (error) {
    for (const [part] of parts) rmSync(part, { force: true });
    if (renamed > 0) throw error;
    for (const folder of folders) rmdirSync(folder);
    if (!(error instanceof FileFailure) || parts.length === 0) throw error;
    throw new FileFailure(`${error.message}; nothing was left behind`);
  }
}

/** Which file a result goes to. */
export function outputFile(given: unknown): string {
  if (given === standardOutput || (typeof given === "string" && /\.(npy|safetensors)$/i.test(given))) return given;
  const shown = typeof given === "string" ? given : "nothing";
  throw new UsageFailure(`--output: ${shown}, expected a file that ends in .npy or .safetensors, or -`);
}

/** Writes tensors; a .npy file has one, which `only` makes of them. */
export function writeTensors(
  file: string,
  tensors: { readonly [name: string]: Writable },
  only: () => Writable = () => Object.values(tensors)[0] as Writable,
): void {
  if (/\.safetensors$/i.test(file)) {
    writeAll([{ file, data: toSafetensors(tensors) }]);
    return;
  }
  const { data, shape, dtype } = only();
  if (dtype === "bfloat16") throw new UsageFailure(`${file}: NumPy has no bfloat16, expected a .safetensors file`);
  const source = dtype === "float16" ? { data: data as Uint16Array, shape: [...shape], dtype } : { data, shape };
  const bytes = toNpy(source as Parameters<typeof toNpy>[0]);
  if (file === standardOutput) printBytes(bytes);
  else writeAll([{ file, data: bytes }]);
}
