// Steps of trainings, whose parts are products of small matrices: one worker beside multiplications and additions in
// registers, two workers beside one.

import { registersFor } from "../yardsticks.mjs";

/** The sizes of `npm run lab` (tests/lab/runs.mjs). */
export const languageModel = (text) => ({
  task: { type: "text", text },
  model: { layers: 2, width: 48, heads: 4 },
  optimizer: { batch: 16, rate: 4e-3 },
});
const order = () => ({
  task: { type: "order" },
  model: { layers: 1, width: 32, heads: 2 },
  optimizer: { batch: 32, rate: 3e-3 },
});

const REGISTERS = "multiply-add in registers";
const NONE = "posenc";
const ENCODINGS = {
  [NONE]: "none",
  "posenc, RoPE": "rope",
  "posenc, ALiBi": "alibi",
  "posenc, T5": "t5",
  "posenc, FoX": "fox",
};

/** Makes the same `steps` in each call, those after the first: of tasks with examples of several sizes they differ. */
function repeated(training, steps) {
  const start = training.checkpoint();
  const run = () => {
    training.restore(start);
    training.step(steps);
  };
  run();
  return { run, operations: training.operations };
}

/** A step of each of the encodings, beside as many operations as the products of one without have. */
const row = ({ name, options, steps, ways, must }) => ({
  name: `training step, ${name}`,
  what: "forward, backward, update; the operations of products alone are counted",
  functions: ["training.step"],
  limit: REGISTERS,
  goals: ways.map((of) => ({ of, against: REGISTERS, must })),
  make({ lab, text, yardsticks }) {
    const trainings = ways.map((way) => lab.training({ ...options(text), encoding: { type: ENCODINGS[way] } }));
    const runs = trainings.map((training) => repeated(training, steps));
    const contestants = {
      ...registersFor(yardsticks, runs[0].operations),
      ...Object.fromEntries(ways.map((way, i) => [way, runs[i].run])),
    };
    return {
      per: Object.fromEntries(Object.keys(contestants).map((contestant) => [contestant, steps])),
      contestants,
      release() {
        for (const training of trainings) training.delete();
      },
    };
  },
});

const ONE = "posenc, one worker";
const TWO = "posenc, two workers";
/** In between two points of a run, the second time. */
const SHARED_STEPS = 40;

/** Milliseconds a step when so many workers share it, in a run of its own; the first steps are its start. */
async function sharedStep(lab, options, workers) {
  const run = lab.train({
    ...options,
    optimizer: { ...options.optimizer, steps: 2 * SHARED_STEPS },
    every: SHARED_STEPS,
    lengths: [],
    workers,
  });
  try {
    for await (const _ of run); // to its end
    const [, middle, end] = run.points;
    return ((end.seconds - middle.seconds) * 1000) / SHARED_STEPS;
  } finally {
    await run.dispose();
  }
}

const shared = {
  name: "training step, shared",
  what: "the language model with ALiBi, as lab.train makes it; two processors",
  limit: ONE,
  goals: [{ of: TWO, against: ONE, must: 1.8 }],
  make({ lab, text }) {
    const options = { ...languageModel(text), encoding: { type: "alibi" } };
    const of = (workers) => ({ timed: () => sharedStep(lab, options, workers) });
    return { contestants: { [ONE]: of(1), [TWO]: of(2) } };
  },
};

export const trainings = [
  row({ name: "language model", options: languageModel, steps: 4, ways: Object.keys(ENCODINGS), must: 0.45 }),
  row({ name: "order", options: order, steps: 20, ways: [NONE, "posenc, RoPE"], must: 0.3 }),
  shared,
];
