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

/** The limit of a config, each value and each character a byte. It stops at objects that contain themselves. */
const mostBytes = 2 ** 22;

/** Longer texts are cut: no word or key of a config is longer. */
const longestText = 100;

/** Names of classes, and what is quantized how: thousands of values that are no positions, and count for nothing. */
const passedOver = /^(?:id2label|label2id|compression_config)$|quant/;

/** A key as part of a path, short and on one line. */
const shown = (key: string) => JSON.stringify(key.slice(0, 40)).slice(1, -1);

/** Packs a parsed config, each value of which is read once. Values that JSON does not have, binary data and levels that are too deep become null. */
function packed(config: object): number[] {
  const to: number[] = [];
  const encoder = new TextEncoder();
  let bytes = 0;

  function check(more: number, path: string): void {
    if (bytes + more > mostBytes)
      throw wrongValue(path || "config", bytes + more, expected.config_size, { most: mostBytes });
  }

  function text(value: string, path: string): void {
    check(value.length, path);
    const own = encoder.encode(value.slice(0, longestText));
    bytes += own.length;
    to.push(string, own.length);
    for (let i = 0; i < own.length; ++i) to.push(own[i] as number);
  }

  function items(value: readonly unknown[], path: string, depth: number): void {
    const { length } = value;
    check(checkCount(`${path}.length`, length), path);
    for (let i = 0; i < length; ++i) pack(value[i], `${path}[${i}]`, depth);
  }

  function members(value: object, path: string, depth: number): void {
    const keys = Object.keys(value);
    check(keys.length, path);
    for (const key of keys) {
      const place = path ? `${path}.${shown(key)}` : shown(key);
      text(key, place);
      pack(passedOver.test(key) ? null : (value as { readonly [key: string]: unknown })[key], place, depth);
    }
  }

  function pack(value: unknown, path: string, depth: number): void {
    ++bytes;
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
  if (Object.keys(value).length === 0) throw wrongValue("config", value, expected.config, {}, ", which has keys");
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
