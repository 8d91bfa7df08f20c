// Files on disk as posenc/files reads them: where it asks, since a file may be larger than memory.

import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { isatty } from "node:tty";
import { mostBytes } from "../../js/files/section.js";
import type { ByteSource } from "../../js/types/files.js";
import { FileFailure, onFile } from "../failure.js";

/** A file whose bytes are read in parts. */
export interface OpenFile extends ByteSource {
  readonly name: string;
  /** The bytes from one place up to another. */
  read(from: number, to: number): ArrayBuffer;
}

const opened: number[] = [];

/** The name of standard input among arguments. */
export const standardInput = "-";

const sourceOf = (name: string, size: number, read: OpenFile["read"]): OpenFile => ({
  name,
  size,
  read,
  slice: (from, to) => ({ arrayBuffer: async () => read(from, to) }),
});

/** A pipe that nothing is in yet may answer that it should be asked again. */
function readAgain(into: Uint8Array): number {
  for (;;) {
    try {
      return readSync(0, into);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Reads standard input whole: of a pipe no part can be read twice. It may be one without an end. */
function openInput(most: number): OpenFile {
  const name = "standard input";
  if (isatty(0)) throw new FileFailure(`${name}: a terminal, expected a file or a pipe`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const part = new Uint8Array(2 ** 16);
    const count = onFile(name, () => readAgain(part));
    if (count === 0) break;
    parts.push(part.subarray(0, count));
    size += count;
    if (size > most) throw new FileFailure(`${name}: more than ${most} bytes, expected a file of at most that`);
  }
  if (size === 0) throw new FileFailure(`${name}: empty, expected a file`);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return sourceOf(name, size, (from, to) => bytes.slice(from, to).buffer);
}

/** Opens a file; it stays open until `closeAll`. Of standard input no more than `most` bytes are read. */
export function openFile(name: string, most: number = mostBytes): OpenFile {
  if (name === standardInput) return openInput(most);
  // Asked before it is opened: a named pipe would wait there for somebody who writes.
  const stat = onFile(name, () => statSync(name));
  if (!stat.isFile()) {
    const what = stat.isDirectory() ? "a folder" : stat.isFIFO() ? "a pipe" : "a device";
    throw new FileFailure(`${name}: ${what}, expected a file${stat.isFIFO() ? ", or - for standard input" : ""}`);
  }
  const handle = onFile(name, () => openSync(name, "r"));
  opened.push(handle);
  function read(from: number, to: number): ArrayBuffer {
    const bytes = new Uint8Array(to - from);
    for (let at = from; at < to; ) {
      const count = onFile(name, () => readSync(handle, bytes, at - from, to - at, at));
      if (count === 0) throw new FileFailure(`${name}: truncated: it ends after ${at} bytes`);
      at += count;
    }
    return bytes.buffer;
  }
  return sourceOf(name, stat.size, read);
}

/** Opens files beside another, each once, and not through a link that leads out of its folder. */
export function openBeside(file: string): (location: string) => OpenFile | undefined {
  const known = new Map<string, OpenFile | undefined>();
  return (location) => {
    const folder = realpathSync(dirname(file));
    const path = join(folder, location);
    const isWithin = () => existsSync(path) && realpathSync(path).startsWith(folder + sep);
    if (!known.has(path)) known.set(path, isWithin() ? openFile(path) : undefined);
    return known.get(path);
  };
}

export function closeAll(): void {
  for (let handle = opened.pop(); handle !== undefined; handle = opened.pop()) closeSync(handle);
}
