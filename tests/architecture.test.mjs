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
const LARGEST_FOLDER = 25;

/** These may break a rule, and why: { "path": "reason" }. */
const EXCEPTIONS = {};

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
  return Array.from(code.matchAll(IMPORT), ([, name]) => {
    const file = normalize(join(folder, name));
    // The page's are resolved by its bundler.
    const bundled = file.startsWith("web/") ? [`${file}.ts`, `${file}/index.ts`] : [];
    return [file, file.replace(/\.js$/, ".ts"), file.replace(/\.js$/, ".d.ts"), ...bundled].find((candidate) =>
      tree.has(candidate),
    );
  }).filter(Boolean);
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

/** Everything that is not as it should be in a tree, a Map of paths to texts. */
function faultsOf(tree, exceptions = {}) {
  const faults = [];
  const needed = new Set();
  const fault = (path, what) => {
    if (path in exceptions) needed.add(path);
    else faults.push(`${path} ${what}`);
  };
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
  for (const [folder, count] of folders)
    if (count > LARGEST_FOLDER) fault(folder, `holds ${count} source files, expected at most ${LARGEST_FOLDER}`);
  for (const path of Object.keys(exceptions)) if (!needed.has(path)) faults.push(`${path} needs no exception`);
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

const HOUSE = {
  "src/CMakeLists.txt": `posenc_add_module(low
  HEADERS thing.hpp
  SOURCES thing.cpp)
posenc_add_module(high HEADERS top.hpp SOURCES top.cpp)
`,
  "src/posenc/low/thing.hpp": "#pragma once\n#include <span>\n",
  "src/posenc/low/kernel.hpp": '#include "posenc/low/thing.hpp"\n',
  "src/posenc/low/thing.cpp": '#include "posenc/low/thing.hpp"\n#include "posenc/low/kernel.hpp"\n',
  "src/posenc/high/top.hpp": '#include "posenc/low/thing.hpp"\n',
  "src/posenc/high/top.cpp": '#include "posenc/high/top.hpp"\n',
  "bindings/embind/thing.cpp": '#include "posenc/low/thing.hpp"\n',
  "bindings/js/low/a-file.ts": "export const a = 1;\n",
  "bindings/js/high/other.ts": 'import { a } from "../low/a-file.js";\n',
  "web/src/panels/panel.ts": 'import { a } from "../../../bindings/js/low/a-file.js";\n',
};
const faultsWith = (changes) => faultsOf(new Map(Object.entries({ ...HOUSE, ...changes })));

test("architecture: a small one in order", () => assert.deepEqual(faultsWith({}), []));

const PLANTED = {
  "an include that goes up a layer": [
    { "src/posenc/low/thing.cpp": '#include "crossing.hpp"\n', "bindings/embind/crossing.hpp": "" },
    /^src\/posenc\/low\/thing.cpp uses bindings\/embind\/crossing.hpp, of a layer above$/,
  ],
  "an import that goes up a layer": [
    { "bindings/js/low/a-file.ts": 'import "../../../web/src/panels/panel.js";\n' },
    /^bindings\/js\/low\/a-file.ts uses web\/src\/panels\/panel.ts, of a layer above$/,
  ],
  "an include that goes up a module": [
    { "src/posenc/low/thing.cpp": '#include "posenc/high/top.hpp"\n' },
    /^src\/posenc\/low\/thing.cpp uses src\/posenc\/high\/top.hpp, of a module above$/,
  ],
  "a circle between files": [
    {
      "bindings/js/low/a-file.ts": 'export * from "./b.js";\n',
      "bindings/js/low/b.ts": 'await import("./a-file.js");\n',
    },
    /^bindings\/js\/low\/a-file.ts is part of a circle: /,
  ],
  "a circle between headers": [
    {
      "src/posenc/low/thing.hpp": '#include "posenc/low/other.hpp"\n',
      "src/posenc/low/other.hpp": '#include "posenc/low/thing.hpp"\n',
    },
    /is part of a circle: src\/posenc\/low\/thing.hpp > src\/posenc\/low\/other.hpp > src\/posenc\/low\/thing.hpp$/,
  ],
  "a circle between modules": [
    { "web/src/draw/a.ts": 'import "../panels/panel.js";\n', "web/src/panels/b.ts": 'import "../draw/a.js";\n' },
    /^web\/src\/\w+ is part of a circle of modules: /,
  ],
  "a public header that includes a private one": [
    { "src/posenc/high/top.hpp": '#include "posenc/low/kernel.hpp"\n' },
    /^src\/posenc\/high\/top.hpp is public and includes src\/posenc\/low\/kernel.hpp, which is not$/,
  ],
  "a crossing that includes a private header": [
    { "bindings/embind/thing.cpp": '#include "posenc/low/kernel.hpp"\n' },
    /^bindings\/embind\/thing.cpp includes src\/posenc\/low\/kernel.hpp, which is not public$/,
  ],
  "a source that nobody builds": [
    { "src/posenc/low/more.cpp": "" },
    /^src\/posenc\/low\/more.cpp is not in src\/CMakeLists.txt$/,
  ],
  "a header that is listed and not there": [
    { "src/CMakeLists.txt": `${HOUSE["src/CMakeLists.txt"]}posenc_add_module(more HEADERS gone.hpp)\n` },
    /^src\/posenc\/more\/gone.hpp is in src\/CMakeLists.txt alone$/,
  ],
  "a folder of too many files": [
    Object.fromEntries(Array.from({ length: LARGEST_FOLDER + 1 }, (_, i) => [`web/src/many/file-${i}.ts`, ""])),
    /^web\/src\/many holds 26 source files, expected at most 25$/,
  ],
  "a C++ file in another case": [
    { "tests/core/low/a-thing.test.cpp": "" },
    /a-thing.test.cpp has a name in another style than snake_case$/,
  ],
  "a script in another case": [
    { "bindings/js/low/a_thing.ts": "" },
    /a_thing.ts has a name in another style than kebab-case$/,
  ],
};

for (const [what, [changes, expected]] of Object.entries(PLANTED))
  test(`architecture: ${what} is found`, () => {
    const faults = faultsWith(changes);
    assert.ok(
      faults.some((fault) => expected.test(fault)),
      faults.join("\n") || "no fault found",
    );
  });

test("architecture: an exception lets one file be, and is not kept for longer", () => {
  const tree = new Map(Object.entries({ ...HOUSE, "bindings/js/low/a_thing.ts": "" }));
  assert.deepEqual(faultsOf(tree, { "bindings/js/low/a_thing.ts": "a reason" }), []);
  tree.delete("bindings/js/low/a_thing.ts");
  assert.deepEqual(faultsOf(tree, { "bindings/js/low/a_thing.ts": "a reason" }), [
    "bindings/js/low/a_thing.ts needs no exception",
  ]);
});

test("architecture: this one is in order", () => assert.equal(faultsOf(readTree(), EXCEPTIONS).join("\n"), ""));
