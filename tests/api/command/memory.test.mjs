// Headers are read in little more memory than the program needs by itself.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { gguf, llama } from "../testing/gguf-files.mjs";
import { inProject, script } from "./installed.mjs";

/** The most that the program may hold beyond what it needs for nothing, in kilobytes. */
const most = 150 * 1024;

before(() => {
  // The high-water mark of the process's own pages: that of getrusage has the starting process's in it.
  const hook = `import { readFileSync } from "node:fs";
    const peak = () => /VmHWM:.*?(\\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))[1];
    process.on("exit", () => console.error("peak " + peak()));`;
  writeFileSync(inProject("peak.mjs"), hook);
});

const peakOf = (line, status) => {
  const run = script(`NODE_OPTIONS=--import=./peak.mjs posenc ${line}`);
  assert.equal(run.status, status, run.error);
  return Number(/^peak (\d+)$/m.exec(run.error)[1]);
};

const isLinux = process.platform === "linux";
test("100,000 tensors, and a vocabulary of 34 MB", { skip: !isLinux && "the mark is Linux's" }, () => {
  const empty = peakOf("--version", 0);
  const entries = Array.from({ length: 100_000 }, (_, i) => {
    const name = `model.layers.${i % 61}.mlp.experts.${Math.floor(i / 61)}.down_proj.weight`;
    return `"${name}":{"dtype":"BF16","shape":[1,1],"data_offsets":[${2 * i},${2 * i + 2}]}`;
  });
  const header = Buffer.from(`{${entries.join(",")}}`);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  writeFileSync(inProject("many.safetensors"), Buffer.concat([length, header, Buffer.alloc(200_000)]));
  const words = (count, size) => Array.from({ length: count }, (_, i) => `${i}`.padStart(size, "ab"));
  const vocabulary = { "tokenizer.ggml.tokens": words(256_000, 24), "tokenizer.ggml.merges": words(700_000, 29) };
  writeFileSync(inProject("large.gguf"), gguf({ ...llama(), ...vocabulary }));
  const held = { tensors: peakOf("explain many.safetensors", 2), vocabulary: peakOf("explain large.gguf", 0) };
  for (const [what, peak] of Object.entries(held))
    assert.ok(peak - empty < most, `${what}: ${peak - empty} kB more than nothing, expected less than ${most}`);
});
