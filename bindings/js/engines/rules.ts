// What is written down of an engine, and the departures that several have, each with the engine's own numbers.

import type { DType } from "../types/base.js";
import type {
  EngineArithmetic,
  EngineDeparture,
  EngineDepartureCode,
  EngineFact,
  EngineName,
} from "../types/engines.js";
import type { LongRopeScaling, Scaling, YarnScaling } from "../types/frequencies.js";
import type { HubPlan } from "../types/hub.js";
import { isNear, type Json, own, type Reading, type Rotation } from "./reading.js";

/** What becomes of a plan, or of all. */
export type Change = ((plan: HubPlan) => HubPlan) | "refuses" | "not read";

/** A departure that a config meets, after what the rules before it made of its plans: by the key of its rotation's dictionary, or by a path of its own. */
export interface Found extends Pick<EngineDeparture, "expected" | "instead"> {
  key?: string;
  path?: string;
  change?: Change;
}

type Maybe = Found | false | undefined;
export type Each = (rotation: Rotation, reading: Reading) => Maybe;

export interface Rule {
  code: EngineDepartureCode;
  note: string;
  file: string;
  /** Where it is not the engine's. */
  version?: string;
  threads?: readonly string[];
  /** The versions that have it, where that is not the one that was read; `isPast`: that one has it no more. */
  versions?: string;
  isPast?: true;
  /** Asked of each plan, or once of the whole. */
  each?: Each;
  once?: (reading: Reading) => Maybe;
}

export interface EngineData {
  name: EngineName;
  project: string;
  version: string;
  /** Topic, note, file, and the version where it is another. */
  facts: readonly (readonly [topic: EngineFact["topic"], note: string, file: string, version?: string])[];
  rules: readonly Rule[];
  /** The models, by type, of which it was read what the engine does; all of them by default, in its layer for rotation. */
  reads?: RegExp;
  /** Those whose layout was read, and is the config's; all that it reads by default. */
  layouts?: RegExp;
  /** Which of a reading's names these two are of: its text's by default. */
  by?: "model";
  arithmetic(reading: Reading): EngineArithmetic | null;
}

/** Model types, by spaces; a name may be a regular expression. */
export const models = (...names: string[]): RegExp => new RegExp(`^(${names.join(" ").replaceAll(" ", "|")})$`);

/** Float32 up to cosines and sines, and the model's dtype from there on, unless `other` says so. */
export const arithmeticOf = (dtype: DType, other: Partial<EngineArithmetic> = {}): EngineArithmetic => ({
  steps: "powers",
  powerUlps: 1,
  frequencies: "float32",
  positions: "float32",
  angles: "float32",
  sines: "float32",
  sineUlps: 1,
  cache: dtype,
  inputs: dtype,
  products: dtype,
  outputs: dtype,
  ...other,
});

export const withScaling = (scaling: Scaling, attentionFactor?: number): Change => {
  const factor = attentionFactor ?? 1;
  return (plan) => ({ ...plan, attentionFactor: factor, rotary: { ...plan.rotary, scaling } });
};

export const unscaled = withScaling({ type: "default" });

/** As another model, or the class, has it by default. */
export const based = (base: number): Change => {
  const scaling: Scaling = { type: "default" };
  return (plan) => ({ ...plan, attentionFactor: 1, rotary: { ...plan.rotary, base, scaling } });
};

type FactorOf = (scaling: YarnScaling, rotation: Rotation, reading: Reading) => number;

/** YaRN's factor, where the engine goes by other keys than those that `keyOf` finds: `of` is what it comes to. */
const yarnFactorBy =
  (keyOf: (rotation: Rotation) => string | undefined, of: FactorOf): Each =>
  (rotation, reading) => {
    const { scaling, plan } = rotation;
    const key = keyOf(rotation);
    if (scaling.type !== "yarn" || key === undefined) return;
    const instead = of(scaling, rotation, reading);
    return (
      !isNear(instead, plan.attentionFactor) && {
        key,
        expected: plan.attentionFactor,
        instead,
        change: withScaling({ ...scaling, attentionFactor: instead }, instead),
      }
    );
  };

const first = (keys: Json, ...names: string[]) => names.find((name) => own(keys, name) !== undefined);

/** A factor that is given. */
export const yarnFactorUnread = (of: FactorOf): Each => yarnFactorBy(({ keys }) => first(keys, "attention_factor"), of);

/** `mscale` and `mscale_all_dim`, where no factor is given. */
export const mscaleUnread = (of: FactorOf): Each =>
  yarnFactorBy(
    ({ keys }) => (first(keys, "attention_factor") ? undefined : first(keys, "mscale", "mscale_all_dim")),
    of,
  );

export const truncateUnread = ({ scaling, plan }: Rotation): Maybe =>
  scaling.type === "yarn" &&
  scaling.truncate === false && {
    key: "truncate",
    expected: false,
    instead: true,
    change: withScaling({ ...scaling, truncate: true }, plan.attentionFactor),
  };

/** LongRoPE's factor by the two lengths, whatever else is given but its own mscales. */
export const longFactorUnread: Each = ({ scaling, plan, keys }, { text }) => {
  const longest = own(text, "max_position_embeddings");
  const key = first(keys, "attention_factor", "factor");
  if (scaling.type !== "longrope" || typeof longest !== "number" || key === undefined) return;
  if (first(keys, "short_mscale", "long_mscale")) return;
  const ratio = longest / scaling.originalLength;
  const instead = ratio <= 1 ? 1 : Math.sqrt(1 + Math.log(ratio) / Math.log(scaling.originalLength));
  return (
    !isNear(instead, plan.attentionFactor) && {
      key,
      expected: plan.attentionFactor,
      instead,
      change: withScaling({ ...scaling, attentionFactor: instead }, instead),
    }
  );
};

/** LongRoPE's lists chosen otherwise than by the current length. */
export const longBy =
  (instead: string, changed = (scaling: LongRopeScaling) => scaling): Each =>
  ({ scaling, plan }) =>
    scaling.type === "longrope" && {
      key: "long_factor",
      expected: "current length",
      instead,
      change: withScaling(changed(scaling), plan.attentionFactor),
    };

/** The dynamic rule, with the base of factor times the trained length from the first position on. */
export const fixedBase: Each = ({ scaling }) =>
  scaling.type === "dynamic" && {
    key: "factor",
    expected: "dynamic",
    instead: "ntk",
    change: withScaling({ type: "ntk", factor: scaling.factor * scaling.factor - scaling.factor + 1 }),
  };

export const proportionalFactorUnread: Each = ({ scaling }) =>
  scaling.type === "proportional" &&
  (scaling.factor ?? 1) !== 1 && {
    key: "factor",
    expected: scaling.factor ?? 1,
    instead: 1,
    change: withScaling({ ...scaling, factor: 1 }),
  };

/** Rules that it does not have: it stops, or rotates without. */
export const ruleUnknown =
  (known: readonly Scaling["type"][], change: Change) =>
  ({ scaling }: Rotation): Maybe =>
    !known.includes(scaling.type) && {
      key: "rope_type",
      expected: scaling.type,
      instead: change === "refuses" ? "error" : "default",
      change,
    };

/** `rope_parameters`, where nothing at the top level stands in for it. */
export const keysUnread =
  (changeOf: (reading: Reading) => Change): NonNullable<Rule["once"]> =>
  (reading) => {
    const change = changeOf(reading);
    const instead = change === "refuses" ? "error" : change === "not read" ? change : "class default";
    return reading.isNew && { path: "rope_parameters", expected: "rope_parameters", instead, change };
  };
