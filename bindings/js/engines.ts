/**
 * How inference engines rotate for a model, by their sources, without WebAssembly.
 *
 * ```ts
 * import { engines } from "posenc/engines";
 * const config = JSON.parse(await readFile("config.json", "utf8"));
 * for (const { engine, departures } of engines(pe.model(config))) {
 *   for (const { code, path, expected, instead } of departures) console.log(engine, code, path, expected, instead);
 * }
 * ```
 *
 * @module
 */

import { isArray, isObject, wrongType, wrongValue } from "./base/check.js";
import candle from "./engines/candle.json";
import type { EngineData } from "./engines/engine-data.js";
import llamaCpp from "./engines/llama-cpp.json";
import mlxLm from "./engines/mlx-lm.json";
import { type Json, parseConfig } from "./engines/parsed-config.js";
import { known, reportOf } from "./engines/report.js";
import sglang from "./engines/sglang.json";
import transformers4 from "./engines/transformers-4.json";
import transformers5 from "./engines/transformers-5.json";
import transformersJs from "./engines/transformers-js.json";
import vllm from "./engines/vllm.json";
import type { DType } from "./types/base.js";
import type { Engine, EngineOptions, EngineReport, ReadModel } from "./types/engines.js";

export type { DType } from "./types/base.js";
export type * from "./types/engines.js";
export type { HubConfig, HubPlan } from "./types/hub.js";

const all = [
  transformers4,
  transformers5,
  vllm,
  sglang,
  llamaCpp,
  mlxLm,
  candle,
  transformersJs,
] as unknown as readonly EngineData[];

/** Each engine that was read, with a source for every fact. What was not read is not in it. */
export const table: readonly Engine[] = all.map((data) => ({
  name: data.name,
  version: data.version,
  facts: data.facts.map(({ topic, note, file, version = data.version }) => ({
    topic,
    note,
    source: { project: data.project, version, file },
  })),
  departures: data.rules.map((rule) => known(data, rule)),
}));

const dtypes: readonly DType[] = ["float32", "float16", "bfloat16"];

/** Certificates of the plans that an engine understands, in its arithmetic. */
function certified({ understands, arithmetic }: EngineReport, dtype: DType, { certify, length }: EngineOptions) {
  if (certify === undefined || length === undefined || arithmetic === null || !isArray(understands)) return null;
  return understands.map(({ rotary }) => certify(rotary, { length, dtype, arithmetic }));
}

/**
 * Reports each engine's understanding of a config that `pe.model` read. It needs no network, and claims nothing of
 * versions that were not read. O(plans · rules).
 */
export function engines(model: ReadModel, options: EngineOptions = {}): EngineReport[] {
  if (!isObject(model) || !isArray(model.plans) || !isObject(model.config)) {
    throw wrongType("model", model, "what model() made");
  }
  if (!isObject(options)) throw wrongType("options", options, "an object");
  const { dtype, certify, length } = options;
  if (dtype !== undefined && !dtypes.includes(dtype)) {
    throw wrongValue("dtype", dtype, `one of ${dtypes.map((name) => `"${name}"`).join(", ")}`);
  }
  if (certify !== undefined && typeof certify !== "function") throw wrongType("certify", certify, "pe.certify");
  if (certify !== undefined && length === undefined) throw wrongType("length", length, "a number, beside certify");
  const config = parseConfig(model.config as Json, model, dtype);
  return all.map((data) => {
    const report = reportOf(data, config, model);
    return { ...report, certificates: certified(report, config.dtype, options) };
  });
}
