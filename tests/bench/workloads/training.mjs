// Steps of trainings, whose parts are products of small matrices, beside multiplications and additions in registers.

import { registersFor } from "../yardsticks.mjs";

/** The sizes of `npm run lab` (tests/lab/runs.mjs). */
const languageModel = (text) => ({
  task: { type: "text", text },
  model: { layers: 2, width: 48, heads: 4 },
  optimizer: { steps: 2 ** 20, batch: 16, rate: 4e-3 },
});
const order = () => ({
  task: { type: "order", shortest: 9, longest: 9 },
  model: { layers: 1, width: 32, heads: 2 },
  optimizer: { steps: 2 ** 20, batch: 32, rate: 3e-3 },
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

/** Each call makes the next `steps`, of examples of one size: all take the same time. */
function repeated(training, steps) {
  const run = () => training.step(steps);
  run();
  return { run, operations: training.operations };
}

/** A step of each of the encodings, beside as many operations as the products of one without have. */
const row = ({ name, options, steps, ways, must }) => ({
  name: `training step, ${name}`,
  limit: REGISTERS,
  per: Object.fromEntries([REGISTERS, ...ways].map((contestant) => [contestant, steps])),
  goals: ways.map((of) => ({ of, against: REGISTERS, must })),
  make({ lab, text, yardsticks }) {
    const trainings = ways.map((way) => lab.training({ ...options(text), encoding: { type: ENCODINGS[way] } }));
    const runs = trainings.map((training) => repeated(training, steps));
    const contestants = {
      ...registersFor(yardsticks, runs[0].operations),
      ...Object.fromEntries(ways.map((way, i) => [way, runs[i].run])),
    };
    return {
      contestants,
      release() {
        for (const training of trainings) training.delete();
      },
    };
  },
});

export const trainings = [
  row({ name: "language model", options: languageModel, steps: 4, ways: Object.keys(ENCODINGS), must: 0.45 }),
  row({ name: "order", options: order, steps: 20, ways: [NONE, "posenc, RoPE"], must: 0.3 }),
];
