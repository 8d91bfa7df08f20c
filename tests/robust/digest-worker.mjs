import { parentPort, workerData } from "node:worker_threads";
import { load } from "../api/testing/whole-library.mjs";
import { digest } from "./digest.mjs";

const pe = await load();
parentPort.postMessage(digest(pe));
while (workerData?.forever) digest(pe); // until it is ended
