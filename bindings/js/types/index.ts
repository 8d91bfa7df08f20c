// What the package publishes: one file a concept, the meaning of each option beside its type.

export type * from "./attention.js";
export type * from "./frequencies.js";
export type * from "./hub-config.js";
export type * from "./posenc.js";
export type * from "./positions.js";
export type * from "./rotary.js";
export type * from "./scaling.js";
export type * from "./sinusoidal.js";
export type * from "./tensor.js";
