import { parentPort, workerData } from "node:worker_threads";
import { digest } from "./digest.mjs";
import { load } from "./whole-library.mjs";

const pe = await load();
parentPort.postMessage(digest(pe));
while (workerData?.forever) digest(pe); // until it is ended
