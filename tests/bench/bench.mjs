// npm run bench: the library through its public API, against the machine's limits and good JavaScript, in one process.
// Options: --json prints JSON alone; --rounds N (25).

import { readFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { load } from "posenc";
import { rotateHalf, rotateInterleaved, tableByAddition, tableBySines } from "./javascript.mjs";
import { race } from "./rounds.mjs";

const { values: flags } = parseArgs({
  options: { json: { type: "boolean", default: false }, rounds: { type: "string", default: "25" } },
});
const rounds = Number(flags.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds: ${flags.rounds}, expected a whole number >= 1`);
  process.exit(2);
}

const pe = await load();
const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..", "..");
const wasm = readFileSync(join(root, "build", "wasm", "tests", "bench", "limits.wasm"));
const noImports = new Proxy({}, { get: () => new Proxy({}, { get: () => () => 0 }) });
const limits = (await WebAssembly.instantiate(wasm, noImports)).instance.exports;
limits._initialize();

/** The machine's limits for `count` values, on memory touched before. */
function limitsFor(count) {
  const to = limits.allocate(count);
  const from = limits.allocate(count);
  if (to === 0 || from === 0) throw new RangeError(`no memory for ${count} values`);
  limits.fill(to, count);
  limits.fill(from, count);
  return {
    "memory.fill": () => limits.fill(to, count),
    "memory.copy": () => limits.copy(to, from, count),
    "multiply in place": () => limits.multiply(to, count, 1),
  };
}

function tableWorkload(length, dim) {
  const out = new Float32Array(length * dim);
  const buffer = pe.buffer(length * dim);
  const contestants = {
    ...limitsFor(length * dim),
    "posenc, into a buffer": () => pe.sinusoidal({ length, dim, out: buffer.view }),
    "posenc, new array": () => pe.sinusoidal({ length, dim }),
    "JavaScript, angle addition": () => tableByAddition(out, length, dim),
    "JavaScript, Math.sin": () => tableBySines(out, length, dim),
  };
  return { workload: `table ${length} x ${dim}, set-up included`, limit: "memory.fill", contestants };
}

function rotaryWorkload(layout, seq, heads, dim) {
  const x = new Float32Array(seq * heads * dim).fill(1);
  const buffer = pe.buffer(x.length);
  buffer.view.fill(1);
  const rope = pe.rotary({ dim, layout });
  const { cos, sin } = rope.cache({ length: seq });
  const plain = layout === "half" ? rotateHalf : rotateInterleaved;
  const contestants = {
    ...limitsFor(x.length),
    "posenc, in a buffer": () => rope.apply(buffer.view, { shape: [seq, heads, dim] }),
    "posenc, in an array": () => rope.apply(x, { shape: [seq, heads, dim] }),
    "JavaScript, angles ready": () => plain(x, cos.data, sin.data, seq, heads, dim),
  };
  return { workload: `RoPE ${layout} [${seq}, ${heads}, ${dim}] in place`, limit: "multiply in place", contestants };
}

const workloads = [
  () => tableWorkload(2048, 512),
  () => tableWorkload(8192, 1024),
  () => tableWorkload(131072, 128),
  () => rotaryWorkload("half", 2048, 32, 128),
  () => rotaryWorkload("interleaved", 2048, 32, 128),
  () => rotaryWorkload("half", 1, 32, 128),
  () => rotaryWorkload("interleaved", 1, 32, 128),
];

const machine = `${os.cpus()[0]?.model ?? "unknown processor"}, Node ${process.versions.node}`;
const results = [];
if (!flags.json) console.log(`${machine}; medians of ${rounds} shuffled rounds, one process\n`);
for (const make of workloads) {
  const { workload, limit, contestants } = make();
  const rows = race(contestants, limit, rounds);
  results.push({ workload, limit, rows });
  if (flags.json) continue;
  console.log(`${workload}  (share of ${limit})`);
  for (const { name, milliseconds, ofLimit } of rows) {
    console.log(`  ${name.padEnd(28)}${milliseconds.toPrecision(3).padStart(10)} ms${ofLimit.toFixed(3).padStart(10)}`);
  }
  console.log();
}
if (flags.json) console.log(JSON.stringify({ machine, rounds, results }, undefined, 2));
