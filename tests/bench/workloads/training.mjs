// Steps of trainings, whose parts are products of small matrices: one worker beside multiplications and additions in
// registers, two workers beside one.

import { registersFor } from "../yardsticks.mjs";

/** The sizes of `npm run lab` (tests/lab/runs.mjs). */
export const languageModel = (text) => ({
  task: { type: "text", text },
  model: { layers: 2, width: 48, heads: 4 },
  optimizer: { batch: 16, rate: 4e-3 },
});
const larger = (text) => ({
  ...languageModel(text),
  task: { type: "text", text, longest: 64 },
  model: { layers: 2, width: 64, heads: 4 },
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
/** As many until engines have compiled all that a step needs, in threads that take processors from the workers. */
const STEPS_OF_START = 500;
const STEPS_OF_POINT = 100;

/** A run that goes on when it is asked for the milliseconds of a step, and pauses in between. */
function sharedSteps(lab, options, workers) {
  const run = lab.train({
    ...options,
    optimizer: { ...options.optimizer, steps: 2 ** 20 },
    every: STEPS_OF_POINT,
    lengths: [],
    workers,
  });
  run.pause();
  const points = run[Symbol.asyncIterator]();
  const next = async () => (await points.next()).value;
  let last;
  return {
    async timed() {
      run.resume();
      while (!last || last.step < STEPS_OF_START) last = await next();
      const { step, seconds } = last;
      last = await next();
      run.pause();
      return ((last.seconds - seconds) * 1000) / (last.step - step);
    },
    release: () => run.dispose(),
  };
}

const shared = ({ name, what, options }) => ({
  name: `training step, shared, ${name}`,
  what,
  limit: ONE,
  goals: [{ of: TWO, against: ONE, must: 1.8 }],
  make({ lab, text }) {
    const [one, two] = [1, 2].map((workers) =>
      sharedSteps(lab, { ...options(text), encoding: { type: "alibi" } }, workers),
    );
    return {
      contestants: { [ONE]: { timed: one.timed }, [TWO]: { timed: two.timed } },
      async release() {
        await Promise.all([one.release(), two.release()]);
      },
    };
  },
});

export const trainings = [
  row({ name: "language model", options: languageModel, steps: 4, ways: Object.keys(ENCODINGS), must: 0.45 }),
  row({ name: "order", options: order, steps: 20, ways: [NONE, "posenc, RoPE"], must: 0.3 }),
  shared({ name: "language model", what: "with ALiBi, as lab.train makes it; two processors", options: languageModel }),
  shared({ name: "width 64, length 64", what: "a larger language model; two processors", options: larger }),
];
