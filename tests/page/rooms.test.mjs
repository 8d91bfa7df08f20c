import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

// The rooms of web/src: what each may import. (tests/setup/architecture.test.mjs has the rules of all floors.)

const src = fileURLToPath(new URL("../../web/src/", import.meta.url));
const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(src.length));
const sources = files.filter((file) => file.endsWith(".ts"));

/** The specifiers that a file imports, types and import() included. */
const specifiers = (file) =>
  [...readFileSync(join(src, file), "utf8").matchAll(/(?:\bfrom |\bimport\(|^import )"([^"]+)"/gm)].map(
    ([, name]) => name,
  );

const resolved = (file, specifier) => {
  const path = normalize(join(dirname(file), specifier.replace(/\?raw$/, "")));
  return [`${path}.ts`, `${path}/index.ts`, path].find((candidate) => files.includes(candidate));
};
const imports = new Map(
  sources.map((file) => [
    file,
    specifiers(file)
      .filter((name) => name.startsWith("."))
      .map((name) => resolved(file, name) ?? `${name}?`),
  ]),
);

/** The room of a file: a panel is a room of its own, the list of panels another. */
const roomOf = (file) =>
  (file.startsWith("panels/") ? dirname(file).split("/").slice(0, 2) : file.split("/").slice(0, -1).slice(0, 1)).join(
    "/",
  );

/** What each room may use beside itself; the entries of all pages may use everything. */
const MAY_USE = {
  core: [],
  controls: ["core"],
  draw: ["core"],
  training: ["core"],
  "panels/": ["code", "core", "controls", "draw", "training"],
  panels: ["core"],
  code: ["core", "controls"],
  checked: ["core", "controls", "draw", "panels", "training"],
  tools: ["code", "core", "controls", "draw", "panels"],
};

test("every import is found", () => {
  const all = [...imports.values()].flat();
  assert.ok(all.length > 400, `${all.length} imports`);
  assert.deepEqual(
    all.filter((name) => name.endsWith("?")),
    [],
  );
});

test("imports lead downwards only, and no panel imports from another", () => {
  const wrong = sources.flatMap((file) => {
    const room = roomOf(file);
    if (room === "") return [];
    const allowed = MAY_USE[room.startsWith("panels/") ? "panels/" : room];
    assert.ok(allowed, `${file} is in no known room`);
    return (
      imports
        .get(file)
        .filter((other) => roomOf(other) !== room && !allowed.includes(roomOf(other)))
        // The list of panels has the state of each.
        .filter((other) => !(room === "panels" && /^panels\/[\w-]+\/state\.ts$/.test(other)))
        .map((other) => `${file} uses ${other}`)
    );
  });
  assert.deepEqual(wrong, []);
});

test("the page uses the library by its published entries alone", () => {
  const known =
    /^(?:posenc(?:\/full|\/tools|\/lab|\/lab-worker|\/files|\/package\.json)?|lit-html(?:\/[\w.-]+)?|@preact\/signals-core)$/;
  const others = sources.flatMap((file) =>
    specifiers(file).filter((name) => !name.startsWith(".") && !known.test(name)),
  );
  assert.deepEqual(others, []);
});
