// The published types are the stored ones.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
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

test("every type, and every member of an interface, has a comment of its own", () => {
  assert.deepEqual(api.undocumented, []);
});
