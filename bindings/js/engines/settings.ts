// These make an engine do what a model does: keys and flags are written in each way that the engine may read, and its own
// rules say which of them it understands as the model's plans.

import { type Json, own, type ParsedConfig } from "../hub/parsed-config.js";
import type { EngineSettings, LengthChange, SettingsModel } from "../types/engine-settings.js";
import type { EngineReport } from "../types/engines.js";
import type { HubPlan } from "../types/hub.js";
import type { EngineData, SettingsData } from "./engine-data.js";
import { architectureOf, ggufKeys, mainAndLocal } from "./gguf-keys.js";
import { longerPlans } from "./longer.js";
import { modelSet } from "./model-lists.js";
import { isNear } from "./predicates.js";
import { reportOf } from "./report.js";
import { dictionaryOf, type Writing, writings } from "./rope-dictionary.js";

type Understood = EngineReport["understands"];

/** Options of a plan that make its frequencies; an attention factor is compared by itself. */
function frequenciesOf({ rotary: { dim, rotaryDim = dim, base = 10000, scaling, exponentDim } }: HubPlan): string {
  const {
    attentionFactor: _,
    mscale,
    mscaleAllDim,
    ...rule
  } = { type: "default", ...scaling } as {
    [key: string]: unknown;
  };
  const defaults = rule.type === "yarn" ? { betaFast: 32, betaSlow: 1, truncate: true } : {};
  const whole: { [key: string]: unknown } = { ...defaults, ...rule };
  const sorted = Object.keys(whole)
    .filter((key) => whole[key] !== undefined && !(rule.type === "longrope" && key === "factor"))
    .sort()
    .map((key) => [key, ArrayBuffer.isView(whole[key]) ? Array.from(whole[key] as Float64Array) : whole[key]]);
  return JSON.stringify([dim, rotaryDim, base, exponentDim ?? null, sorted]);
}

/** Whether an engine understands what was meant. */
const isMeant = (understood: Understood, meant: readonly HubPlan[]): understood is HubPlan[] =>
  typeof understood !== "string" &&
  understood.length === meant.length &&
  understood.every((plan, i) => {
    const other = meant[i] as HubPlan;
    return frequenciesOf(plan) === frequenciesOf(other) && isNear(plan.attentionFactor, other.attentionFactor);
  });

/** Whether an engine does what was meant: its scores, too. */
const doesWhat = ({ understands, departures }: EngineReport, meant: readonly HubPlan[]): boolean =>
  isMeant(understands, meant) && !departures.some(({ code, current }) => current && code === "score-scale");

/** A config with other dictionaries, and the plans that they describe. */
interface Written {
  config: ParsedConfig;
  plans: HubPlan[];
  keys: Json;
}

/** Sets a value in a copy, at a path such as "rope_parameters.full_attention". */
function set(of: Json, path: string, value: unknown): Json {
  const [first = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...of, [first]: value };
  return { ...of, [first]: set((own(of, first) ?? {}) as Json, rest.join("."), value) };
}

/** The keys beside the dictionaries that a rotation is read from. */
const beside = (
  "rope_theta rotary_emb_base global_rope_theta rope_local_base_freq " + "compress_rope_theta partial_rotary_factor"
).split(" ");

const besides = (text: Json) =>
  Object.fromEntries(beside.flatMap((key) => (own(text, key) === undefined ? [] : [[key, own(text, key)]])));

/** The config with the dictionaries where they are; undefined where a rule has no name there, or no dictionary is there. */
function inPlace(config: ParsedConfig, meant: readonly HubPlan[], prefix: string, how: Writing): Written | undefined {
  let keys: Json = besides(config.text);
  // Layers of a type whose dictionary is null do not rotate.
  for (const [type, value] of Object.entries((own(config.text, "rope_parameters") ?? {}) as Json))
    if (value === null && config.rotations.some(({ isNested }) => isNested))
      keys = set(keys, `rope_parameters.${type}`, null);
  const plans: HubPlan[] = [];
  const rotations: ParsedConfig["rotations"] = [];
  for (const rotation of config.rotations) {
    const plan = meant[rotation.index] as HubPlan;
    const made = dictionaryOf(plan, rotation.keys, how);
    if (!made) return undefined;
    plans.push(made.plan);
    const path = rotation.path.slice(0, -1);
    if (path === "") {
      if (made.plan.rotary.scaling && made.plan.rotary.scaling.type !== "default") return undefined;
      rotations.push({ ...rotation, plan: made.plan });
      continue;
    }
    const theta = own(rotation.keys, "rope_theta");
    const dictionary = { ...made.keys, ...(theta === undefined ? {} : { rope_theta: theta }) };
    keys = set(keys, path.startsWith(prefix) ? path.slice(prefix.length) : path, dictionary);
    const scaling = made.plan.rotary.scaling ?? { type: "default" as const };
    rotations.push({ ...rotation, plan: made.plan, scaling, keys: dictionary });
  }
  return { config: { ...config, text: { ...config.text, ...keys }, rotations }, plans, keys };
}

/** The config with the one dictionary under the key that the engine reads. */
function moved(
  config: ParsedConfig,
  meant: readonly HubPlan[],
  { form }: SettingsData,
  how: Writing,
): Written | undefined {
  const [rotation, ...others] = config.rotations;
  const isOne = rotation && others.length === 0 && !rotation.isNested;
  const made = isOne && dictionaryOf(meant[0] as HubPlan, rotation.keys, how);
  if (!made) return undefined;
  const base = made.plan.rotary.base ?? 10000;
  const isNew = form === "rope_parameters";
  const scaling = made.plan.rotary.scaling ?? { type: "default" as const };
  const isPlain = scaling.type === "default" && !made.plan.mrope;
  const { partial_rotary_factor, ...rest } = made.keys;
  const partial = partial_rotary_factor ?? own(config.text, "partial_rotary_factor");
  const withPartial = (of: Json) => (partial === undefined ? of : { ...of, partial_rotary_factor: partial });
  const keys: Json = isNew
    ? { rope_parameters: withPartial({ ...rest, rope_theta: base }) }
    : withPartial({ rope_theta: base, ...(isPlain ? {} : { rope_scaling: rest }) });
  const { rope_scaling: _, ...text } = config.text;
  const dictionary = (isNew ? keys.rope_parameters : keys.rope_scaling) as Json | undefined;
  const written = { ...rotation, plan: made.plan, scaling, keys: dictionary ?? {}, path: `${form}.`, isNested: false };
  return {
    config: { ...config, text: { ...text, ...keys }, isNew, rotations: [written] },
    plans: [made.plan],
    keys,
  };
}

/** A text to paste needs these beside the status. */
type Found = Pick<EngineSettings, "status" | "keys" | "flags" | "departures">;

type Writer = (
  data: EngineData & { settings: SettingsData },
  config: ParsedConfig,
  model: SettingsModel,
  wanted: { plans: readonly HubPlan[]; change: LengthChange | null },
) => Found;

/** Finds, for config.json, the first way of writing that the engine understands as what is meant. */
const configSettings: Writer = (data, config, model, { plans, change }) => {
  const { settings } = data;
  const report = (written: Written) => reportOf(data, written.config, { ...model, plans: written.plans });
  const before = reportOf(data, config, model);
  const isAsIs = doesWhat(before, plans);
  const inForm = (how: Writing) => [moved(config, plans, settings, how), inPlace(config, plans, model.path, how)];
  const tries = writings.flatMap(inForm).filter((written) => written !== undefined);
  const found = tries.find((written) => doesWhat(report(written), plans));
  if (!found) {
    const status = before.understands === "not read" ? "not known" : isAsIs ? "as-is" : "cannot";
    // For other plans than the model's the fullest way of writing shows the obstacle.
    const last = plans === model.plans ? undefined : tries.at(-1);
    return { status, keys: {}, flags: [], departures: (last ? report(last) : before).departures };
  }
  const { length = 0, own: longest = null } = change ?? {};
  const isLonger = longest !== null && length > longest && settings.hasLengthKey === true;
  const inner = isLonger ? { ...found.keys, max_position_embeddings: length } : found.keys;
  const keys = model.path === "" ? inner : set({}, model.path.slice(0, -1), inner);
  // A flag takes the place of a whole dictionary, which these engines have read when flags come.
  const isWhole = Object.keys(inner).join() === "rope_parameters" && (model.path === "" || settings.isNested === true);
  const hasFlag = settings.keysFlag !== undefined && !isAsIs && isWhole;
  const flags = hasFlag ? [settings.keysFlag as string, JSON.stringify(keys)] : [];
  if (change && settings.lengthFlag) flags.push(settings.lengthFlag, String(length));
  const status = isAsIs && !isLonger ? "as-is" : "write";
  return { status, keys, flags, departures: isAsIs ? before.departures : report(found).departures };
};

/** Lists, for a GGUF file, what the converter writes of the plans, and a factor where its own would be another. */
const ggufSettings: Writer = (data, config, model, { plans, change }) => {
  const { architectures = {}, fixedFactor, lengthFlag } = data.settings;
  const how = writings[0] as Writing;
  const isOwn = isMeant(model.plans, plans);
  const written = isOwn ? undefined : (inPlace(config, plans, "", how) ?? moved(config, plans, data.settings, how));
  const { understands, departures } = reportOf(
    data,
    written?.config ?? config,
    written ? { ...model, plans: written.plans } : model,
  );
  if (typeof understands === "string")
    return { status: understands === "not read" ? "not known" : "cannot", keys: {}, flags: [], departures };
  const [main, local] = mainAndLocal(model, plans);
  const [read] = mainAndLocal(model, understands);
  const ratio = main.attentionFactor / read.attentionFactor;
  const multiplier = isNear(ratio, 1) ? 1 : ratio;
  const corrected = understands.map((plan) =>
    plan === read ? { ...plan, attentionFactor: main.attentionFactor } : plan,
  );
  const isFixed = multiplier !== 1 && modelSet(fixedFactor ?? "").has(config.type);
  if (isFixed || !isMeant(corrected, plans)) return { status: "cannot", keys: {}, flags: [], departures };
  const given = config.rotations[0]?.keys ?? {};
  const all = own(given, "mscale_all_dim");
  const isScored = modelSet(fixedFactor ?? "").has(config.type) && typeof all === "number";
  const architecture = architectureOf(architectures, config.type);
  const scoreScale = isScored ? (all as number) : null;
  const { keys, flags } = ggufKeys([main, local], { architecture, multiplier, scoreScale });
  if (change && lengthFlag) flags.push(lengthFlag, String(change.length));
  const left = departures.filter(({ code }) => multiplier === 1 || !/^(attention-factor|mscale)-unread$/.test(code));
  return { status: multiplier === 1 && isOwn ? "as-is" : "write", keys, flags, departures: left };
};

/** Settings of one engine; certificates are left to the caller. */
export function settingsOf(
  data: EngineData & { settings: SettingsData },
  config: ParsedConfig,
  model: SettingsModel,
  length: number | undefined,
): Omit<EngineSettings, "certificates"> {
  const { settings, project } = data;
  const longer = length === undefined ? { plans: model.plans, change: null } : longerPlans(model, length);
  const isGguf = settings.form === "gguf";
  const isKnown = model.encoding.type === "rotary" && longer.change?.rule !== "not known";
  const nothing: Found = { status: "not known", keys: {}, flags: [], departures: [] };
  const found = isKnown ? (isGguf ? ggufSettings : configSettings)(data, config, model, longer) : nothing;
  const current = found.departures.filter((one) => one.current);
  return {
    engine: data.name,
    version: data.version,
    ...found,
    departures: current,
    isGguf,
    source: { project, version: settings.version ?? data.version, file: settings.file },
    note: settings.note,
    plans: longer.plans,
    change: longer.change,
  };
}
