import type { PosencFull } from "posenc/full";
import published from "./published.json";
import { state } from "./state";

/** A model as the library reads its published config.json; `source` in published.json is where its values were read. */
export interface Published {
  readonly name: string;
  readonly year: number;
  readonly encoding: string;
  /** One for each kind of layer that rotates. */
  readonly bases: readonly number[];
  readonly rules: readonly string[];
  /** Positions for which the model is published; without a number, any. */
  readonly context: number | undefined;
  /** Numbers that its cache keeps for a token; without a number, it does not write token by token. */
  readonly cache: number | undefined;
}

interface Sizes {
  readonly [key: string]: unknown;
}

const numberIn = (config: Sizes, ...keys: readonly string[]) =>
  keys.map((key) => config[key]).find((value) => typeof value === "number");

/** Keys and values of all layers, or in DeepSeek's attention what both are made from and the rotated part of keys. */
function cached(config: Sizes): number | undefined {
  const layers = numberIn(config, "num_hidden_layers", "n_layer");
  const heads = numberIn(config, "num_attention_heads", "n_head");
  const width = numberIn(config, "hidden_size", "n_embd");
  if (!layers || !heads || !width || config.model_type === "bert") return undefined;
  const latent = numberIn(config, "kv_lora_rank");
  if (latent !== undefined) return layers * (latent + (numberIn(config, "qk_rope_head_dim") ?? 0));
  const keyHeads = numberIn(config, "num_key_value_heads") ?? heads;
  return 2 * layers * keyHeads * (numberIn(config, "head_dim") ?? width / heads);
}

function read(pe: PosencFull, { name, year, config }: (typeof published)[number]): Published {
  const { encoding, plans, length } = pe.model(config);
  const rules = plans.flatMap(({ rotary: { scaling } }) =>
    scaling && scaling.type !== "default" ? [scaling.type as string] : [],
  );
  return {
    name,
    year,
    encoding: encoding.type,
    bases: [...new Set(plans.map(({ rotary }) => rotary.base as number))],
    rules: [...new Set(rules)],
    context: encoding.type === "learned" ? encoding.rows - encoding.firstRow : (length ?? undefined),
    cache: cached(config),
  };
}

let all: readonly Published[] | undefined;

/** The models, sorted by what is chosen; those without a number come last. */
export function models(pe: PosencFull): readonly Published[] {
  all ??= published.map((one) => read(pe, one));
  const by = state.modelsBy.value;
  const rank = ({ bases, [by === "base" ? "year" : by]: value }: Published) =>
    by === "base" ? Math.max(...bases) : ((value as number | undefined) ?? Number.NEGATIVE_INFINITY);
  return [...all].sort((a, b) => (by === "year" ? a.year - b.year : rank(b) - rank(a)) || a.year - b.year);
}
