/**
 * A model's use of positions, in sentences, and how inference engines rotate for it, by their sources, without
 * WebAssembly.
 *
 * ```ts
 * import { engines, explain } from "posenc/engines";
 * const config = JSON.parse(await readFile("config.json", "utf8"));
 * for (const { engine, departures } of engines(pe.model(config))) {
 *   for (const { code, path, expected, instead } of departures) console.log(engine, code, path, expected, instead);
 * }
 * ```
 *
 * @module
 */

import { options as checkNames, isArray, isObject, wrongType, wrongValue } from "./base/check.js";
import { languageOf } from "./base/language.js";
import candle from "./engines/candle.json";
import type { EngineData, SettingsData } from "./engines/engine-data.js";
import { keyCacheOf } from "./engines/key-cache.js";
import llamaCpp from "./engines/llama-cpp.json";
import mlxLm from "./engines/mlx-lm.json";
import onnx from "./engines/onnxruntime-genai.json";
import { arithmeticOf, known, reportOf } from "./engines/report.js";
import { settingsOf } from "./engines/settings.js";
import sglang from "./engines/sglang.json";
import transformers4 from "./engines/transformers-4.json";
import transformers5 from "./engines/transformers-5.json";
import transformersJs from "./engines/transformers-js.json";
import vllm from "./engines/vllm.json";
import { explained, explainOptions } from "./hub/explain.js";
import { type Json, parseConfig } from "./hub/parsed-config.js";
import type { DType } from "./types/base.js";
import type {
  EngineSettings,
  KeyCache,
  KeyCacheOptions,
  SettingsModel,
  SettingsOptions,
} from "./types/engine-settings.js";
import type { Engine, EngineOptions, EngineReport, ExplainOptions, Finding, ReadModel } from "./types/engines.js";
import type { Model } from "./types/hub.js";

export type { DType } from "./types/base.js";
export type * from "./types/engine-settings.js";
export type * from "./types/engines.js";
export type { HubConfig, HubPlan, Model } from "./types/hub.js";

const all = [
  transformers4,
  transformers5,
  vllm,
  sglang,
  llamaCpp,
  mlxLm,
  candle,
  transformersJs,
  onnx,
] as unknown as readonly EngineData[];

/** Freezes a value with all that it has. */
function frozen<Value>(value: Value): Value {
  if (isObject(value)) for (const inner of Object.values(Object.freeze(value))) frozen(inner);
  return value;
}

/** Each engine that was read, with a source for every fact. What was not read is not in it. It cannot be written to. */
export const table: readonly Engine[] = frozen(
  all.map((data) => ({
    name: data.name,
    version: data.version,
    facts: data.facts.map(({ topic, note, file, version = data.version }) => ({
      topic,
      note,
      source: { project: data.project, version, file },
    })),
    departures: data.rules.map((rule) => known(data, rule)),
  })),
);

const dtypes: readonly DType[] = ["float32", "float16", "bfloat16"];

/** Certificates of the plans that an engine understands, in its arithmetic. */
function certified(
  { understands, arithmetic }: Pick<EngineReport, "understands" | "arithmetic">,
  { certify, length }: EngineOptions,
) {
  if (certify === undefined || length === undefined || arithmetic === null || !isArray(understands)) return null;
  const { preset, dtype } = arithmetic;
  return understands.map(({ rotary }) => certify(rotary, { length, arithmetic: preset, dtype }));
}

type Members = { [name: string]: unknown };

/** These are read of a model: of its plans by `engines`, of its layers too by `settings`, of how it is known by `explain`. */
const readOf: { readonly [part: string]: (model: Members) => boolean } = {
  plans: ({ plans, config, encoding }) => isArray(plans) && isObject(config) && isObject(encoding),
  layers: ({ layers, path }) => isArray(layers) && typeof path === "string",
  evidence: ({ evidence, unknownKeys, otherCode, ids }) =>
    [evidence, unknownKeys, otherCode].every(isArray) && isObject(ids),
};

const noModel = (model: unknown) => wrongType("model", model, "what model() made");

/** Checks the members that are read of a model, by their kind. */
function checkModel(model: unknown, ...parts: string[]): void {
  const members = (isObject(model) ? model : {}) as Members;
  if (!parts.every((part) => readOf[part]?.(members))) throw noModel(model);
}

/** Notes in Chinese, once they are fetched. */
let notes: { readonly [note: string]: string } = {};

/**
 * Fetches the notes of a language: without it `engines` and `settings` have them in English alone. Resolves to them, by
 * their English text: those of the table's facts are among them.
 */
export async function fetchNotes(language: "en" | "zh"): Promise<{ readonly [note: string]: string }> {
  if (languageOf(language) !== "zh") return {};
  notes = (await import("posenc-module-notes")).default;
  return notes;
}

/** What was read, in a language. */
const noteIn =
  (language: EngineOptions["language"]) =>
  <Noted extends { note: string }>(of: Noted): Noted =>
    language === "zh" ? { ...of, note: notes[of.note] ?? of.note } : of;

function checkOptions({ dtype, certify, length, language = "en" }: EngineOptions): void {
  languageOf(language);
  if (dtype !== undefined && !dtypes.includes(dtype))
    throw wrongValue("dtype", dtype, 'one of "float32", "float16", "bfloat16"');
  if (certify !== undefined && typeof certify !== "function") throw wrongType("certify", certify, "pe.certify");
  if (certify !== undefined && length === undefined) throw wrongType("length", length, "a number, beside certify");
}

/**
 * Explains a model: what it does with positions, what is unusual in it, what will go wrong. Each finding has a code, its
 * numbers, the key it is about, and a sentence. The order is by kind: what can go wrong first. A TypeError where it is not
 * what `pe.model` made.
 */
export function explain(model: Model, options: ExplainOptions = {}): Finding[] {
  const read = explainOptions(options);
  checkModel(model, "plans", "layers", "evidence");
  try {
    return explained(model, read);
  } catch {
    // The contents of its members are not checked one by one.
    throw noModel(model);
  }
}

/**
 * Reports each engine's understanding of a config that `pe.model` read. It needs no network, and claims nothing of
 * versions that were not read. O(plans · rules).
 */
export function engines(model: ReadModel, given: EngineOptions = {}): EngineReport[] {
  checkModel(model, "plans");
  const options = checkNames(given, ["dtype", "certify", "length", "language"], "engines");
  checkOptions(options);
  const config = parseConfig(model.config as Json, model, options.dtype);
  return all.map((data) => {
    const report = reportOf(data, config, model);
    const departures = report.departures.map(noteIn(options.language));
    return { ...report, departures, certificates: certified(report, options) };
  });
}

type Writable = EngineData & { settings: SettingsData };

const writable = all.filter((data): data is Writable => data.settings !== undefined);

function checkLength(length = 1): void {
  if (!(Number.isSafeInteger(length) && length >= 1 && length <= 2 ** 40))
    throw wrongValue("length", length, "a whole number of tokens, 1 to 2^40");
}

/**
 * Settings that make an engine do what a model does, as its source was read: keys of config.json or of a GGUF file, and flags; or
 * why it cannot. With `length` for so many tokens.
 *
 * ```ts
 * const { status, keys, flags, departures } = settings(pe.model(config), { for: "vllm", length: 131072 });
 * ```
 */
export function settings(model: SettingsModel, given: SettingsOptions): EngineSettings {
  checkModel(model, "plans", "layers");
  const options = checkNames(given, ["for", "dtype", "certify", "length", "language"], "settings");
  const { for: target, length, dtype } = options;
  const data = writable.find((one) => one.settings.for === target);
  const names = writable.map((one) => `"${one.settings.for}"`).join(", ");
  if (!data) throw wrongValue("for", target, `one of ${names}`);
  checkOptions(options);
  checkLength(length);
  const config = parseConfig(model.config as Json, model, dtype);
  const made = settingsOf(data, config, model, length);
  const isDone = made.status === "as-is" || made.status === "write";
  const understands = isDone ? [...made.plans] : ("not read" as const);
  const arithmetic = isDone ? arithmeticOf(data, config) : null;
  const certificates = certified({ understands, arithmetic }, options);
  const inLanguage = noteIn(options.language);
  return { ...inLanguage(made), departures: made.departures.map(inLanguage), certificates };
}

/**
 * The memory that a model's kept keys and values take: bytes a token and layer, and of all layers at `length` tokens. Windows
 * keep no more than they see, MLA's latent vectors are what DeepSeek's paper keeps.
 */
export function keyCache(model: SettingsModel, given: KeyCacheOptions = {}): KeyCache {
  checkModel(model, "plans", "layers");
  const { dtype, length } = checkNames(given, ["dtype", "length"], "keyCache");
  checkOptions({ ...(dtype === undefined ? {} : { dtype }) });
  checkLength(length);
  return keyCacheOf(model, parseConfig(model.config as Json, model, dtype), length);
}
