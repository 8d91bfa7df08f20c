import { isObject, type Parameters, refusal, wrongType } from "../base/check.js";
import * as expected from "../base/expected.js";
import type { ErrorFields } from "../types/error.js";
import type { ByteSource } from "../types/files.js";

/** More is never in memory at once: an archive of a few bytes may announce any size. */
export const mostBytes = 2 ** 29;

/** Called with the share that is done, from 0 to 1. */
export type Progress = (done: number) => void;

/** Bytes that are read in parts, under the name that they have in messages. */
export interface Section {
  readonly name: string;
  readonly size: number;
  /** All bytes from one place up to another. */
  read(from: number, to: number): Promise<ArrayBuffer>;
  /** Reads a section that can only be read from its first byte on into memory. */
  held?(progress: Progress): Promise<Section>;
}

/** The error of a file, whose name is shown whole: a sentence with its code (base/expected.ts), or one of its own. */
export const wrongFile = (name: string, sentence: string, parameters: Parameters = {}): RangeError & ErrorFields =>
  refusal(RangeError, sentence, { argument: name, value: undefined, shown: "", parameters, isFile: true });

/** All of a source. */
export function sectionOf(source: ByteSource): Section {
  if (!isObject(source) || typeof source.slice !== "function" || typeof source.size !== "number")
    throw wrongType("source", source, "a Blob, or another object with size and slice(from, to)");
  const { size } = source;
  const name = typeof source.name === "string" && source.name !== "" ? source.name : "source";
  return {
    name,
    size,
    async read(from, to) {
      const bytes = await source.slice(from, to).arrayBuffer();
      if (bytes.byteLength !== to - from) throw wrongFile(name, expected.file_ends, { bytes: from + bytes.byteLength });
      return bytes;
    },
  };
}

/** A part as a file by itself. */
export const partOf = (whole: Section, from: number, size: number, name: string): Section => ({
  name,
  size,
  read: (first, last) => whole.read(from + first, from + last),
});
