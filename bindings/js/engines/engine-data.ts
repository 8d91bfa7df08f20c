// The form of an engine's file (*.json).

import type { SettingsTarget } from "../types/engine-settings.js";
import type { EngineArithmetic, EngineDepartureCode, EngineFact, EngineName } from "../types/engines.js";
import type { Lists } from "./model-lists.js";
import type { onModel, onPlan } from "./predicates.js";

export interface Rule {
  code: EngineDepartureCode;
  note: string;
  file: string;
  /** The version that was read, where it is not the engine's. */
  version?: string;
  threads?: readonly string[];
  /** The versions that have it, where that is not the one that was read; `isPast`: the engine's has it no more. */
  versions?: string;
  isPast?: true;
  /** The model types that it concerns, or does not concern: all by default. */
  types?: string;
  except?: string;
  /** Its condition (predicates.ts), and the arguments of that. */
  when: keyof typeof onModel | keyof typeof onPlan;
  with?: object;
}

/** Where the engine reads its rotation from, and how to give it that. */
export interface SettingsData {
  for: SettingsTarget;
  /** Metadata of a GGUF file, or a dictionary in config.json. */
  form: "gguf" | "rope_scaling" | "rope_parameters";
  note: string;
  file: string;
  version?: string;
  /** The program that flags are for. */
  command?: string;
  /** The flag that takes keys of config.json as JSON; `isNested`: those of text_config, too. */
  keysFlag?: string;
  isNested?: boolean;
  lengthFlag?: string;
  /** Whether tables have max_position_embeddings rows. */
  hasLengthKey?: boolean;
  /** Types whose keys and values are kept expanded although they are compressed. */
  expands?: string;
  /** For GGUF: `general.architecture`, each with its model types, and the types whose attention factor is also in their scores. */
  architectures?: Lists;
  fixedFactor?: string;
}

export interface EngineData {
  name: EngineName;
  project: string;
  /** The version that was read. */
  version: string;
  /** Missing where the engine reads no keys. */
  settings?: SettingsData;
  lists?: Lists;
  /** The model types of which the engine's code was read; all by default. */
  reads?: string;
  /** The types whose layout was read, or was not and is the config's; all that the engine reads by default. */
  layouts?: string;
  layoutsUnread?: string;
  /** The `model_type` that these lists and the rules have: the text's, or the whole config's. */
  by?: "type" | "model";
  /**
   * The preset that has its steps, in the model's dtype or another, but for some types, whose steps in other dtypes than
   * float32 are of no preset; null where it was not read.
   */
  arithmetic: { preset: EngineArithmetic["preset"]; dtype?: EngineArithmetic["dtype"]; except?: string } | null;
  facts: readonly { topic: EngineFact["topic"]; note: string; file: string; version?: string }[];
  rules: readonly Rule[];
}
