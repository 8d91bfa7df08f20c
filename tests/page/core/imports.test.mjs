import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "../fixtures.mjs";

// The modules of web/src import downwards only.

const src = fileURLToPath(new URL("../../../web/src/", import.meta.url));
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

/** The module of a file: a panel is one, the list of panels another. */
const moduleOf = (file) =>
  (file.startsWith("panels/") ? dirname(file).split("/").slice(0, 2) : file.split("/").slice(0, -1).slice(0, 1)).join(
    "/",
  );

/** Each module may use these beside itself; the entries of all pages may use everything. */
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
  expect(all.length).toBeGreaterThan(400);
  expect(all.filter((name) => name.endsWith("?"))).toEqual([]);
});

test("imports lead downwards only, and no panel imports from another", () => {
  const wrong = sources.flatMap((file) => {
    const module = moduleOf(file);
    if (module === "") return [];
    const allowed = MAY_USE[module.startsWith("panels/") ? "panels/" : module];
    expect(allowed, `${file} is in no known module`).toBeTruthy();
    return (
      imports
        .get(file)
        .filter((other) => moduleOf(other) !== module && !allowed.includes(moduleOf(other)))
        // The list of panels has the state of each.
        .filter((other) => !(module === "panels" && /^panels\/[\w-]+\/state\.ts$/.test(other)))
        .map((other) => `${file} uses ${other}`)
    );
  });
  expect(wrong).toEqual([]);
});

test("the page uses the library by its published entries alone", () => {
  const known =
    /^(?:posenc(?:\/full|\/tools|\/engines|\/lab|\/lab-worker|\/files|\/package\.json)?|lit-html(?:\/[\w.-]+)?|@preact\/signals-core)$/;
  const others = sources.flatMap((file) =>
    specifiers(file).filter((name) => !name.startsWith(".") && !known.test(name)),
  );
  expect(others).toEqual([]);
});
