// Findings of what a file stores beside its config: inverse frequencies, caches and tables of positions, diagnosed against
// the model where there is one, and nodes of an ONNX graph.

import { positionArrays } from "../../js/files.js";
import { planOfRun } from "../../js/hub/places.js";
import type { Finding } from "../../js/types/engines.js";
import type { FileArray, OnnxNode, PositionArrays } from "../../js/types/files.js";
import type * as t from "../../js/types/index.js";
import { recognized, squeezed } from "../files/recognized.js";
import { onContent, openGraph } from "../files/tensors.js";
import { withProgress } from "../progress.js";
import { lookWith, rows } from "./diagnose.js";

/** A finding of a file that is no config; its code is none of `explain`. */
export interface StoredFinding {
  readonly kind: Finding["kind"];
  readonly code: "stored" | "not-read" | "node" | "differs" | "nothing";
  /** The name of the array or node. */
  readonly path: string;
  readonly numbers: { readonly [name: string]: number | string };
  readonly sentence: string;
  /** All arrays of which this is said. */
  readonly names?: readonly string[];
  readonly diagnosis?: t.Diagnosis;
}

/** Who is asked, and what they are told beside a file. */
export interface Asked {
  readonly pe: t.PosencTools;
  readonly language: "en" | "zh";
  /** The model that is meant, if it is known. */
  readonly model?: t.Model | undefined;
  /** How many positions it reads. */
  readonly length?: number | undefined;
}

const words = {
  en: {
    reading: "Reading",
    all: (count: number, names: string) => `Of ${count} arrays (${names}): `,
    missing: "This file of the model is not there: what it stores was not read.",
    open: "These parts of the file are not there: they may hold factors of frequencies, so that the rule is not known.",
    nothing: "Nothing about positions was found: no node that rotates, and no frequencies, cache or table.",
    computed: "Computed in the graph, or an input: it was not read.",
    others: (count: number, first: string) => ` ${count} arrays were not read: ${first}.`,
    length: "Not compared with the config, whose rule depends on the length: name --length. ",
    nodes: (count: number, name: string, attributes: string) =>
      `${count === 1 ? "A node" : `${count} nodes`} ${name}${attributes ? `: ${attributes}` : ""}.`,
    differs: (name: string, own: string, meant: string) => `${name} is ${own} here, and ${meant} in the config.`,
    layout: (own: string, meant: string) =>
      `The nodes rotate in the layout ${own}, the model in ${meant}: right only where W_q and W_k were permuted.`,
  },
  zh: {
    reading: "读取",
    all: (count: number, names: string) => `${count} 个数组（${names}）：`,
    missing: "模型的这个文件不在：其中的内容没有读到。",
    open: "文件的这些部分不在：其中可能有频率的系数，因此缩放规则未知。",
    nothing: "没有找到与位置有关的内容：没有旋转的节点，也没有频率、缓存或位置表。",
    computed: "在图中计算，或是输入：没有读到。",
    others: (count: number, first: string) => `有 ${count} 个数组没有读到：${first}。`,
    length: "没有与配置比较：其规则取决于长度，请给出 --length。",
    nodes: (count: number, name: string, attributes: string) =>
      `${count} 个节点 ${name}${attributes ? `：${attributes}` : ""}。`,
    differs: (name: string, own: string, meant: string) => `这里 ${name} 是 ${own}，配置中是 ${meant}。`,
    layout: (own: string, meant: string) => `节点按布局 ${own} 旋转，模型按 ${meant}：只有重排过 W_q 和 W_k 时才正确。`,
  },
};

const dependsOnLength = ({ rotary }: t.HubPlan) => /^(dynamic|longrope)$/.test(rotary.scaling?.type ?? "");

/** Returns what may be expected: the layer in the name, or a layer of each plan; of tables nothing. */
function expectedOf({ model, length }: Asked, { kind, layer }: PositionArrays): t.ExpectedPlan[] {
  if (!model || kind === "table" || model.encoding.type !== "rotary" || model.plans.length === 0) return [];
  if (length === undefined && model.plans.some(dependsOnLength)) return [];
  const own = length === undefined ? { model } : { model, length };
  if (model.layers.length === 0) return [own];
  let end = 0;
  const rotating = model.layers.flatMap(({ count, plan }) => {
    end += count;
    return typeof plan === "number" ? [{ from: end - count, to: end - 1, plan }] : [];
  });
  const isNamed = layer !== null && rotating.some(({ from, to }) => layer >= from && layer <= to);
  const firsts = new Map(rotating.reverse().map(({ from, plan }) => [plan, from]));
  return (isNamed ? [layer] : [...firsts.values()]).map((each) => ({ ...own, layer: each }));
}

const tensorOf = (file: FileArray) => ({
  file: file.name,
  shape: file.shape,
  read: (picks: Parameters<FileArray["pick"]>[0], shape: readonly number[] = file.shape) =>
    onContent(() => file.pick(picks, { shape })),
});

const isMistaken = ({ verdict, explanations }: t.Diagnosis) =>
  verdict === "none" || (explanations[0]?.mistakes.length ?? 0) > 0;

/** Diagnoses arrays that belong together, by the first expectation that is met. */
async function diagnosed(asked: Asked, group: PositionArrays): Promise<StoredFinding> {
  const { kind, samples, name } = group;
  const tensors = Object.values(samples).map(tensorOf);
  const all = expectedOf(asked, group);
  const lookAt = async (expected?: t.ExpectedPlan) => {
    const look = lookWith(asked.pe, expected, asked.language);
    if (kind !== "frequencies") return rows({ tensors, positions: undefined, look }, Object.keys(samples));
    return look({ frequencies: await (tensors[0] as (typeof tensors)[0]).read([]) });
  };
  let diagnosis = await lookAt(all[0]);
  for (const expected of all.slice(1)) {
    if (!isMistaken(diagnosis)) break;
    const other = await lookAt(expected);
    if (!isMistaken(other)) diagnosis = other;
  }
  const { model, length } = asked;
  const isOpen = kind !== "table" && length === undefined && model?.plans.some(dependsOnLength);
  return {
    kind: all.length > 0 && isMistaken(diagnosis) ? "risk" : "does",
    code: "stored",
    path: name,
    numbers: { count: 1 },
    sentence: (isOpen ? words[asked.language].length : "") + diagnosis.text,
    names: [name],
    diagnosis,
  };
}

/** More names are not listed in a sentence. */
const shownNames = 8;

/** Findings of which the same is said as one. */
function together(findings: readonly StoredFinding[], language: "en" | "zh"): StoredFinding[] {
  const alike = new Map<string, StoredFinding[]>();
  for (const each of findings) alike.set(each.sentence, [...(alike.get(each.sentence) ?? []), each]);
  return [...alike.values()].map((group) => {
    const [first] = group as [StoredFinding];
    if (group.length === 1) return first;
    const names = group.map(({ path }) => path);
    const shown = names.length > shownNames ? [...names.slice(0, shownNames - 1), "…", names.at(-1)] : names;
    const sentence = words[language].all(names.length, shown.join(", ")) + first.sentence;
    return { ...first, numbers: { count: names.length }, names, sentence };
  });
}

/** Findings of files that are named and not there; `isOpen` where they may hold the rule. */
export const missingFindings = (
  { language }: Pick<Asked, "language">,
  missing: readonly string[],
  isOpen = false,
): StoredFinding[] => {
  const all = isOpen ? [missing.join(", ")] : missing;
  const sentence = words[language][isOpen ? "open" : "missing"];
  return all
    .filter((path) => path !== "")
    .map((path) => ({ kind: isOpen ? "risk" : "unusual", code: "not-read", path, numbers: {}, sentence }));
};

/** Whether something was found that says what is done with positions. */
export const hasFound = (findings: readonly StoredFinding[]): boolean =>
  findings.some(({ code, diagnosis }) => code === "node" || (code === "stored" && diagnosis?.verdict !== "too-little"));

/** The finding that there is none, and what was not read. */
export function nothingFinding({ language }: Pick<Asked, "language">, path: string, notRead: readonly string[] = []) {
  const { nothing, others } = words[language];
  const sentence = nothing + (notRead[0] === undefined ? "" : others(notRead.length, notRead[0]));
  return { kind: "unusual", code: "nothing", path, numbers: { notRead: notRead.length }, sentence } as const;
}

/** An array with values that no cache has, as NaN, is none of the others' business. */
function unreadFinding(path: string, error: unknown): StoredFinding {
  if (!(error instanceof RangeError)) throw error;
  return { kind: "unusual", code: "not-read", path, numbers: {}, sentence: error.message };
}

/** Findings of arrays for positions, by default of those that have their names. */
export async function storedFindings(
  asked: Asked,
  arrays: readonly FileArray[],
  groups: readonly PositionArrays[] = positionArrays(squeezed(arrays)),
): Promise<StoredFinding[]> {
  const { language } = asked;
  const findings = await withProgress(words[language].reading, async (progress) => {
    const made: StoredFinding[] = [];
    for (const group of groups) {
      made.push(await diagnosed(asked, group).catch((error) => unreadFinding(group.name, error)));
      progress(made.length / groups.length);
    }
    return made;
  });
  return together(findings, language);
}

/** The attributes that say how a node rotates, with the operators' defaults. */
function rotationOf({ operator, domain, attributes, cos }: OnnxNode) {
  const isGrouped = operator === "GroupQueryAttention";
  const rotates = operator === "RotaryEmbedding" || (isGrouped && attributes.do_rotary === 1);
  if (!rotates) return undefined;
  const isInterleaved = (isGrouped ? attributes.rotary_interleaved : attributes.interleaved) === 1;
  const dims = attributes.rotary_embedding_dim ?? 0;
  return { layout: isInterleaved ? "interleaved" : "half", dims, cos, isOwn: domain === "" };
}

/** Lists where nodes differ from the model. */
function differences({ model, language }: Asked, node: OnnxNode, path: string): StoredFinding[] {
  const run = model?.layers.find(({ dims }) => dims);
  const plan = run && model && planOfRun(model.plans, run);
  if (!model || !run?.dims || !plan) return [];
  const say = words[language];
  const found: StoredFinding[] = [];
  const add = (
    name: string,
    own: number | string,
    meant: number | string,
    sentence = say.differs(name, `${own}`, `${meant}`),
  ) => {
    if (own !== meant) found.push({ kind: "risk", code: "differs", path, numbers: { name, own, meant }, sentence });
  };
  const rotation = rotationOf(node);
  const { layout } = plan.rotary;
  if (rotation && layout) add("layout", rotation.layout, layout, say.layout(rotation.layout, layout));
  if (rotation?.dims) add("rotary_embedding_dim", rotation.dims, run.dims.count);
  const { scale, local_window_size: window } = node.attributes;
  const isOfScores = scale !== undefined && scale !== 0 && node.operator !== "RotaryEmbedding";
  if (isOfScores && run.scale !== null && Math.abs(scale / run.scale - 1) > 1e-6) add("scale", scale, run.scale);
  const reaches = model.layers.flatMap(({ reach }) => ("size" in reach ? [reach.size] : []));
  if (window !== undefined && window > 0 && !reaches.includes(window))
    add("local_window_size", window, reaches[0] ?? -1);
  return found;
}

/** Names that arrays for positions have, also where they are not read. */
const aboutPositions = /cos|sin|freq|rope|rotary|pos/i;

/** Findings of an ONNX graph: its nodes, those alike together, and its caches. */
export async function onnxFindings(asked: Asked, file: string): Promise<StoredFinding[]> {
  const { nodes, arrays, notRead } = await openGraph(file);
  const alike = new Map<string, OnnxNode[]>();
  for (const node of nodes) {
    const key = JSON.stringify([node.domain, node.operator, node.attributes, node.cos, node.sin]);
    alike.set(key, [...(alike.get(key) ?? []), node]);
  }
  const findings: StoredFinding[] = [];
  for (const group of alike.values()) {
    const [node] = group as [OnnxNode];
    const path = node.name || node.operator;
    const name = node.domain ? `${node.domain}.${node.operator}` : node.operator;
    const attributes = Object.entries(node.attributes).map(([key, value]) => `${key} ${value}`);
    const sentence = words[asked.language].nodes(group.length, name, attributes.join(", "));
    findings.push({ kind: "does", code: "node", path, numbers: { ...node.attributes, count: group.length }, sentence });
    findings.push(...differences(asked, node, path));
  }
  const taken = nodes.flatMap(({ cos, sin }) => (cos && sin ? [cos, sin] : []));
  const pairs = new Map<string, PositionArrays>();
  const all = [...squeezed(arrays.values())];
  for (const { cos = "", sin = "" } of nodes) {
    const [ofCos, ofSin] = [arrays.get(cos), arrays.get(sin)];
    const samples = ofCos && ofSin && { cos: ofCos, sin: ofSin };
    if (samples) pairs.set(`${cos}\n${sin}`, { kind: "cache", samples, layer: null, name: cos });
  }
  const groups = [...pairs.values()];
  // What no node names has a name that says what it is, or values that do.
  for (const find of [positionArrays, recognized]) {
    const known = new Set(groups.flatMap(({ samples }) => Object.values(samples).map(({ name }) => name)));
    groups.push(...(await find(all.filter(({ name }) => !known.has(name)))));
  }
  findings.push(...(await storedFindings(asked, all, groups)));
  for (const [path, reason] of notRead) {
    const isComputed = !reason.includes(":");
    const sentence = isComputed ? words[asked.language].computed : reason;
    // Where nodes take what a branch gives, its constants were found.
    if (isComputed ? groups.length === pairs.size : taken.includes(path) || aboutPositions.test(path))
      findings.push({ kind: "unusual", code: "not-read", path, numbers: {}, sentence });
  }
  return hasFound(findings) ? findings : [nothingFinding(asked, file, [...notRead.values()]), ...findings];
}
