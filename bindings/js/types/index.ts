// What the package publishes: one file a concept, the meaning of each option beside its type.

export type * from "./alibi.js";
export type * from "./attention.js";
export type * from "./axial_sinusoid.js";
export type * from "./cope.js";
export type * from "./fire.js";
export type * from "./fourier.js";
export type * from "./frequencies.js";
export type * from "./hub-config.js";
export type * from "./kerple.js";
export type * from "./posenc.js";
export type * from "./posenc-full.js";
export type * from "./positions.js";
export type * from "./relative.js";
export type * from "./relative-encodings.js";
export type * from "./rotary.js";
export type * from "./sandwich.js";
export type * from "./scaling.js";
export type * from "./shaw.js";
export type * from "./sinusoidal.js";
export type * from "./swin.js";
export type * from "./t5.js";
export type * from "./tensor.js";
export type * from "./transformer-xl.js";
