// A thread of the fuzz tests, with an instance of its own, with SIMD or without. It reports its progress now and then,
// and its counts at the end or at the first failure.
import { parentPort, workerData } from "node:worker_threads";
import { fuzzers } from "./fuzzers.mjs";
import { load } from "./whole-library.mjs";

Error.stackTraceLimit = 4; // most calls throw: traces would take longer than the calls
const { kind, isScalar, ...task } = workerData;
const { validate } = WebAssembly;
if (isScalar) WebAssembly.validate = () => false; // how the package asks whether there is SIMD
await load();
WebAssembly.validate = validate;

const { figures, failure } = await fuzzers[kind](load, task, (figures) => parentPort.postMessage({ figures }));
parentPort.postMessage({ figures, failure, isOver: true });
