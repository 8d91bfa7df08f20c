/** A model as small as one can be, so that fuzzed calls are quick. */
const small = {
  task: { type: "order", longest: 4, symbols: 1 },
  encoding: { type: "rope" },
  model: { width: 4 },
  optimizer: { steps: 1000, batch: 2 },
  stretch: 2,
};

const training = (pe) => pe.training(small);

export const objects = { training };

export const makers = {
  "training.attention":
    (pe, _, made = training(pe)) =>
    (more) =>
      made.attention([0, 5, 1, 2], more),
  "training.values":
    (pe, _, made = training(pe)) =>
    (more) =>
      made.values(more),
};

export const others = {
  training: (pe) => () =>
    pe.training({
      task: { type: "back", shortest: 3, longest: 5, symbols: 2, distance: 1 },
      encoding: { type: "rope", base: 500, rotated: 0.5, scaling: { type: "linear", factor: 2 } },
      model: { layers: 2, width: 8, heads: 1, hidden: 6, causal: true, tiesOutput: true, dropout: 0.1 },
      optimizer: { steps: 2, batch: 3, rate: 0.01, warmUp: 1, clip: 0.5, weightDecay: 0.1, encodingRate: 10 },
      sampling: "random",
      stretch: 2,
      seed: 7,
    }),
  "training of a text": (pe) => () =>
    pe.training({
      task: { type: "text", longest: 3, text: "to be, or not to be: that is the question. Whether" },
      encoding: { type: "t5", buckets: 4, maxDistance: 5 },
      model: { width: 4 },
      optimizer: { steps: 2, batch: 1 },
    }),
  "training.step":
    (pe, _, made = training(pe)) =>
    () =>
      made.step(2),
  "training.evaluate":
    (pe, _, made = training(pe)) =>
    () =>
      made.evaluate({ n: 3, sequences: 2 }),
  "training.evaluate with another encoding":
    (pe, _, made = training(pe)) =>
    () =>
      made.evaluate({
        sequences: 1,
        encoding: { type: "rope", base: 100, map: { type: "self-extend", window: 2, group: 2 } },
      }),
  "training.stretch":
    (pe, _, made = training(pe)) =>
    () =>
      made.stretch({
        lengths: [3, 5],
        sequences: 2,
        encoding: { type: "rope", scaling: { type: "linear", factor: 2 } },
      }),
  "training.generate":
    (pe, _, made = training(pe)) =>
    () =>
      made.generate([0, 5, 1], { count: 2, window: 3, temperature: 0.5, seed: 3 }),
  "training.encode":
    (pe, _, made = training(pe)) =>
    () =>
      made.encode("A a B ?"),
  "training.decode":
    (pe, inputs, made = training(pe)) =>
    () =>
      made.decode(inputs.ids(6, 4).data),
};
