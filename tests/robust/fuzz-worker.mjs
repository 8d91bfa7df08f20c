// A thread of the fuzz test, with an instance of its own.
import { parentPort, workerData } from "node:worker_threads";
import { load } from "posenc/full";
import { Fuzz } from "./fuzz.mjs";

Error.stackTraceLimit = 4; // most calls throw: traces would take longer than the calls
const fuzz = new Fuzz(await load());
let failure;
try {
  fuzz.run(workerData);
} catch (error) {
  failure = `${error.message}\n${error.cause?.stack ?? ""}`;
}
const { calls, errors, functions, missing, slowest } = fuzz;
parentPort.postMessage({ failure, calls, errors, functions, missing, slowest });
