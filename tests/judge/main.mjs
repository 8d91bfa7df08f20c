// Judges the diagnosis by random cases: node tests/judge/main.mjs --cases 1000000 --small --table, or --only SEED.

import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { load } from "posenc/tools";
import { caseOf } from "./generator.mjs";
import { isNamed, judged } from "./judge.mjs";

/** Asks about the case of a seed, and judges the answer: { own, answer, wrong, isNamed }. */
export function judgedCase(pe, seed, { small = false, set = "lines" } = {}) {
  const isOther = set === "others" || (set === "both" && seed % 2 === 0);
  const own = caseOf(seed, { isSmall: small, isOther });
  try {
    const answer = pe.diagnose(own.samples, { expected: own.expected });
    const wrong = own.judge ? own.judge(answer) : judged(own, answer);
    return { own, answer, wrong, isNamed: own.judge ? own.isNamed(answer) : isNamed(own, answer) };
  } catch (error) {
    return { own, wrong: { reason: "error", text: error.message }, isNamed: false };
  }
}

const columns = ["n", "certain", "ambiguous", "open", "likely", "too-little", "none", "WRONG"];

/** What became of a case: ambiguous has the truth among its explanations, open has not, or there is none to have. */
function outcomeOf({ answer, wrong, isNamed: hasName }) {
  if (wrong && wrong.reason !== "w6") return "WRONG";
  return answer.verdict === "ambiguous" && !hasName ? "open" : answer.verdict;
}

/** The rows of the table that a case counts in: its kind times each way that it is of. */
function rowsOf({ kind, way, type, inputs, where, form, sample }) {
  const own = sample?.positions.length > 1 ? `M-RoPE ${kind}` : form ? `cache, ${form}` : kind;
  const ways = [
    ["", way],
    ["in", type],
    ["inputs", sample?.before === null ? "" : inputs],
    ["at", where],
  ];
  return ways.filter(([, value]) => value && value !== "none").map(([of, value]) => `${own}: ${of} ${value}`);
}

/** Judges the cases of some seeds, and counts them: { rows, wrong }. */
export function run(pe, { first, cases, step = 1, until = Number.POSITIVE_INFINITY, ...sets }, report = () => {}) {
  const rows = {};
  const wrong = [];
  let k = 0;
  for (; k < cases && (k % 64 !== 0 || performance.now() < until); ++k) {
    const seed = first + k * step;
    const judgement = judgedCase(pe, seed, sets);
    const { kind, way } = judgement.own;
    const outcome = outcomeOf(judgement);
    for (const key of ["all", ...rowsOf(judgement.own)]) {
      rows[key] ??= Object.fromEntries(columns.map((column) => [column, 0]));
      rows[key].n += 1;
      rows[key][outcome] += 1;
    }
    const reason = judgement.wrong;
    if (reason) wrong.push({ seed, text: `${seed}: ${reason.reason}, ${kind}, ${way}: ${reason.text}` });
    if (k % 10000 === 9999) report(`from seed ${first}: ${k + 1} of ${cases}, ${wrong.length} wrong`);
  }
  return { rows, wrong, cases: k };
}

/** The table of kinds times ways; the first word of a way says what it is of. */
function tableOf(results) {
  const all = {};
  for (const [key, row] of results.flatMap(({ rows }) => Object.entries(rows)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    for (const column of columns) {
      all[key] ??= {};
      all[key][column] = (all[key][column] ?? 0) + row[column];
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
  const { seconds, ...data } = workerData;
  const until = performance.now() + 1000 * seconds;
  parentPort.postMessage(run(await load(), { ...data, until }, (text) => parentPort.postMessage(text)));
} else if (process.argv[1]?.endsWith("judge/main.mjs")) {
  const text = (value) => ({ type: "string", default: value });
  const isIt = { type: "boolean", default: false };
  const { cases, seed, workers, only, seconds, small, set, table } = parseArgs({
    options: {
      ...{ cases: text("10000"), seed: text("1"), workers: text("2"), only: { type: "string" }, seconds: text("1e9") },
      ...{ small: isIt, table: isIt, set: text("lines") },
    },
  }).values;
  if (only === undefined) {
    const step = Number(workers);
    const data = { cases: Math.ceil(Number(cases) / step), step, seconds: Number(seconds), small, set };
    const start = performance.now();
    const firsts = Array.from({ length: step }, (_, i) => Number(seed) + i);
    const results = await Promise.all(firsts.map((first) => inWorker({ ...data, first })));
    const wrong = results.flatMap((result) => result.wrong).toSorted((a, b) => a.seed - b.seed);
    if (table) console.log(tableOf(results));
    for (const { text: line } of wrong) console.log(line);
    const done = results.reduce((sum, result) => sum + result.cases, 0);
    const taken = performance.now() - start;
    console.log(`${done} cases, ${(taken / done).toFixed(2)} ms each; ${wrong.length} wrong`);
    process.exitCode = wrong.length > 0 ? 1 : 0;
  } else console.dir(judgedCase(await load(), Number(only), { small, set }), { depth: 8, maxArrayLength: 32 });
}
