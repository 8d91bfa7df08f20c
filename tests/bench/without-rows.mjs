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
};
