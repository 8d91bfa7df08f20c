// The trainings that `npm run lab` repeats, and whose results the page has stored.

/** The lengths tested, in multiples of the longest trained on. */
const STRETCHES = [1, 2, 4, 8];

const small = { layers: 1, width: 32, heads: 2 };
const answered = { model: small, optimizer: { steps: 1500, batch: 32, rate: 3e-3 }, isText: false };

const rope = { type: "rope" };
const none = { type: "none" };
const unmasked = { causal: false };

/**
 * Name → the encoding, and further scaling rules that it is tested with, { name: rule }, whose factor is the stretch; YaRN's
 * original length is the longest trained on.
 */
const ENCODINGS = {
  none: { encoding: none },
  sinusoid: { encoding: { type: "sinusoid" } },
  learned: { encoding: { type: "learned" } },
  RoPE: { encoding: rope, tested: { "RoPE, PI": "linear", "RoPE, NTK": "ntk", "RoPE, YaRN": "yarn" } },
  ALiBi: { encoding: { type: "alibi" } },
  T5: { encoding: { type: "t5" } },
  Shaw: { encoding: { type: "shaw" } },
  FoX: { encoding: { type: "fox" } },
};
const withFire = { ...ENCODINGS, FIRE: { encoding: { type: "fire" } } };

/** The models of who loves whom: depth and mask make the difference there. */
const MODELS = {
  "1 layer": { encoding: none },
  "2 layers": { encoding: none, model: { layers: 2 } },
  "1 layer, no mask": { encoding: none, model: unmasked },
  "2 layers, no mask": { encoding: none, model: { layers: 2, ...unmasked } },
  "RoPE, no mask": { encoding: rope, model: unmasked },
};

/** Name → the options of a training besides its encoding and seed, the kind of its tests, and what learns it. */
export const TASKS = {
  text: {
    task: { type: "text" },
    model: { layers: 2, width: 48, heads: 4 },
    optimizer: { steps: 800, batch: 16, rate: 4e-3 },
    isText: true,
    stretches: STRETCHES,
    learners: { ...ENCODINGS, concatenated: { encoding: { type: "concatenated" } } },
  },
  order: { task: { type: "order" }, ...answered, stretches: STRETCHES, learners: withFire },
  back: { task: { type: "back" }, ...answered, stretches: STRETCHES, learners: withFire },
  // Its examples have one length.
  roles: { task: { type: "roles" }, ...answered, stretches: [1], learners: MODELS },
};

/** Losses are kept at so many steps, evenly spaced. */
export const POINTS = 25;

/** A short run, for phones, has this many times fewer steps. */
export const LESS = 4;
