// Layers and modules depend downwards only, by what files include and import.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { test } from "node:test";
import { root } from "../bindings/setup/paths.mjs";

/** From the lowest up. A file may use its own layer and those below; the first prefix that fits is its layer. */
const LAYERS = [
  { prefixes: ["src/"] },
  { prefixes: ["bindings/"], but: ["bindings/package/", "bindings/setup/"] },
  { prefixes: ["web/"] },
  { prefixes: ["tests/", "bindings/package/", "bindings/setup/"] }, // what checks the others, packs and runs them
];

/** More source files than this in a folder make it hard to find one: a hint, which fails nothing. */
const LARGE_FOLDER = 40;

/** Each module of the page may use these beside itself, a figure being one; the entries of all pages may use everything. */
const PAGE_MAY_USE = {
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
const PUBLISHED =
  /^(?:posenc(?:\/full|\/tools|\/engines|\/lab|\/lab-worker|\/files|\/package\.json)?|lit-html(?:\/[\w.-]+)?|@preact\/signals-core)$/;

/** An #include or import may be relative to these, besides the folder of its file. */
const INCLUDE_ROOTS = ["src", "bindings/embind", "tests/core", "tests/fuzz"];

const isCpp = (path) => /\.[ch]pp$/.test(path);
const isScript = (path) => /\.(ts|mjs|js)$/.test(path);
const isSource = (path) => isCpp(path) || isScript(path);
const layerOf = (path) =>
  LAYERS.findIndex(({ prefixes, but = [] }) =>
    prefixes.some((prefix) => path.startsWith(prefix) && !but.some((other) => path.startsWith(other))),
  );
const moduleOf = (path) => /^(src\/posenc|bindings\/js|web\/src)\/[^/]+(?=\/)/.exec(path)?.[0];

const INCLUDE = /^#include "(.*)"/gm;
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]*)"/g;
const TYPES_ALONE = /^(?:import|export) type\b[^;]*?\bfrom "\.[^"]*";$/gms; // they may refer to each other

/** The files of the tree that one of them uses when it runs; what is made or installed elsewhere is not among them. */
function usesOf(tree, path) {
  const text = tree.get(path);
  const folder = dirname(path);
  if (isCpp(path))
    return Array.from(text.matchAll(INCLUDE), ([, name]) =>
      [folder, ...INCLUDE_ROOTS].map((start) => normalize(join(start, name))).find((file) => tree.has(file)),
    ).filter(Boolean);
  const code = text.replace(/^\s*(\/\/|\*).*$/gm, "").replace(TYPES_ALONE, "");
  return Array.from(code.matchAll(IMPORT), ([, name]) => resolved(tree, folder, name)).filter(Boolean);
}

/** The file of the tree that an import means. */
function resolved(tree, folder, name) {
  const file = normalize(join(folder, name.replace(/\?raw$/, "")));
  // The page's are resolved by its bundler.
  const bundled = file.startsWith("web/") ? [`${file}.ts`, `${file}/index.ts`] : [];
  const candidates = [...bundled, file, file.replace(/\.js$/, ".ts"), file.replace(/\.js$/, ".d.ts")];
  return candidates.find((candidate) => tree.has(candidate));
}

/** A way around, [a, b, ..., a], for every knot of a graph { from: Set of to }. */
function circlesOf(graph) {
  const state = new Map();
  const circles = [];
  const visit = (node, way) => {
    state.set(node, "open");
    for (const next of graph.get(node) ?? []) {
      if (state.get(next) === "open") circles.push([...way.slice(way.indexOf(next)), next]);
      else if (!state.has(next)) visit(next, [...way, next]);
    }
    state.set(node, "done");
  };
  for (const node of graph.keys()) if (!state.has(node)) visit(node, [node]);
  return circles;
}

/** The modules of src/CMakeLists.txt, lowest first: [{ module, headers, sources }], as paths. */
function modulesOf(cmake) {
  return Array.from(cmake.matchAll(/^posenc_add_module\((\w+)([^)]*)\)/gm), ([, name, body]) => {
    const module = `src/posenc/${name}`;
    const files = body.split(/\s+/).filter((word) => isCpp(word));
    const paths = files.map((file) => `${module}/${file}`);
    return {
      module,
      headers: paths.filter((path) => path.endsWith(".hpp")),
      sources: paths.filter((path) => path.endsWith(".cpp")),
    };
  });
}

function add(graph, from, to) {
  if (!graph.has(from)) graph.set(from, new Set());
  graph.get(from).add(to);
}

/** Everything that is not as it should be in a tree, a Map of paths to texts; and its folders, with how many files they hold. */
function judge(tree) {
  const faults = [];
  const fault = (path, what) => faults.push(`${path} ${what}`);
  const modules = modulesOf(tree.get("src/CMakeLists.txt") ?? "");
  const order = modules.map(({ module }) => module);
  const listed = new Set(modules.flatMap(({ headers, sources }) => [...headers, ...sources]));
  const isPublic = (path) => path.endsWith(".hpp") && listed.has(path);
  const files = new Map();
  const between = new Map();
  const folders = new Map();
  for (const path of tree.keys()) {
    if (!isSource(path)) continue;
    const uses = usesOf(tree, path);
    const module = moduleOf(path);
    for (const used of uses) {
      add(files, path, used);
      if (layerOf(used) > layerOf(path)) fault(path, `uses ${used}, of a layer above`);
      const other = moduleOf(used);
      if (module && other && module !== other) add(between, module, other);
      if (order.indexOf(other) > order.indexOf(module) && order.includes(module))
        fault(path, `uses ${used}, of a module above`);
      if (isPublic(path) && !isPublic(used)) fault(path, `is public and includes ${used}, which is not`);
      if (path.startsWith("bindings/") && used.startsWith("src/") && !isPublic(used))
        fault(path, `includes ${used}, which is not public`);
    }
    if (path.startsWith("src/") && path.endsWith(".cpp") && !listed.has(path))
      fault(path, "is not in src/CMakeLists.txt");
    const name = path.slice(path.lastIndexOf("/") + 1);
    const pattern = isCpp(path)
      ? /^[a-z\d]+(_[a-z\d]+)*(\.(test|fuzz))?\.[ch]pp$/
      : /^[a-z\d]+(-[a-z\d]+)*(\.[a-z]+)*\.(ts|mjs|js)$/;
    if (!pattern.test(name))
      fault(path, `has a name in another style than ${isCpp(path) ? "snake_case" : "kebab-case"}`);
    folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  }
  for (const path of listed) if (!tree.has(path)) fault(path, "is in src/CMakeLists.txt alone");
  for (const circle of circlesOf(files)) fault(circle[0], `is part of a circle: ${circle.join(" > ")}`);
  for (const circle of circlesOf(between)) fault(circle[0], `is part of a circle of modules: ${circle.join(" > ")}`);
  return { faults, folders, uses: Array.from(files.values(), (used) => used.size).reduce((a, b) => a + b, 0) };
}

/** The page's module of a file of web/src; the list of panels is one, each panel another. */
const pageModuleOf = (path) => /^web\/src\/(panels\/[^/]+(?=\/)|[^/]+(?=\/)|)/.exec(path)[1];

/** The same of the page alone, whose imports of types count as well. */
function pageFaults(tree) {
  const faults = [];
  for (const [path, text] of tree) {
    if (!path.startsWith("web/src/") || !path.endsWith(".ts")) continue;
    const module = pageModuleOf(path);
    const allowed = PAGE_MAY_USE[module.startsWith("panels/") ? "panels/" : module];
    if (module && !allowed) faults.push(`${path} is in no known module`);
    for (const [, name] of text.matchAll(/(?:\bfrom |\bimport\(|^import )"([^"]+)"/gm)) {
      if (!name.startsWith(".")) {
        if (!PUBLISHED.test(name)) faults.push(`${path} imports ${name}, which is not published for it`);
        continue;
      }
      const used = resolved(tree, dirname(path), name);
      if (!used) {
        if (!/\.css$|\.json$|\?raw$/.test(name)) faults.push(`${path} imports ${name}, which is not there`);
        continue;
      }
      const other = pageModuleOf(used);
      // The list of panels has the state of each.
      const isState = module === "panels" && /^web\/src\/panels\/[\w-]+\/state\.ts$/.test(used);
      if (module && other !== module && !allowed?.includes(other) && !isState) faults.push(`${path} uses ${used}`);
    }
  }
  return faults;
}

function readTree() {
  const tree = new Map();
  const read = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== "node_modules") read(path);
      else if (entry.isFile() && (isSource(path) || entry.name === "CMakeLists.txt"))
        tree.set(path, readFileSync(join(root, path), "utf8"));
    }
  };
  for (const folder of ["src", "bindings", "web", "tests"]) read(folder);
  return tree;
}

test("architecture: layers and modules depend downwards only", (t) => {
  const tree = readTree();
  const { faults, folders, uses } = judge(tree);
  assert.ok(uses > 3000, `only ${uses} includes and imports were found`);
  assert.deepEqual([...faults, ...pageFaults(tree)], []);
  for (const [folder, count] of folders)
    if (count > LARGE_FOLDER)
      t.diagnostic(`hint: ${folder} holds ${count} source files, which folders in it would order`);
});
