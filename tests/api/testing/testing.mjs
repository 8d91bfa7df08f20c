// Tests of the API share this, besides the formulas (reference.mjs).

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** A test of each call that throws: [the call, the error's class, how its message begins]. */
export function testWrongCalls(wrongCalls) {
  for (const [call, kind, start] of wrongCalls) {
    test(`${kind.name}: ${start}`, () => {
      assert.throws(call, (error) => {
        assert.equal(error.constructor, kind);
        assert.equal(error.message.slice(0, start.length), start);
        return true;
      });
    });
  }
}

const coreTests = new URL("../../core/", import.meta.url);
const stored = readdirSync(coreTests, { recursive: true })
  .filter((file) => file.endsWith(".test.cpp"))
  .map((file) => readFileSync(new URL(file, coreTests), "utf8"))
  .join("\n");

/** A tensor of the values that the core's tests call fractions, as testing::Generator draws them. */
export function fractions(shape, seed) {
  let state = seed;
  const data = Float32Array.from({ length: shape.reduce((size, extent) => size * extent, 1) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 23 - 1;
  });
  return { data, shape };
}

/** Whether tensors have the bits that are stored for the core under a name: FNV-1a, one after the other. */
export function isStored(name, tensors) {
  const hash = Buffer.concat(tensors.map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength)))
    .reduce((all, byte) => BigInt.asUintN(64, (all ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n)
    .toString(16)
    .padStart(16, "0");
  return new RegExp(`check_hash\\(\\s*"${name}",\\s*"${hash}"`).test(stored);
}

/** A clock of this process: seconds of the processor since now, in which what other programs do does not count. */
export function processorClock() {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
}

/** Adds all bytes of a result to a hash, with the names and the numbers in it. */
export function addTo(hash, value) {
  if (ArrayBuffer.isView(value)) hash.update(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
  else if (typeof value === "object" && value !== null) {
    for (const [key, part] of Object.entries(value)) addTo(hash.update(key), part);
  } else hash.update(String(value));
}
