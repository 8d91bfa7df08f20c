// Judges the diagnosis by random cases: node tests/judge/main.mjs --cases 1000000 --seed 1 --workers 2, or --only SEED.

import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { load } from "posenc/tools";
import { caseOf } from "./generator.mjs";
import { isNamed, judged } from "./judge.mjs";

/** Asks about the case of a seed, and judges the answer: { kind, way, verdict, wrong, isNamed }. */
export function judgedCase(pe, seed) {
  const own = caseOf(seed);
  const { kind, way, samples, expected } = own;
  try {
    const answer = pe.diagnose(samples, { expected });
    return {
      kind,
      way,
      verdict: answer.verdict,
      wrong: judged(own, answer),
      isNamed: isNamed(own, answer),
      answer,
      own,
    };
  } catch (error) {
    return { kind, way, verdict: "none", wrong: { reason: "error", text: error.message }, isNamed: false, own };
  }
}

const columns = ["n", "certain", "ambiguous", "likely", "too-little", "none", "wrong", "named"];
const zeros = () => Object.fromEntries(columns.map((column) => [column, 0]));

/** Judges the cases of some seeds, and counts them: { rows, wrong }. */
export function run(pe, { first, cases, step = 1 }, report = () => {}) {
  const rows = {};
  const wrong = [];
  for (let k = 0; k < cases; ++k) {
    const seed = first + k * step;
    const { kind, way, verdict, wrong: reason, isNamed: hasName } = judgedCase(pe, seed);
    rows[`${kind}, ${way}`] ??= zeros();
    const row = rows[`${kind}, ${way}`];
    for (const column of ["n", verdict, ...(reason ? ["wrong"] : []), ...(hasName ? ["named"] : [])]) row[column] += 1;
    if (reason) wrong.push({ seed, text: `${seed}: ${reason.reason}, ${kind}, ${way}: ${reason.text}` });
    if (k % 10000 === 9999) report(`from seed ${first}: ${k + 1} of ${cases}, ${wrong.length} wrong`);
  }
  return { rows, wrong };
}

/** The table of kinds times ways. */
function tableOf(results) {
  const all = { all: zeros() };
  for (const [key, row] of results.flatMap(({ rows }) => Object.entries(rows)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    for (const column of columns)
      for (const name of [key, "all"]) {
        all[name] ??= zeros();
        all[name][column] += row[column];
      }
  const width = Math.max(...Object.keys(all).map((key) => key.length));
  const line = (key, cells) => `${key.padEnd(width)}${cells.map((cell) => String(cell).padStart(11)).join("")}`;
  return [line("", columns), ...Object.entries(all).map(([key, row]) => line(key, Object.values(row)))].join("\n");
}

const inWorker = (data) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: data });
    worker.on("message", (message) => (message.rows ? resolve(message) : console.error(message)));
    worker.on("error", reject);
  });

if (!isMainThread && workerData?.first) {
  parentPort.postMessage(run(await load(), workerData, (text) => parentPort.postMessage(text)));
} else if (process.argv[1]?.endsWith("judge/main.mjs")) {
  const number = (value) => ({ type: "string", default: value });
  const known = { cases: number("10000"), seed: number("1"), workers: number("2"), only: { type: "string" } };
  const { cases, seed, workers, only } = parseArgs({ options: known }).values;
  if (only === undefined) {
    const step = Number(workers);
    const share = Math.ceil(Number(cases) / step);
    const start = performance.now();
    const firsts = Array.from({ length: step }, (_, i) => Number(seed) + i);
    const results = await Promise.all(firsts.map((first) => inWorker({ first, cases: share, step })));
    const wrong = results.flatMap((result) => result.wrong).toSorted((a, b) => a.seed - b.seed);
    console.log([tableOf(results), ...wrong.map(({ text }) => text)].join("\n"));
    console.log(`${share * step} cases in ${((performance.now() - start) / 1000).toFixed(1)} s; ${wrong.length} wrong`);
    process.exitCode = wrong.length > 0 ? 1 : 0;
  } else console.dir(judgedCase(await load(), Number(only)), { depth: 8, maxArrayLength: 32 });
}
