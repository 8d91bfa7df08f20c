/// <reference lib="esnext.disposable" preserve="true" />
// The types that the package publishes: one file a concept, the meaning of each option beside its type.

export type * from "./attention.js";
export type * from "./base.js";
export type * from "./certificate.js";
export type * from "./diagnosis.js";
export type * from "./error.js";
export type * from "./fixtures.js";
export type * from "./frequencies.js";
export type * from "./grid.js";
export type * from "./hub.js";
export type * from "./key-cache.js";
export type * from "./kv-cache.js";
export type * from "./layers.js";
export type * from "./learned.js";
export type * from "./learning.js";
export type * from "./multi-head.js";
export type * from "./posenc.js";
export type * from "./position-map.js";
export type * from "./relative.js";
export type * from "./rotary.js";
export type * from "./sinusoidal.js";
export type * from "./training-run.js";
export type * from "./xpos.js";
