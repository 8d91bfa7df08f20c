import { parentPort } from "node:worker_threads";
import { load } from "posenc/full";
import { digest } from "./digest.mjs";

parentPort.postMessage(digest(await load()));
