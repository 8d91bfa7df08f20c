// The training that peers are raced in: posenc's language model with ALiBi, from the same parameters. Before the race
// both make the same steps with examples that are known, and must lose the same.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load as loadFull } from "posenc/full";
import { load as loadLab } from "posenc/lab";
import { root } from "../../../bindings/setup/paths.mjs";
import { languageModel } from "../workloads/training.mjs";
import { TEXT } from "../workloads.mjs";

const encoding = { type: "alibi" };

/** The parameters from which a peer makes the model; `bias` is added to scores, and hides later tokens. */
function modelOf(training, full) {
  const { task, model } = training.options;
  const { layers, width, heads } = model;
  const length = task.longest;
  const { values } = training.checkpoint();
  const bias = full.alibi({ heads, queries: length, keys: length });
  for (let i = 0; i < bias.data.length; ++i) {
    if (i % length > Math.floor(i / length) % length) bias.data[i] = -1e9;
  }
  const parameters = training.parameters.map(({ name, shape, offset }) => ({
    name,
    shape,
    data: values.slice(offset, offset + shape[0] * shape[1]),
  }));
  return { sizes: { vocabulary: training.words.length, length, layers, width, heads }, parameters, bias };
}

const CHARACTERS = 64;
const CHECKED_STEPS = 6;
const CHECKED_BATCH = 4;

/**
 * An example whose gradient is known, of a text in which each character comes after the one before it in the alphabet: it
 * begins where the gradient of the embedding does.
 */
function exampleOf(training, gradient) {
  const { shape, offset } = training.parameters.find(({ name }) => name === "embedding");
  const [words, width] = shape;
  const isRead = (token) =>
    gradient.subarray(offset + token * width, offset + (token + 1) * width).some((x) => x !== 0);
  const first = training.words.findIndex((_, token) => isRead(token) && !isRead((token + words - 1) % words));
  return Array.from({ length: training.options.task.longest + 1 }, (_, i) => (first + i) % words);
}

const batchOf = (examples) => ({
  tokens: examples.flatMap((example) => example.slice(0, -1)),
  targets: examples.flatMap((example) => example.slice(1)),
});

/** The largest difference of the losses of steps that posenc and the peer make with the same examples. */
async function checked(lab, full, peer) {
  const text = Array.from({ length: 10 * CHARACTERS }, (_, i) => String.fromCharCode(48 + (i % CHARACTERS))).join("");
  const { optimizer, ...rest } = languageModel(text);
  const training = lab.training({ ...rest, encoding, optimizer: { ...optimizer, batch: CHECKED_BATCH, warmUp: 2 } });
  const { step } = await peer.training(modelOf(training, full));
  let worst = 0;
  for (let i = 0; i < CHECKED_STEPS; ++i) {
    const shards = Array.from({ length: training.shards }, (_, shard) => training.shardGradient(shard));
    const examples = shards.map(({ gradient }) => exampleOf(training, gradient));
    const report = training.update(shards);
    const loss = await step({ ...batchOf(examples), rate: report.rate, step: report.step });
    const apart = Math.abs(loss - report.loss);
    if (!(apart < 2e-5)) throw new Error(`step ${report.step}: the loss is ${loss}, expected ${report.loss}`);
    worst = Math.max(worst, apart);
  }
  training.delete();
  return worst;
}

const BATCHES = 8;

/** Batches of a text, one after the other and from the first again. */
function batches(training, text) {
  const { task, optimizer } = training.options;
  const tokens = training.encode(text.slice(0, BATCHES * optimizer.batch * (task.longest + 1)));
  const all = Array.from({ length: BATCHES }, (_, batch) =>
    batchOf(
      Array.from({ length: optimizer.batch }, (_, i) => {
        const at = (batch * optimizer.batch + i) * (task.longest + 1);
        return tokens.slice(at, at + task.longest + 1);
      }),
    ),
  );
  let step = 0;
  return () => ({ ...all[step++ % BATCHES], rate: optimizer.rate / 10, step });
}

/** A step: forward, backward, gradients clipped, Adam, and its loss. `must`: how many times as fast posenc is. */
export async function trainingBeside(peerName, peer) {
  const [lab, full] = await Promise.all([loadLab(), loadFull()]);
  const worst = await checked(lab, full, peer);
  const text = readFileSync(join(root, TEXT), "utf8");
  const given = languageModel(text);
  const training = lab.training({ ...given, encoding, optimizer: { ...given.optimizer, steps: 1 << 20 } });
  const { step } = await peer.training(modelOf(training, full));
  const next = batches(training, text);
  return {
    what: "the language model with ALiBi: forward, backward, clipped, Adam",
    worst,
    must: peer.trainingMust,
    contestants: { posenc: () => training.step(), [peerName]: async () => step(next()) },
  };
}
