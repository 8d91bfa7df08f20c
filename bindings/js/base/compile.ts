// From whatever a .wasm is given as to a compiled module.

import { wrongType, wrongValue } from "./check.js";
import * as expected from "./expected.js";

/** A function of one vector instruction. */
const vectors = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** Whether this engine knows vectors, and not only the scalar .wasm can run. */
export const hasSimd = (): boolean => WebAssembly.validate(vectors);

/** By tag and not by instanceof: things may come from another frame or realm. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

type FileReader = { readFile(path: string | URL, options: object): Promise<ArrayBufferView<ArrayBuffer>> };
type NodeProcess = { getBuiltinModule?(name: string): FileReader };

/** The contents of a URL or, in Node, whose fetch has no files, of a file. */
function read(place: string | URL, signal: AbortSignal): Promise<Response | ArrayBufferView<ArrayBuffer>> {
  const text = String(place);
  const isFile = /^file:/i.test(text);
  const files = (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.("node:fs/promises");
  return files && (isFile || !/^\w[\w+.-]+:/.test(text))
    ? files.readFile(isFile ? new URL(text) : text, { signal })
    : fetch(place, { signal });
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  const { ok, status, url, headers } = response;
  if (!ok) throw wrongValue("wasm", `${status} ${url}`, expected.response);
  // compileStreaming refuses a response of any other type.
  return headers.get("content-type") === "application/wasm" && "compileStreaming" in WebAssembly
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** V8 refuses a DataView. */
const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength) as Uint8Array<ArrayBuffer>;

/** Compiles what was given; `mark` is the name of the section that identifies the .wasm. */
export async function compile(given: unknown, mark: string, signal: AbortSignal): Promise<WebAssembly.Module> {
  const wasm = await given;
  const source = /^(String|URL)$/.test(tagOf(wasm)) ? await read(wasm as URL, signal) : wasm;
  const tag = tagOf(source);
  const isView = ArrayBuffer.isView(source);
  const isBytes = isView || /^(Shared)?ArrayBuffer$/.test(tag);
  const isModule = tag === "WebAssembly.Module";
  if (!isBytes && !isModule && tag !== "Response") throw wrongType("wasm", wasm, expected.wasm_source);
  const module = isModule
    ? (source as WebAssembly.Module)
    : await (isBytes
        ? WebAssembly.compile(isView ? bytesOf(source) : (source as BufferSource))
        : compileResponse(source as Response));
  if (!WebAssembly.Module.customSections(module, mark).length)
    throw wrongValue("wasm", wasm, expected.wasm, { module: mark });
  return module;
}
