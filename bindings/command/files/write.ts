// Files are written beside their place and renamed: they are complete, or not there.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { toSafetensors, type Writable } from "../../js/files/to-safetensors.js";
import { toNpy } from "../../js/npy.js";
import { onFile, UsageFailure } from "../failure.js";

/** Refuses a file that is there already, before anything is computed for it. */
export function checkFree(file: string, isForced: boolean): void {
  if (!isForced && existsSync(file)) throw new UsageFailure(`${file}: is there already; --force overwrites it`);
}

export function writeWhole(file: string, content: Uint8Array | string): void {
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  onFile(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    try {
      writeFileSync(part, content, { flag: "wx" });
      renameSync(part, file);
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
  });
}

/** Which file a result goes to. */
export function outputFile(given: unknown): string {
  if (typeof given !== "string" || !/\.(npy|safetensors)$/i.test(given)) {
    const shown = typeof given === "string" ? given : "nothing";
    throw new UsageFailure(`--output: ${shown}, expected a file that ends in .npy or .safetensors`);
  }
  return given;
}

/** Writes tensors; a .npy file has one, which `only` makes of them. */
export function writeTensors(
  file: string,
  tensors: { readonly [name: string]: Writable },
  only: () => Writable = () => Object.values(tensors)[0] as Writable,
): void {
  if (/\.safetensors$/i.test(file)) {
    writeWhole(file, toSafetensors(tensors));
    return;
  }
  const { data, shape, dtype } = only();
  if (dtype === "bfloat16") throw new UsageFailure(`${file}: NumPy has no bfloat16, expected a .safetensors file`);
  const source = dtype === "float16" ? { data: data as Uint16Array, shape: [...shape], dtype } : { data, shape };
  writeWhole(file, toNpy(source as Parameters<typeof toNpy>[0]));
}
