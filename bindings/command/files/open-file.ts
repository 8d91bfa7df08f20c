// Files on disk as posenc/files reads them: where it asks, since a file may be larger than memory.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { ByteSource } from "../../js/types/files.js";
import { FileFailure, onFile } from "../failure.js";

/** A file whose bytes are read in parts. */
export interface OpenFile extends ByteSource {
  readonly name: string;
  /** The bytes from one place up to another. */
  read(from: number, to: number): ArrayBuffer;
}

const opened: number[] = [];

/** Opens a file; it stays open until `closeAll`. */
export function openFile(name: string): OpenFile {
  const handle = onFile(name, () => openSync(name, "r"));
  opened.push(handle);
  const stat = onFile(name, () => fstatSync(handle));
  if (!stat.isFile()) throw new FileFailure(`${name}: a folder or a device, expected a file`);
  function read(from: number, to: number): ArrayBuffer {
    const bytes = new Uint8Array(to - from);
    for (let at = from; at < to; ) {
      const count = onFile(name, () => readSync(handle, bytes, at - from, to - at, at));
      if (count === 0) throw new FileFailure(`${name}: truncated: it ends after ${at} bytes`);
      at += count;
    }
    return bytes.buffer;
  }
  return { name, size: stat.size, read, slice: (from, to) => ({ arrayBuffer: async () => read(from, to) }) };
}

export function closeAll(): void {
  for (let handle = opened.pop(); handle !== undefined; handle = opened.pop()) closeSync(handle);
}
