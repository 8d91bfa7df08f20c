// Functions of the API that no row measures, because they make no values, and why.

const PLAN = "makes a plan; its methods have rows";

export const WITHOUT_ROWS = {
  rotary: PLAN,
  rotaryGrid: PLAN,
  rotaryMixed: PLAN,
  mrope: PLAN,
  xpos: PLAN,
  "rotary.step": PLAN,
  positionalEncoding: PLAN,
  buffer: "makes room",
  sinusoidalPlan: "says what the options mean",
  certify: "bounds errors; makes no values",
  hubConfig: "reads a model's config",
  model: "reads a model's config; its layers rotate by what has rows",
  explain: "makes sentences",
  compare: "says what differs between two models",
  rotaryDifference: "makes three values a distance, and is asked for a few",
  diagnose: "looks at a few tokens; the command times it",
  mistakes: "makes sentences",
  fixtures: "made once for a model",
  editKeys: "turns keys by the kernels of rotations: native/key_caches.cpp has it beside them",
  keyLedger: "keeps what was done; its edits are those of editKeys",
  "keyLedger.edit": "as editKeys",
  "keyLedger.undo": "as editKeys",
  "model.layer.apply": "rotates by what has rows",
  "model.layer.applyToOutputs": "rotates by what has rows",
};
