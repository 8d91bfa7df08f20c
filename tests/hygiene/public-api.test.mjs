// The published types are the stored ones, and nothing else is published.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { filesUnder } from "../../bindings/setup/stamps.mjs";
import { packages } from "./install.mjs";
import { listing, publicApi, stored } from "./public-api.mjs";

const dist = join(packages, "posenc", "dist");
const api = publicApi(dist);

/** The lines that only one of two texts has, marked as a diff does. */
const difference = (before, after) => {
  const [old, now] = [before, after].map((text) => text.split("\n"));
  const lines = (mark, some, others) => some.filter((line) => !others.includes(line)).map((line) => `${mark} ${line}`);
  return [...lines("-", old, now), ...lines("+", now, old)];
};

test("the API is the stored one (after a change that is meant: node tests/hygiene/public-api.mjs)", () => {
  assert.deepEqual(difference(readFileSync(stored, "utf8"), listing(api)), []);
});

test("a changed type is seen, and a name that is gone", () => {
  const now = listing(api);
  const changed = now.replace("lr: number;", "lr: string;").replace(/^export type Layout .*\n/m, "");
  const names = difference(now, changed).map((text) => text.match(/^[-+] export \w+ \w+/)?.[0]);
  assert.deepEqual(names, ["- export interface AdamOptions", "- export type Layout", "+ export interface AdamOptions"]);
});

test("the types import each other alone, and all that are packed belong to an entry", () => {
  assert.deepEqual(
    api.imported.filter((name) => !/^\.\.?\/[\w./-]+\.js$/.test(name)),
    [],
  );
  const packed = filesUnder(dist).filter((file) => file.endsWith(".d.ts") && !file.endsWith(".global.d.ts"));
  assert.deepEqual(
    packed.filter((file) => !api.files.includes(file)).map((file) => relative(dist, file)),
    [],
  );
});

test("every type, and every member of an interface, has a comment of its own", () => {
  assert.deepEqual(api.undocumented, []);
});
