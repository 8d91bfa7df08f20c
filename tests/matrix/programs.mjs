// The programs that rows run, as a user would write them: a row of the table, a rotated vector, handed out as JSON; of the
// lab a hash of what a worker trained.
import { DIM, OFFSET, POSITION, VECTOR } from "./expected.mjs";

/** Marks a result in what a program prints or a server answers; one result a mark. */
export const MARK = "posenc:";
/** Marks an element of a page that has a result as its value. */
export const ATTRIBUTE = "data-posenc";

/** Defines `probe(load)`. */
export const PROBE = `async function probe(load) {
  const pe = await load();
  const table = pe.sinusoidal({ length: ${POSITION + 1}, dim: ${DIM} });
  const vector = Float32Array.from(${JSON.stringify(VECTOR)});
  const rope = pe.rotary({ dim: ${VECTOR.length}, layout: "half", base: 10000 });
  rope.apply(vector, { shape: [1, ${VECTOR.length}], offset: ${OFFSET} });
  return JSON.stringify({ row: [...table.data.slice(${POSITION * DIM})], vector: [...vector] });
}
`;

/** A program for the lab: FNV-1a of the bits that tests/core/learning/training_bits.test.cpp stores of RoPE. */
const TRAINING_PROBE = `async function probe(load) {
  const lab = await load();
  const run = lab.train({
    task: { type: "order", longest: 6 },
    encoding: { type: "rope" },
    model: { layers: 2, width: 16, heads: 2, dropout: 0.1 },
    optimizer: { steps: 12, batch: 6, rate: 0.01, warmUp: 3, clip: 1, weightDecay: 0.01 },
    sampling: "random",
    stretch: 2,
    seed: 5,
  });
  for await (const _ of run);
  const { loss } = await run.evaluate({ sequences: 8 });
  let hash = 0xcbf29ce484222325n;
  for (const { buffer } of [await run.values(), Float32Array.of(loss)])
    for (const byte of new Uint8Array(buffer)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  await run.dispose();
  return JSON.stringify({ trained: hash.toString(16).padStart(16, "0") });
}
`;

const isLab = (entry) => /\blab(\.js)?$/.test(entry);

const PRINT = `probe(load).then((json) => console.log("${MARK}" + json));\n`;
const SHOW = `const show = (json) => document.documentElement.setAttribute("${ATTRIBUTE}", json);
const fail = (error) => show(JSON.stringify({ error: String(error?.stack ?? error) }));
`;

const imports = (entry) => `import { load } from "${entry}";\n`;

/** Defines \`load\` and \`probe\`, for a row with a program of its own. */
export const probing = (entry = "posenc") => imports(entry) + probeOf(entry);

/** `probe` alone, where `load` comes from elsewhere. */
export const probeOf = (entry) => (isLab(entry) ? TRAINING_PROBE : PROBE);

/** An ES module that prints its result. */
export const printing = (entry) => probing(entry) + PRINT;

/** The row of the table from a file that the command has written, as npx runs it; a runtime starts it by these words. */
export const printingByCommand = (...words) => `import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { load } from "posenc";
import { fromNpy } from "posenc/npy";
${PROBE}const options = ["table", "--dim", "${DIM}", "--length", "${POSITION + 1}", "--output", "table.npy", "--force"];
const args = [...${JSON.stringify(words)}, "node_modules/posenc/dist/command.js", ...options];
execFileSync(process.execPath, args, { stdio: "inherit" });
const { data } = fromNpy(readFileSync("table.npy"));
const { vector } = JSON.parse(await probe(load));
console.log("${MARK}" + JSON.stringify({ row: [...data.slice(${POSITION * DIM})], vector }));
`;

/** A program for CommonJS. */
export const printingByRequire = (entry = "posenc") => `const { load } = require("${entry}");\n${PROBE}${PRINT}`;

/** An ES module that puts its result into the page. */
export const showing = (entry) => `${probing(entry)}${SHOW}probe(load).then(show, fail);\n`;

/**
 * A script for a page whose result comes from elsewhere, a worker for example. \`start\` makes it, in the names show
 * and fail.
 */
export const showingFrom = (start) => `${SHOW}${start}\n`;

/** A page with these lines in its head. */
export const html = (...lines) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>posenc</title>
<link rel="icon" href="data:,">
${lines.join("\n")}
</head>
<body></body>
</html>
`;

/** A page as short as they get, without a character set, for a classic script that defines the global `posenc`. */
export const htmlWithGlobal = (source) => `<!doctype html>
<script src="${source}"></script>
<script>
${PROBE}${SHOW}probe(posenc.load).then(show, fail);
</script>
`;

/** A page with one script: a module, or a classic script that waits for the document. */
export const htmlWith = (source, kind = 'type="module"') => html(`<script ${kind} src="${source}"></script>`);
