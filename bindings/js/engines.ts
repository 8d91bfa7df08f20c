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
import { candle } from "./engines/candle.js";
import { llamaCpp } from "./engines/llama-cpp.js";
import { mlxLm } from "./engines/mlx-lm.js";
import { type Json, type Reading, read } from "./engines/reading.js";
import type { Change, EngineData, Found, Rule } from "./engines/rules.js";
import { sglang, vllm } from "./engines/servers.js";
import { transformers4, transformers5, transformersJs } from "./engines/transformers.js";
import type { DType } from "./types/base.js";
import type {
  Engine,
  EngineDeparture,
  EngineOptions,
  EngineReport,
  KnownDeparture,
  ReadModel,
} from "./types/engines.js";
import type { HubConfig, HubPlan } from "./types/hub.js";

export type { DType } from "./types/base.js";
export type * from "./types/engines.js";
export type { HubConfig, HubPlan } from "./types/hub.js";

const all: readonly EngineData[] = [
  transformers4,
  transformers5,
  vllm,
  sglang,
  llamaCpp,
  mlxLm,
  candle,
  transformersJs,
];

function known({ project, version }: EngineData, rule: Rule): KnownDeparture {
  const source = { project, version: rule.version ?? version, file: rule.file };
  const { code, note, threads = [] } = rule;
  return { code, note, source, threads, versions: rule.versions ?? source.version, current: !rule.isPast };
}

/** Each engine that was read, with a source for every fact. What was not read is not in it. */
export const table: readonly Engine[] = all.map((data) => ({
  name: data.name,
  version: data.version,
  facts: data.facts.map(([topic, note, file, version = data.version]) => ({
    topic,
    note,
    source: { project: data.project, version, file },
  })),
  departures: data.rules.map((rule) => known(data, rule)),
}));

type Understood = EngineReport["understands"];

const changed = (plans: HubPlan[], change: Change, index: number | null): Understood =>
  typeof change === "string" ? change : plans.map((plan, i) => (index === null || i === index ? change(plan) : plan));

type Plans = Pick<HubConfig, "encoding" | "plans">;

/** What an engine makes of a config: rules go by what those before them left of its plans. */
function reportOf(data: EngineData, reading: Reading, hub: Plans): EngineReport {
  const { name: engine, version, reads, layouts, by = "type" } = data;
  const departures: EngineDeparture[] = [];
  const isRead = hub.encoding.type === "rotary" && (reads?.test(reading[by]) ?? true);
  let understands: Understood = isRead ? hub.plans : "not read";
  let last = hub.plans;

  const note = (rule: Rule, found: Found | false | undefined, plan: number | null, before = "") => {
    if (!found) return;
    const { key, path = key === undefined ? null : before + key, expected, instead, change } = found;
    departures.push({ ...known(data, rule), path, plan, expected, instead });
    if (!rule.isPast && change) understands = changed(last, change, plan);
    if (typeof understands !== "string") last = understands;
  };
  for (const rule of isRead ? data.rules : []) {
    const isOver = () => typeof understands === "string" && !rule.isPast;
    if (rule.once && !isOver()) note(rule, rule.once(reading), null);
    for (const rotation of rule.each ? reading.rotations : []) {
      const plan = last[rotation.index] ?? rotation.plan;
      const scaling = plan.rotary.scaling ?? { type: "default" };
      if (!isOver()) note(rule, rule.each?.({ ...rotation, plan, scaling }, reading), rotation.index, rotation.path);
    }
  }
  const isLaidOut = layouts?.test(reading[by]) ?? true;
  if (typeof understands !== "string" && !isLaidOut) understands = understands.map(withoutLayout);
  const arithmetic = typeof understands === "string" ? null : data.arithmetic(reading);
  return { engine, version, understands, departures, arithmetic, certificates: null };
}

function withoutLayout(plan: HubPlan): HubPlan {
  const { layout, ...rotary } = plan.rotary;
  return { ...plan, rotary };
}

const dtypes: readonly DType[] = ["float32", "float16", "bfloat16"];

/** Bounds of each plan that an engine has, in its arithmetic. */
function certified({ understands, arithmetic }: EngineReport, dtype: DType, { certify, length }: EngineOptions) {
  if (certify === undefined || length === undefined || arithmetic === null || !isArray(understands)) return null;
  return understands.map(({ rotary }) => certify(rotary, { length, dtype, arithmetic }));
}

/**
 * What each engine makes of what `pe.model` made of a config. Nothing is asked of the network, and nothing is said of
 * engines' versions that were not read. O(layers' kinds · engines).
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
  const reading = read(model.config as Json, model, dtype);
  return all.map((data) => {
    const report = reportOf(data, reading, model);
    return { ...report, certificates: certified(report, reading.dtype, options) };
  });
}
