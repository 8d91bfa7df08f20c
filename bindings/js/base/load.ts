import createModule from "posenc-module";
import mark from "posenc-module.mark";
import type { LoadOptions } from "../types/index.js";
import { flag, options, wrongType, wrongValue } from "./check.js";
import { compile } from "./compile.js";
import * as expected from "./expected.js";
import type { Module } from "./module.js";

/** Starts a compiled module. A failure rejects: the glue alone would wait for ever. */
const startModule = (compiled: WebAssembly.Module): Promise<Module> =>
  new Promise((resolve, reject) => {
    createModule({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(compiled, imports).then(receive).catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });

/** An instance that is being made, or is there. */
interface Start<T> {
  readonly instance: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** The instance, or the signal's reason if that comes first; when the last caller stops waiting, the work stops. */
const waitFor = <T>({ instance, controller }: Start<T>, start: Start<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      reject(signal.reason);
      if (--start.waiting === 0) controller.abort(signal.reason);
    };
    signal.addEventListener("abort", stop);
    instance.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });

/** An entry's `load`; `own` gives the .wasm that it brings, in any form. */
export function loader<T>(
  onModule: (module: Module, compiled: WebAssembly.Module) => T,
  own: () => unknown,
): (given?: LoadOptions) => Promise<T> {
  let compiled: WebAssembly.Module | undefined;
  let shared: Start<T> | undefined;

  async function make(wasm: unknown, signal: AbortSignal): Promise<T> {
    if (!globalThis.WebAssembly) throw new Error("WebAssembly: missing, expected an engine that has it");
    const module = await compile(wasm === undefined ? (compiled ?? own()) : wasm, mark, signal).catch((error) =>
      explain(error, wasm),
    );
    if (wasm === undefined) compiled = module;
    return onModule(await startModule(module), module);
  }

  return async (given = {}) => {
    const { wasm, signal, shared: isShared = true } = options(given, ["wasm", "signal", "shared"], "options");
    flag("shared", isShared);
    if (signal !== undefined && !signal?.addEventListener)
      throw wrongType("signal", signal, expected.type, { article: "an", type: "AbortSignal" });
    if (signal?.aborted) throw signal.reason;
    let start = isShared ? shared : undefined;
    if (!start || start.controller.signal.aborted) {
      const controller = new AbortController();
      const instance = make(wasm, controller.signal);
      start = { instance, controller, waiting: 0 };
      if (isShared) shared = start;
      const made = start;
      instance.catch(() => {
        if (shared === made) shared = undefined;
      });
    }
    ++start.waiting;
    return signal ? waitFor(start, start, signal) : start.instance;
  };
}

/** Engines differ in their messages for what is no .wasm, or when a policy forbids it; the remedy is the same. */
function explain(error: Error, given: unknown): never {
  if (!/unsafe-eval|policy|CSP/i.test(error.message)) {
    if (given === undefined || error.name !== "CompileError") throw error;
    const refusal = wrongValue("wasm", given, expected.wasm, { module: mark }, `, whole: ${error.message}`);
    throw Object.defineProperty(refusal, "cause", { value: error });
  }
  throw new Error("WebAssembly: forbidden, expected a Content-Security-Policy with script-src 'wasm-unsafe-eval'", {
    cause: error,
  });
}
