import { load, type Training, type TrainingOptions } from "posenc/lab";

/** A training, in a thread of its own. (Stands in until the library has its own.) */

let training: Training | undefined;
let paused = false;
let every = 1;

// Whoever asks for this lock gets it when this thread has ended, however it did.
navigator.locks?.request(self.name, () => new Promise(() => {}));

function go(): void {
  if (!training || paused) return;
  const { steps } = training.options.optimizer;
  if (training.steps >= steps) return;
  const report = training.step(Math.min(every, steps - training.steps));
  postMessage({ point: { ...report, steps } });
  if (training.steps < steps) setTimeout(go);
  else postMessage({ over: true });
}

const calls: Record<string, (...given: never[]) => unknown> = {
  async start(options: TrainingOptions, each: number) {
    const lab = await load();
    training = lab.training(options);
    every = each;
    setTimeout(go);
    return { words: training.words, operations: 0 };
  },
  pause() {
    paused = true;
  },
  resume() {
    if (!paused) return;
    paused = false;
    go();
  },
  evaluate: (options: never) => training?.evaluate(options),
  attention: (tokens: number[]) => training?.attention(tokens),
  checkpoint: () => training?.checkpoint(),
};

addEventListener("message", async ({ data: { id, call, given } }) => {
  try {
    postMessage({ id, answer: await calls[call](...(given as never[])) });
  } catch (error) {
    postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
});
