// A config as the rules of engines need it: its text part, and each plan with the dictionary that it comes from.

import { isArray, isObject } from "../base/check.js";
import type { DType } from "../types/base.js";
import type { Scaling } from "../types/frequencies.js";
import type { HubConfig, HubPlan } from "../types/hub.js";

export type Json = { readonly [key: string]: unknown };

export const dictionary = (value: unknown): Json | undefined =>
  isObject(value) && !isArray(value) ? (value as Json) : undefined;

/** The value of a key of the object itself, unless it is null. */
export const own = <T>(of: { readonly [key: string]: T }, key: string): NonNullable<T> | undefined =>
  Object.hasOwn(of, key) ? (of[key] ?? undefined) : undefined;

/** The dictionary at a path that ends with a point; an empty one where there is none. */
export function dictionaryAt(config: Json, path: string): Json {
  const steps = path.split(".").slice(0, -1);
  return steps.length > 0 ? steps.reduce((at: Json, step) => dictionary(own(at, step)) ?? {}, config) : {};
}

/** Keys under which models of several parts have the config of their text. */
const parts = ["text_config", "llm_config", "language_config", "thinker_config"];

/** One rotation of a model, with the dictionary that it comes from. */
export interface Rotation {
  plan: HubPlan;
  scaling: Scaling;
  index: number;
  keys: Json;
  /** The prefix of the keys' paths: "rope_scaling." */
  path: string;
  /** Whether each layer type has a dictionary of its own. */
  isNested: boolean;
}

export interface ParsedConfig {
  /** The config of the text, and its `model_type`. */
  text: Json;
  type: string;
  /** The whole config's `model_type`. */
  model: string;
  /** Whether the base or the rule is in `rope_parameters` alone. */
  isNew: boolean;
  rotations: Rotation[];
  /** The model's. */
  dtype: DType;
}

const typeOf = (config: Json): string => {
  const type = own(config, "model_type");
  return typeof type === "string" ? type : "";
};

function textOf(config: Json): Json {
  const inner = parts.map((part) => dictionary(own(config, part))).find((part) => part !== undefined);
  return inner ? textOf(inner) : config;
}

const dtypes: readonly unknown[] = ["float32", "float16", "bfloat16"] satisfies DType[];
const isDType = (value: unknown): value is DType => dtypes.includes(value);

/** Combines a config with the plans that `hubConfig` made of it. */
export function parseConfig(config: Json, { plans }: Pick<HubConfig, "plans">, dtype: DType | undefined): ParsedConfig {
  const text = textOf(config);
  const rotations = plans.map((plan, index) => {
    const isNested = plan.layerType !== null && plan.path.endsWith(`.${plan.layerType}.`);
    const scaling = plan.rotary.scaling ?? { type: "default" as const };
    return { plan, index, scaling, keys: dictionaryAt(config, plan.path), path: plan.path, isNested };
  });
  const hasBase = ["rope_theta", "global_rope_theta", "rotary_emb_base"].some((key) => own(text, key) !== undefined);
  const type = typeOf(text);
  const named = ["dtype", "torch_dtype"].flatMap((key) => [own(text, key), own(config, key)]);
  return {
    text,
    type,
    model: typeOf(config) || type,
    isNew: !hasBase && plans.some(({ path }) => path.includes("rope_parameters.")),
    rotations,
    dtype: dtype ?? named.find(isDType) ?? "float32",
  };
}
