import { define } from "../base/call.js";
import { wrongType } from "../base/check.js";
import * as is from "../base/kinds.js";
import type { Module } from "../base/module.js";
import { listView, type View } from "../base/view.js";
import type * as t from "../types/index.js";

// A value of JSON as the core reads and writes it (embind/hub.cpp): doubles, what it is and then what it holds.
const [end, none, no, yes, number, text, list, object] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Nothing that a config has to say of rotation is nested deeper. */
const deepest = 6;

/** Adds a value. What JSON does not have is null, and so is binary data, and what is nested too deeply. */
function pack(value: unknown, to: number[], depth = 0): void {
  if (typeof value === "number") to.push(number, value);
  else if (typeof value === "boolean") to.push(value ? yes : no);
  else if (typeof value === "string") {
    const bytes = new TextEncoder().encode(value);
    to.push(text, bytes.length);
    for (const byte of bytes) to.push(byte);
  } else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && depth < deepest) {
    const isList = Array.isArray(value);
    to.push(isList ? list : object);
    for (const [key, item] of Object.entries(value)) {
      if (!isList) pack(key, to);
      pack(item, to, depth + 1);
    }
    to.push(end);
  } else to.push(none);
}

function unpack(from: Float64Array): unknown {
  let at = 0;
  const next = () => from[at++] as number;
  function items(): unknown[] {
    const read: unknown[] = [];
    while (from[at] !== end) read.push(value());
    ++at;
    return read;
  }
  function value(): unknown {
    const kind = next();
    if (kind === none) return null;
    if (kind === no || kind === yes) return kind === yes;
    if (kind === number) return next();
    if (kind === list) return items();
    if (kind === text) {
      const size = next();
      at += size;
      return new TextDecoder().decode(Uint8Array.from(from.subarray(at - size, at)));
    }
    const members = items();
    return Object.fromEntries(members.flatMap((key, i) => (i % 2 === 0 ? [[key, members[i + 1]]] : [])));
  }
  return value();
}

/** Read before the core is entered: nothing of the caller's runs while it reads. */
const config: is.Kind<object, View<ArrayLike<number>>> = {
  ...is.numbers,
  read(argument, value) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw wrongType(argument, value, "the object parsed from a config.json");
    }
    const packed: number[] = [];
    pack(value, packed);
    return listView(packed);
  },
};

/** How large its result is, the core alone knows: it keeps it until it was read. */
export const readConfig = define(
  { name: "hubConfig", inputs: { config }, answers: ["handle", "address", "size"] },
  () => {},
  ({ handle, address, size }, _, module) => {
    const made = module.HEAPF64.slice(address / 8, address / 8 + size);
    module.release(handle);
    return unpack(made) as t.HubConfig;
  },
);

export const hubConfig = (module: Module, config: object): t.HubConfig => readConfig(module, {}, { config });
