import { define } from "../base/call.js";
import { count as checkCount, isArray, isObject, wrongType, wrongValue } from "../base/check.js";
import * as expected from "../base/expected.js";
import { end, list, no, none, number, object, string, taken, yes } from "../base/json.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { listView, type View } from "../base/view.js";
import type * as t from "../types/index.js";

/** The deepest level of keys that concern rotation. */
const deepest = 6;

/** Limits of a config; published ones have hundreds of values. They stop at objects that contain themselves. */
const mostValues = 10_000;
const mostCharacters = 200_000;

/** Longer texts are cut: no word or key of a config is longer. */
const longestText = 100;

/** Names of classes, thousands in models of images: no key is among them, and they count for nothing. */
const labels = /^(?:id2label|label2id)$/;

/** A key as part of a path, short and on one line. */
const shown = (key: string) => JSON.stringify(key.slice(0, 40)).slice(1, -1);

/** Packs a parsed config, each value of which is read once. Values that JSON does not have, binary data and levels that are too deep become null. */
function packed(config: object): number[] {
  const to: number[] = [];
  const encoder = new TextEncoder();
  let values = 0;
  let characters = 0;

  function check(count: number, most: number, what: string, path: string): void {
    if (count > most) throw wrongValue(path || "config", count, expected.config_size, { most, what });
  }

  function text(value: string, path: string): void {
    characters += value.length;
    check(characters, mostCharacters, "characters", path);
    const bytes = encoder.encode(value.slice(0, longestText));
    to.push(string, bytes.length);
    for (let i = 0; i < bytes.length; ++i) to.push(bytes[i] as number);
  }

  function items(value: readonly unknown[], path: string, depth: number): void {
    const { length } = value;
    check(values + checkCount(`${path}.length`, length), mostValues, "values", path);
    for (let i = 0; i < length; ++i) pack(value[i], `${path}[${i}]`, depth);
  }

  function members(value: object, path: string, depth: number): void {
    const keys = Object.keys(value);
    check(values + keys.length, mostValues, "values", path);
    for (const key of keys) {
      const place = path ? `${path}.${shown(key)}` : shown(key);
      text(key, place);
      pack(labels.test(key) ? null : (value as { readonly [key: string]: unknown })[key], place, depth);
    }
  }

  function pack(value: unknown, path: string, depth: number): void {
    ++values;
    if (typeof value === "number") to.push(number, value);
    else if (typeof value === "boolean") to.push(value ? yes : no);
    else if (typeof value === "string") text(value, path);
    else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && depth < deepest) {
      const isList = Array.isArray(value);
      to.push(isList ? list : object);
      if (isList) items(value, path, depth + 1);
      else members(value, path, depth + 1);
      to.push(end);
    } else to.push(none);
  }

  pack(config, "", 0);
  return to;
}

export type PackedConfig = View<ArrayLike<number>>;

/** A caller's config, packed. */
export function packConfig(value: unknown): PackedConfig {
  if (!isObject(value) || isArray(value)) throw wrongType("config", value, expected.config);
  return listView(packed(value));
}

const config: is.Kind<PackedConfig, PackedConfig> = { ...is.numbers, read: (_, given) => given };

/** A call that takes a packed config; the core keeps its result, whose size is not known before, until it is decoded. */
export const taking = { inputs: { config }, answers: ["handle", "address", "size"] } as const;

export const readConfig = define(
  { name: "hubConfig", ...taking },
  () => {},
  (answers, _, module) => taken(answers, module)() as t.HubConfig,
);

export const hubConfig = (module: Module, config: object): t.HubConfig =>
  readConfig(module, {}, { config: packConfig(config) });
