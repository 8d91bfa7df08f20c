// An engine's understanding of a config: its rules, applied one after the other.

import type { ParsedConfig } from "../hub/parsed-config.js";
import type { EngineArithmetic, EngineDeparture, EngineReport, KnownDeparture } from "../types/engines.js";
import type { HubConfig, HubPlan } from "../types/hub.js";
import type { EngineData, Rule } from "./engine-data.js";
import { modelSet } from "./model-lists.js";
import { type Change, type Context, type Found, onModel, onPlan } from "./predicates.js";

export function known({ project, version }: EngineData, rule: Rule): KnownDeparture {
  const source = { project, version: rule.version ?? version, file: rule.file };
  const { code, note, threads = [] } = rule;
  return { code, note, source, threads, versions: rule.versions ?? source.version, current: !rule.isPast };
}

type Understood = EngineReport["understands"];

const changed = (plans: HubPlan[], change: Change, index: number | null): Understood =>
  typeof change === "string" ? change : plans.map((plan, i) => (index === null || i === index ? change(plan) : plan));

type Plans = Pick<HubConfig, "encoding" | "plans">;

/** The steps of a type of model with a dtype, if `certify` has them: those of float32 throughout are alike. */
export function arithmeticOf(
  { arithmetic, lists, by = "type" }: EngineData,
  { [by]: type, dtype }: ParsedConfig,
): EngineArithmetic | null {
  if (arithmetic === null) return null;
  const { preset, except = "", dtype: own = dtype } = arithmetic;
  return own !== "float32" && modelSet(except, lists).has(type) ? null : { preset, dtype: own };
}

/** An engine's understanding of a config: each rule applies to the plans that those before it left. */
export function reportOf(data: EngineData, config: ParsedConfig, hub: Plans): EngineReport {
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
  const arithmetic = typeof understands === "string" ? null : arithmeticOf(data, config);
  return { engine, version, understands, departures, arithmetic, certificates: null };
}

function withoutLayout(plan: HubPlan): HubPlan {
  const { layout, ...rotary } = plan.rotary;
  return { ...plan, rotary };
}
