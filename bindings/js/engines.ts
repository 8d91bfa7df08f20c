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
import { type EngineData, modelSet, type Rule } from "./engines/engine-data.js";
import llamaCpp from "./engines/llama-cpp.json";
import mlxLm from "./engines/mlx-lm.json";
import { type Json, type ParsedConfig, parseConfig } from "./engines/parsed-config.js";
import { type Change, type Context, type Found, onModel, onPlan } from "./engines/predicates.js";
import sglang from "./engines/sglang.json";
import transformers4 from "./engines/transformers-4.json";
import transformers5 from "./engines/transformers-5.json";
import transformersJs from "./engines/transformers-js.json";
import vllm from "./engines/vllm.json";
import type { DType } from "./types/base.js";
import type {
  Engine,
  EngineArithmetic,
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

function known({ project, version }: EngineData, rule: Rule): KnownDeparture {
  const source = { project, version: rule.version ?? version, file: rule.file };
  const { code, note, threads = [] } = rule;
  return { code, note, source, threads, versions: rule.versions ?? source.version, current: !rule.isPast };
}

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

type Understood = EngineReport["understands"];

const changed = (plans: HubPlan[], change: Change, index: number | null): Understood =>
  typeof change === "string" ? change : plans.map((plan, i) => (index === null || i === index ? change(plan) : plan));

type Plans = Pick<HubConfig, "encoding" | "plans">;

/** The types of all steps from a position to a rotated pair, for a model's type and dtype. */
function arithmeticOf({ arithmetic, lists }: EngineData, type: string, dtype: DType): EngineArithmetic | null {
  if (arithmetic === null) return null;
  const inModel = { cache: dtype, inputs: dtype, products: dtype, outputs: dtype };
  const inFloat32 = { frequencies: "float32", positions: "float32", angles: "float32", sines: "float32" };
  const made: Record<string, unknown> = { steps: "powers", powerUlps: 1, sineUlps: 1, ...inFloat32, ...inModel };
  for (const { types, ...steps } of arithmetic) {
    if (types !== undefined && !modelSet(types, lists).has(type)) continue;
    for (const [step, value] of Object.entries(steps)) made[step] = value === "model" ? dtype : value;
  }
  return made as unknown as EngineArithmetic;
}

/** An engine's understanding of a config: each rule applies to the plans that those before it left. */
function reportOf(data: EngineData, config: ParsedConfig, hub: Plans): EngineReport {
  const { name: engine, version, by = "type", lists = {} } = data;
  const type = config[by];
  const context: Context = { config, type, lists };
  const isIn = (list: string | undefined, otherwise: boolean) =>
    list === undefined ? otherwise : modelSet(list, lists).has(type);
  const departures: EngineDeparture[] = [];
  const isRead = hub.encoding.type === "rotary" && isIn(data.reads, true);
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
    if (!isIn(rule.types, true) || isIn(rule.except, false)) continue;
    const isOver = () => typeof understands === "string" && !rule.isPast;
    const once = (onModel as Record<string, (context: Context, given: unknown) => Found | false | undefined>)[
      rule.when
    ];
    if (once) {
      if (!isOver()) note(rule, once(context, rule.with), null);
      continue;
    }
    const test = onPlan[rule.when as keyof typeof onPlan];
    for (const rotation of config.rotations) {
      const plan = last[rotation.index] ?? rotation.plan;
      const scaling = plan.rotary.scaling ?? { type: "default" };
      if (!isOver())
        note(rule, test({ ...rotation, plan, scaling }, context, rule.with as never), rotation.index, rotation.path);
    }
  }
  const isLaidOut = isIn(data.layouts, true) && !isIn(data.layoutsUnread, false);
  if (typeof understands !== "string" && !isLaidOut) understands = understands.map(withoutLayout);
  const arithmetic = typeof understands === "string" ? null : arithmeticOf(data, type, config.dtype);
  return { engine, version, understands, departures, arithmetic, certificates: null };
}

function withoutLayout(plan: HubPlan): HubPlan {
  const { layout, ...rotary } = plan.rotary;
  return { ...plan, rotary };
}

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
