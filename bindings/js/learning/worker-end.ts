// The run's end of a worker, on every platform.

import { beforeVite } from "../base/before-vite.js";
import { refusal, wrongType } from "../base/check.js";
import * as expected from "../base/expected.js";
import type * as t from "../types/index.js";
import type { Request, Response } from "./protocol.js";

/** The module that workers run, beside the file in which this is. */
const moduleUrl = () => {
  const file = "./lab-worker.js"; // a variable, so that bundlers find the expression in webWorker() alone
  return beforeVite(new URL(file, import.meta.url));
};

export interface WorkerEnd {
  send(request: Request): void;
  /** Sets whether it keeps the process alive, in Node. */
  keepAlive(isNeeded: boolean): void;
  terminate(): unknown;
}

interface Listeners {
  receive(response: Response): void;
  /** Called when it ended or messages do not arrive. */
  fail(error: Error): void;
}

/** Node's has `on`, others `addEventListener`. */
interface AnyWorker extends t.TrainingWorker {
  on?(event: string, listener: (value: unknown) => void): void;
  addEventListener?(event: string, listener: (event: WorkerEvent) => void): void;
  ref?(): void;
  unref?(): void;
}

interface WorkerEvent {
  readonly data?: Response;
  readonly message?: string;
  preventDefault(): void;
}

interface Threads {
  readonly Worker: new (url: URL, options: { execArgv: string[] }) => t.TrainingWorker;
}

const ended = (how: string, cause?: unknown) =>
  Object.assign(refusal(Error, expected.worker, { argument: "worker", value: how, shown: how }), { cause });

/** A worker may only be started from the page's own origin: from another one, by a script that imports it. */
function isForeign(): boolean {
  const { protocol, origin } = new URL(import.meta.url);
  const own = (globalThis as { location?: { origin?: string } }).location?.origin;
  return /^https?:$/.test(protocol) && own !== undefined && own !== origin;
}

function foreignWorker(): Worker {
  const script = `import ${JSON.stringify(moduleUrl().href)};`;
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  // A worker that sends a message has been fetched.
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

function webWorker(): Worker {
  if (isForeign()) return foreignWorker();
  if (/\.vite\/deps\//.test(import.meta.url)) return new Worker(moduleUrl(), { type: "module" });
  // Bundlers look for exactly this expression.
  return new Worker(new URL("./lab-worker.js", import.meta.url), { type: "module" });
}

function usualWorker(): t.TrainingWorker {
  const { Worker: has, process } = globalThis as {
    Worker?: unknown;
    process?: { getBuiltinModule?(name: string): Threads };
  };
  if (has) return webWorker();
  const threads = process?.getBuiltinModule?.("node:worker_threads");
  if (!threads) throw ended("there are none here");
  // Threads inherit the process's flags; those for its first module (--input-type, --import) do not fit this one.
  return new threads.Worker(moduleUrl(), { execArgv: [] });
}

/** A worker learns for one training alone: the points and weights of two would be mixed. */
const taken = new WeakSet<object>();

/** Starts a worker, or takes the one that the caller's `worker` is or makes. */
export function workerEnd(given: t.TrainOptions["worker"], { receive, fail }: Listeners): WorkerEnd {
  const worker = (typeof given === "function" ? given() : (given ?? usualWorker())) as AnyWorker;
  if (taken.has(worker)) throw wrongType("worker", worker, "one that no other training was given");
  const take = (data: unknown) => {
    try {
      // The caller's own worker may send messages of its own.
      if (data) receive(data as Response);
    } catch (error) {
      fail(ended("a message had another form", error));
    }
  };
  if (worker.addEventListener) {
    worker.addEventListener("message", ({ data }) => take(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      fail(ended(event.message || "it did not start"));
    });
    worker.addEventListener("messageerror", () => fail(ended("a message could not be read")));
  } else if (worker.on) {
    worker.on("message", take);
    worker.on("error", (error) => fail(ended(error instanceof Error ? error.message : String(error), error)));
    worker.on("messageerror", (error) => fail(ended("a message could not be read", error)));
    worker.on("exit", () => fail(ended("it ended")));
  } else throw wrongType("worker", worker, "a Worker, or a function that makes one");
  taken.add(worker);
  return {
    send: (request) => worker.postMessage(request),
    keepAlive: (isNeeded) => (isNeeded ? worker.ref?.() : worker.unref?.()),
    terminate: () => worker.terminate(),
  };
}
