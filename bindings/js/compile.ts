// From whatever a .wasm is given as to a compiled module.

import { wrongType, wrongValue } from "./check.js";

/** By tag and not by instanceof: things may come from another frame or realm. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

type FileReader = { readFile(path: string | URL, options: object): Promise<ArrayBufferView<ArrayBuffer>> };
type NodeProcess = { getBuiltinModule?(name: string): FileReader };

/** What stands at a URL, or, in Node, whose fetch knows no files, in a file. */
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
  if (!ok) throw wrongValue("wasm", `${status} ${url}`, "a response with the file");
  // Of any other type compileStreaming refuses it.
  return headers.get("content-type") === "application/wasm" && "compileStreaming" in WebAssembly
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** Compiles what was given; `mark` is the name of the section that tells whose .wasm it is. */
export async function compile(given: unknown, mark: string, signal: AbortSignal): Promise<WebAssembly.Module> {
  const wasm = await given;
  const source = /^(String|URL)$/.test(tagOf(wasm)) ? await read(wasm as URL, signal) : wasm;
  const tag = tagOf(source);
  const isBytes = ArrayBuffer.isView(source) || /^(Shared)?ArrayBuffer$/.test(tag);
  const isModule = tag === "WebAssembly.Module";
  if (!isBytes && !isModule && tag !== "Response") {
    throw wrongType("wasm", wasm, "a WebAssembly.Module, bytes, a URL, a string or a Response");
  }
  const module = isModule
    ? (source as WebAssembly.Module)
    : await (isBytes ? WebAssembly.compile(source as BufferSource) : compileResponse(source as Response));
  if (!WebAssembly.Module.customSections(module, mark).length) throw wrongValue("wasm", wasm, `the .wasm of ${mark}`);
  return module;
}
