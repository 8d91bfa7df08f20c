// PyTorch of Debian's python3-torch, one thread, in a process of its own, which measures itself.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../../../bindings/setup/paths.mjs";

/** Whole numbers and float32 alike go as JSON, which keeps every bit of them. */
const said = (value) => JSON.stringify(value, (_, inner) => (ArrayBuffer.isView(inner) ? Array.from(inner) : inner));

export async function open() {
  const child = spawn("/usr/bin/python3", [join(root, "tests", "bench", "peers", "torch_training.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.on("error", () => {}); // without Python nothing is heard
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const heard = async () => {
    const { value, done } = await lines.next();
    return done ? undefined : JSON.parse(value);
  };
  async function ask(question) {
    child.stdin.write(`${said(question)}\n`);
    const answer = await heard();
    if (!answer) throw new Error("Python has ended");
    return answer;
  }
  const version = (await heard())?.version;
  if (!version) return { missing: "PyTorch is not here (apt install python3-torch)" };
  return {
    version: `PyTorch ${version}`,
    trainingMust: 0.5,
    async training(model) {
      await ask({ model });
      return {
        step: async (batch) => (await ask({ batches: [batch] })).losses[0],
        timed: async (batches) => (await ask({ batches })).milliseconds / batches.length,
      };
    },
    end: () => child.stdin.end(),
  };
}
