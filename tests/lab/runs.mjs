// The trainings that `npm run lab` repeats: tasks, encodings, and models that differ in mask and depth.

/** The lengths tested, in multiples of the longest trained on; a task may have its own. */
export const STRETCHES = [1, 2, 4, 8];

const small = { layers: 1, width: 32, heads: 2 };
const large = { layers: 2, width: 48, heads: 4 };

/** Name → the options of a training besides its encoding and seed, and the kind of its tests. */
export const TASKS = {
  order: { task: { type: "order" }, model: small, optimizer: { steps: 1500, batch: 32, rate: 3e-3 } },
  back: { task: { type: "back" }, model: small, optimizer: { steps: 1500, batch: 32, rate: 3e-3 } },
  copy: { task: { type: "copy" }, model: large, optimizer: { steps: 1000, batch: 24, rate: 1e-2 } },
  text: { task: { type: "text" }, model: large, optimizer: { steps: 800, batch: 16, rate: 4e-3 }, isText: true },
  "flip-flop": {
    task: { type: "flip-flop" },
    model: { layers: 2, width: 32, heads: 2 },
    optimizer: { steps: 3000, batch: 24, rate: 3e-3 },
  },
  majority: { task: { type: "majority" }, model: small, optimizer: { steps: 1500, batch: 32, rate: 3e-3 } },
  // Its examples have one length.
  roles: {
    task: { type: "roles" },
    model: small,
    optimizer: { steps: 1500, batch: 32, rate: 3e-3 },
    stretches: [1],
  },
};

const rope = { type: "rope" };
const none = { type: "none" };
const unmasked = { causal: false };
/** Parameters of the encoding learn at ten times the rate: a bias starts far from where it has to go. */
const fast = { encodingRate: 10 };

/**
 * Name → the encoding, the positions and the rate that it is trained with, and further scaling rules that it is tested
 * with, { name: rule }, whose factor is the stretch.
 */
const ENCODINGS = {
  none: { encoding: none },
  sinusoid: { encoding: { type: "sinusoid" } },
  concatenated: { encoding: { type: "concatenated" } },
  "sinusoid, rand": { encoding: { type: "sinusoid" }, sampling: "random" },
  learned: { encoding: { type: "learned" } },
  "learned, offset": { encoding: { type: "learned" }, sampling: "offset" },
  "learned, rand": { encoding: { type: "learned" }, sampling: "random" },
  RoPE: { encoding: rope, tested: { "RoPE, PI": "linear", "RoPE, NTK": "ntk" } },
  "RoPE, rand": { encoding: rope, sampling: "random" },
  ALiBi: { encoding: { type: "alibi" } },
  T5: { encoding: { type: "t5" } },
  "T5, 10x": { encoding: { type: "t5" }, optimizer: fast },
  FIRE: { encoding: { type: "fire" } },
  Shaw: { encoding: { type: "shaw" } },
  FoX: { encoding: { type: "fox" } },
};

/** The models of who loves whom: depth and mask make the difference there. */
const MODELS = {
  "1 layer": { encoding: none },
  "2 layers": { encoding: none, model: { layers: 2 } },
  "1 layer, no mask": { encoding: none, model: unmasked },
  "2 layers, no mask": { encoding: none, model: { layers: 2, ...unmasked } },
  "RoPE, no mask": { encoding: rope, model: unmasked },
};

/** The encodings or models that can learn a task, by name. */
export const learnersOf = (task) => (task === "roles" ? MODELS : ENCODINGS);

const published = ["none", "sinusoid", "learned", "RoPE", "ALiBi", "T5", "Shaw", "FoX"];

/** The trainings whose results the page has stored: `npm run lab -- --store` makes them. */
export const PUBLISHED = {
  text: [...published, "concatenated"],
  order: [...published, "FIRE"],
  back: [...published, "FIRE"],
  roles: Object.keys(MODELS),
};

/** Losses are kept at so many steps, evenly spaced. */
export const POINTS = 25;

/** A short run, for phones, has this many times fewer steps. */
export const LESS = 4;
