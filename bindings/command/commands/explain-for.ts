// posenc explain --for: what an engine is given to do what a model does, and the memory of its cache.

import * as engines from "posenc/engines";
import type { Model, PosencTools } from "../../js/types/index.js";
import type { Given } from "../arguments.js";
import { print, printJson, printLines, short } from "../print.js";
import { announced } from "../progress.js";

/** JSON in ASCII: a config's texts show as they are, and change nothing of what a terminal shows. */
const shown = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(
    /[^\n -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** An argument as a shell takes it. */
const quoted = (argument: string): string =>
  /^[\w./:=,+-]+$/.test(argument)
    ? argument
    : `'${shown(argument).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "'\\''")}'`;

const words = {
  en: {
    "as-is": "does what the model does, with the config as it is",
    write: "does what the model does with this",
    cannot: "cannot do what the model does",
    "not known": "not known: its source was not read for this model, or no rule is known for this length",
    file: { true: "In the GGUF file:", false: "In config.json:" },
    flags: "Flags:",
    departs: "It departs in:",
    read: "read in",
    none: (length: number) => `For ${length} tokens the model's own rule is enough.`,
    "no rule": (length: number) => `For ${length} tokens no factor is known.`,
    rule: (length: number, rule: string, factor: number, over: string) =>
      `For ${length} tokens: ${rule}, factor ${short(factor)}${over}.`,
    over: (original: number) => ` over ${original}`,
    own: (own: number) => `The model reads ${own} with its own rule.`,
    error: (layers: number, bound: string) => `Error of scores in its arithmetic (plan ${layers}): at most ${bound}.`,
    cache: "Kept keys and values, one sequence:",
    layer: (layers: string, bytes: number) => `layers ${layers}: ${bytes} bytes a token and layer`,
    most: (most: number) => `, ${most} tokens at most`,
    kinds: { "keys-values": "", latent: " (latent)", state: " (a state, not counted)", shared: " (shared)" },
    total: (length: number, bytes: number) => `at ${length} tokens: ${bytes} bytes`,
    expanded: (bytes: number) => `${bytes} where keys and values are kept expanded`,
    missing: (key: string) => `not known: ${key} is missing`,
  },
  zh: {
    "as-is": "config 不用改，做法与模型相同",
    write: "写入以下内容后，做法与模型相同",
    cannot: "做不到与模型相同",
    "not known": "未知：没有为该模型读过它的源码，或者不知道这个长度该用什么规则",
    file: { true: "GGUF 文件中：", false: "config.json 中：" },
    flags: "参数：",
    departs: "仍有差别：",
    read: "出自",
    none: (length: number) => `${length} 个 token：模型自己的规则已足够。`,
    "no rule": (length: number) => `${length} 个 token：不知道该用什么倍数。`,
    rule: (length: number, rule: string, factor: number, over: string) =>
      `${length} 个 token：${rule}，倍数 ${short(factor)}${over}。`,
    over: (original: number) => `，原长度 ${original}`,
    own: (own: number) => `模型用自己的规则能读 ${own} 个。`,
    error: (layers: number, bound: string) => `按它的运算（plan ${layers}），分数误差至多 ${bound}。`,
    cache: "一条序列保存的键和值：",
    layer: (layers: string, bytes: number) => `第 ${layers} 层：每个 token 每层 ${bytes} 字节`,
    most: (most: number) => `，至多 ${most} 个 token`,
    kinds: { "keys-values": "", latent: "（潜向量）", state: "（状态，不计）", shared: "（共用）" },
    total: (length: number, bytes: number) => `${length} 个 token 时：${bytes} 字节`,
    expanded: (bytes: number) => `若展开保存键和值：${bytes} 字节`,
    missing: (key: string) => `未知：缺少 ${key}`,
  },
};

type Words = (typeof words)["en"];

function printChange({ change, certificates }: engines.EngineSettings, say: Words): void {
  if (!change) return;
  const { length, own, rule, factor, originalLength, source } = change;
  if (rule === "none") print(say.none(length));
  else if (rule === "not known" || factor === null) print(say["no rule"](length));
  else print(say.rule(length, rule, factor, originalLength === null ? "" : say.over(originalLength)));
  if (source) print(`  ${say.read} ${source.project} ${source.version}, ${source.file}`);
  if (own !== null) print(say.own(own));
  for (const [plan, { score }] of (certificates ?? []).entries()) print(say.error(plan, short(score.bound)));
}

function printSettings(made: engines.EngineSettings, say: Words): void {
  const { engine, version, status, keys, flags, isGguf, departures, note, source } = made;
  print(`${engine} ${version}: ${say[status]}`);
  if (Object.keys(keys).length > 0) printLines(`${say.file[`${isGguf}`]}\n${shown(keys, 2)}`);
  if (flags.length > 0) printLines(`${say.flags}\n  ${flags.map(quoted).join(" ")}`);
  if (status === "as-is" || status === "write")
    printLines(`${note}\n  (${source.project} ${source.version}, ${source.file})`);
  if (departures.length > 0) print(say.departs);
  for (const { note: what, path, expected, instead, source: from } of departures) {
    const values = `${path === null ? "" : `${shown(path)}: `}${shown(expected)} -> ${shown(instead)}`;
    print(`  - ${what} ${values} (${from.project} ${from.version}, ${from.file})`);
  }
  printChange(made, say);
}

function printCache(
  { layers, dtype, bytes, expandedBytes, missing }: engines.KeyCache,
  length: number | undefined,
  say: Words,
) {
  print(`${say.cache} ${dtype}`);
  if (missing !== null) print(`  ${say.missing(missing)}`);
  for (const { layers: places, bytesPerToken, most, kind } of layers)
    print(`  ${say.layer(places, bytesPerToken)}${say.kinds[kind]}${most === null ? "" : say.most(most)}`);
  if (bytes !== null && length !== undefined) print(`  ${say.total(length, bytes)}`);
  if (expandedBytes !== null) print(`  ${say.expanded(expandedBytes)}`);
}

export async function explainFor(
  pe: PosencTools,
  model: Model,
  target: string,
  length: number | undefined,
  { isJson, language }: Given,
): Promise<void> {
  const own = length === undefined ? {} : { length, certify: pe.certify };
  await engines.fetchNotes(language);
  const options = { for: target as engines.SettingsTarget, language, ...own };
  const made = announced(language, () => engines.settings(model, options));
  const doubts = engines.explain(model, { language }).filter(({ code }) => code === "other-code");
  const cache = engines.keyCache(model, length === undefined ? {} : { length });
  if (isJson) {
    printJson({ ...made, otherCode: model.otherCode, keyCache: cache });
    return;
  }
  const say = words[language] as Words;
  for (const { sentence } of doubts) print(sentence);
  printSettings(made, say);
  printCache(cache, length, say);
}
