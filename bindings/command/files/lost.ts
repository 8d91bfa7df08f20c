// Lists what the conversion of a model to GGUF lost: the differences of a config and a .gguf file, each with the file's key, and
// the order of the rows of W_q and W_k, which the layouts of both decide.

import { rowOrder } from "../../js/files.js";
import type { FileArray, GgufModel } from "../../js/types/files.js";
import type { ComparedTrait, Comparison, Layout, Scaling, TraitDifference } from "../../js/types/index.js";
import { withProgress } from "../progress.js";
import type { NamedModel } from "./config.js";
import { evidenceOf, type Located } from "./evidence.js";
import { folderArrays, partArrays } from "./folder.js";
import { onContent } from "./tensors.js";

/** The order of the rows of one weight. */
export interface WeightOrder {
  /** `"q"` or `"k"`. */
  readonly weight: "q" | "k";
  /** Whether they are as both layouts need them; null where it is not known. */
  readonly isRight: boolean | null;
  /** How they are: `rowOrder`'s answer, or why there is none. */
  readonly order: string;
  readonly sentence: { readonly en: string; readonly zh: string };
}

/** `compare` prints this beside the comparison where one of both is a .gguf file. */
export interface Lost {
  /** Files that are not there. */
  readonly missing?: readonly string[];
  readonly weights?: readonly WeightOrder[];
}

/** The keys of a config, or the .gguf file's, that a trait is read from. */
const keysOf: { readonly [trait in ComparedTrait]?: { readonly config: string; readonly gguf: string } } = {
  base: { config: "rope_theta", gguf: "rope.freq_base" },
  dims: { config: "rotary_dim", gguf: "rope.dimension_count" },
  mrope: { config: "rope_scaling.mrope_section", gguf: "rope.dimension_sections" },
  attentionFactor: { config: "rope_scaling.attention_factor", gguf: "rope.scaling.attn_factor" },
  reach: { config: "sliding_window", gguf: "attention.sliding_window" },
  scale: { config: "attention_multiplier", gguf: "attention.scale" },
};

/** The place in the file that a rule would be read from. */
function ruleKey(gguf: GgufModel, scaling: Scaling | null): string {
  if (scaling?.type === "llama3") return "rope_freqs.weight";
  if (scaling?.type === "longrope") return "rope_factors_long.weight";
  return `${gguf.architecture}.rope.scaling.type`;
}

function placeOf(gguf: GgufModel, what: ComparedTrait, meant: unknown): Located & { path: string } {
  if (what === "scaling") {
    const own = gguf.evidence.find(({ path }) => path === "rope_scaling.rope_type");
    return own && own.value !== "default"
      ? { path: own.key, from: own.from }
      : { path: ruleKey(gguf, meant as Scaling | null), from: "default" };
  }
  const keys = keysOf[what];
  const own = gguf.evidence.find(({ path }) => path === keys?.config) ?? (keys ? undefined : evidenceOf(gguf, ""));
  if (own) return { path: own.key, from: own.from };
  const key = `${gguf.architecture}.${keys?.gguf}`;
  // A key that is there is one that llama.cpp does not read.
  return gguf.metadata.has(key) ? { path: key, from: "file" } : { path: key, from: "default" };
}

/** Rows as these layouts need them: of `half`, pairs are halves apart; of `interleaved` beside one another. */
const neededOrder = (config: Layout | undefined, gguf: Layout | undefined): string | undefined => {
  if (config === undefined || gguf === undefined) return undefined;
  // Deinterleaving is a permutation of both queries and keys after the weights: scores are those of interleaved pairs.
  const [from, to] = [config, gguf].map((layout) => (layout === "deinterleaved" ? "interleaved" : layout));
  return from === to ? "same" : `to-${to}`;
};

const nameOf = (weight: "q" | "k") => new RegExp(`(^|\\.)layers\\.0\\.self_attn\\.${weight}_proj\\.weight$`);

async function orderOf(
  weight: "q" | "k",
  ofConfig: readonly FileArray[],
  ofGguf: readonly FileArray[],
  needed: string | undefined,
  headDim: number,
): Promise<WeightOrder> {
  const from = ofConfig.find(({ name }) => nameOf(weight).test(name));
  const to = ofGguf.find(({ name }) => name === `blk.0.attn_${weight}.weight`);
  const say = (isRight: WeightOrder["isRight"], order: string, en: string, zh: string): WeightOrder => ({
    weight,
    isRight,
    order,
    sentence: { en: `W_${weight}: ${en}`, zh: `W_${weight}：${zh}` },
  });
  if (!from || !to) {
    const [en, zh] = from ? ["the .gguf file", ".gguf 文件"] : ["the config's folder", "配置所在的文件夹"];
    return say(
      null,
      "missing",
      `the order of its rows is not known: ${en} has none that is read.`,
      `行的顺序未知：${zh}中没有可读的权重。`,
    );
  }
  const { order, headDim: found } = await onContent(() => rowOrder(from, to, { headDim }));
  if (order === "other")
    return say(null, order, "its rows are not those of the other file.", "它的行与另一个文件不同。");
  const name = order === "same" ? "same" : found === headDim ? order : `${order}, heads of ${found}`;
  const isRight = needed === undefined ? null : name === needed;
  const [en, zh] = [
    {
      same: "its rows have the same order",
      "to-interleaved": "its rows are permuted from halves to pairs",
      "to-half": "its rows are permuted from pairs to halves",
    }[order],
    { same: "行的顺序相同", "to-interleaved": "行从两半重排为相邻的对", "to-half": "行从相邻的对重排为两半" }[order],
  ];
  const heads =
    found === headDim || order === "same"
      ? ["", ""]
      : [`, in heads of ${found} in place of ${headDim}`, `，按 ${found} 维的头而不是 ${headDim} 维`];
  const verdict =
    isRight === null
      ? ["", ""]
      : isRight
        ? [", as its layout needs", "，符合其布局"]
        : [`, which its layout does not fit`, "，与其布局不符"];
  return say(isRight, name, `${en}${heads[0]}${verdict[0]}.`, `${zh}${heads[1]}${verdict[1]}。`);
}

/** Options of a rule that make the attention factor and the scale of scores, which are compared by themselves. */
const ofFactor: readonly string[] = ["attentionFactor", "mscale", "mscaleAllDim"];

/** Whether two values are one number, also in a list, that was stored as float32 and computed with once more. */
function isSameStored(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) <= 2 ** -23 * Math.abs(a);
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return a === b;
  const [of, other] = [a, b].map((each) => Object.entries(each).filter(([key]) => !ofFactor.includes(key)));
  const values = Object.fromEntries(other as [string, unknown][]);
  return of?.length === other?.length && of?.every(([key, value]) => isSameStored(value, values[key])) === true;
}

/** A comparison without differences that `isOne` says are none. */
const without = (made: Comparison, isOne: (each: TraitDifference) => boolean): Comparison => ({
  ...made,
  differing: made.differing
    .map(({ differences, ...group }) => ({ ...group, differences: differences.filter((each) => !isOne(each)) }))
    .filter(({ differences }) => differences.length > 0),
});

/** What the parts of a split .gguf file that are not there may hold. */
const open: readonly ComparedTrait[] = ["scaling", "attentionFactor"];

/** The comparison with the places of the .gguf file, if one of both is one, in whose favour its layout is decided. */
export async function lostIn(made: Comparison, a: NamedModel, b: NamedModel): Promise<Comparison & Lost> {
  const [config, other] = b.gguf ? [a, b] : [b, a];
  const { gguf } = other;
  if (!gguf) return made;
  const isOpen = [a, b].some((each) => each.gguf?.part?.isOpen);
  const notOpen = without(made, ({ what, ...of }) => (isOpen && open.includes(what)) || isSameStored(of.a, of.b));
  const known = [...made.notKnown, ...(isOpen ? open.filter((what) => !made.notKnown.includes(what)) : [])];
  const missing = [...a.missing, ...b.missing];
  const comparison = { ...notOpen, notKnown: known, ...(missing.length > 0 && { missing }) };
  if (config.gguf) return comparison;
  const isSecond = other === b;
  // Weights are permuted for the layout: it differs by intention.
  const differing = comparison.differing.flatMap(({ differences, ...group }) => {
    const rest = differences
      .filter(({ what }) => what !== "layout")
      .map((each) => ({ ...each, ...placeOf(gguf, each.what, isSecond ? each.a : each.b) }));
    return rest.length > 0 ? [{ ...group, differences: rest }] : [];
  });
  const rotary = config.model.plans[0]?.rotary;
  if (!rotary) return { ...comparison, differing };
  const needed = neededOrder(rotary.layout, gguf.layout);
  const [ofConfig, ofGguf] = [await folderArrays(config.file), await partArrays(other.file)];
  const weights: WeightOrder[] = [];
  const headDim = config.model.layers.find(({ dims }) => dims)?.dims?.dim ?? rotary.dim;
  await withProgress("W_q, W_k", async (progress) => {
    for (const weight of ["q", "k"] as const) {
      progress(weights.length / 2);
      weights.push(await orderOf(weight, ofConfig, ofGguf, needed, headDim));
    }
  });
  const isUnclear = needed !== "same" && weights.some(({ isRight }) => isRight === null);
  const notKnown = isUnclear ? [...new Set<ComparedTrait>([...comparison.notKnown, "layout"])] : comparison.notKnown;
  return { ...comparison, differing, notKnown, weights };
}
