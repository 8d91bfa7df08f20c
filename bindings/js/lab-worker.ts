/**
 * The program of the workers of `train` in `posenc/lab`: a worker that imports this module serves a run. It brings no
 * WebAssembly of its own, and does nothing outside of workers.
 *
 * ```ts
 * import "posenc/lab-worker"; // worker.js
 * ```
 *
 * ```ts
 * const worker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
 * const run = lab.train({ task: { type: "order" }, encoding: { type: "rope" }, worker });
 * ```
 *
 * @module
 */

import { bind } from "./base/call.js";
import { loader } from "./base/load.js";
import type { Request, Response } from "./learning/protocol.js";
import { type Scope, serve } from "./learning/serve.js";
import { training } from "./learning/training.js";

const load = loader(
  (module) => bind(module, { training }),
  () => undefined,
);

interface ParentPort {
  on(event: "message", receive: (request: Request) => void): void;
  postMessage(response: Response): void;
}

interface WorkerScope {
  readonly WorkerGlobalScope?: unknown;
  addEventListener(event: "message", receive: (event: { data: Request }) => void): void;
  postMessage(response: Response): void;
  readonly process?: { getBuiltinModule?(name: string): { parentPort: ParentPort | null } };
}

/** The worker's own end: its global object, or in Node a port. */
function scopeOf(scope: WorkerScope): Scope | undefined {
  if (scope.WorkerGlobalScope)
    return {
      listen: (receive) => scope.addEventListener("message", ({ data }) => receive(data)),
      send: (response) => scope.postMessage(response),
    };
  const port = scope.process?.getBuiltinModule?.("node:worker_threads").parentPort;
  return port
    ? { listen: (receive) => port.on("message", receive), send: (response) => port.postMessage(response) }
    : undefined;
}

const scope = scopeOf(globalThis as unknown as WorkerScope);
if (scope) serve(scope, (module) => load({ wasm: module }));
