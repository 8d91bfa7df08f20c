// Writes the results that the page has stored: web/src/training/results.json.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LESS, TASKS } from "./runs.mjs";

const PATH = fileURLToPath(new URL("../../web/src/training/results.json", import.meta.url));
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The upper halves of float32, for lines that are drawn: base64 of their bytes, least significant first. */
const packed = (values) => {
  const bits = new Uint32Array(Float32Array.from(values).buffer);
  return Buffer.from(Uint16Array.from(bits, (value) => value >>> 16).buffer).toString("base64");
};

/** Nine digits identify a float32. */
const single = (value) => Number(Math.fround(value).toPrecision(9));

/** The runs of all seeds in order, and the hash of the short run, which has the first seed. */
function learnerOf(learner, runs) {
  const [short] = runs.filter(({ job }) => job.less);
  const whole = runs.filter(({ job }) => !job.less).toSorted((a, b) => a.job.seed - b.job.seed);
  return {
    ...learner,
    gflop: Math.round(whole[0].operations / 1e9),
    short: short.hash,
    // Hash, losses and tests without their names: the file stays small.
    runs: whole.map(({ hash, losses, tests }) => [
      hash,
      packed(losses),
      Object.values(tests).map((values) => values.map(single)),
    ]),
  };
}

function taskOf(name, results) {
  const { isText, stretches, learners, ...options } = TASKS[name];
  const of = (learner) => results.filter(({ job }) => job.task === name && job.name === learner);
  const encodings = Object.entries(learners).map(([each, learner]) => [each, learnerOf(learner, of(each))]);
  const { longest } = results.find(({ job }) => job.task === name);
  return { options, isText, longest, stretches, encodings: Object.fromEntries(encodings) };
}

/** Writes them; gives the path. */
export function store(text, results) {
  const file = {
    posenc: version,
    text: createHash("sha256").update(text).digest("hex").slice(0, 16),
    less: LESS,
    tasks: Object.fromEntries(Object.keys(TASKS).map((name) => [name, taskOf(name, results)])),
  };
  // A run a line: what changes can be seen.
  const json = JSON.stringify(file)
    .replaceAll('["', '\n["')
    .replaceAll(/("[^"]+":\{"encoding")/g, "\n$1");
  writeFileSync(PATH, `${json}\n`);
  return PATH;
}
