// Writes what stands between the descriptions in bindings/js and the functions here: a struct for each call, with a
// member for each of its options in the order in which they are packed; how options of the core's are filled from it
// (crossing.hpp); and for each entry of the package what its module exports.
//
//   node bindings/embind/structs.mjs FOLDER

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const sources = join(dirname(fileURLToPath(import.meta.url)), "..", "js");
const rooms = [
  "base",
  "frequencies",
  "sinusoidal",
  "rotary",
  "attention",
  "learned",
  "relative",
  "grid",
  "hub",
  "key-cache",
  "diagnosis",
  "learning",
];

/** What a module of bindings/js becomes, without what nothing uses. */
async function bundled(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: sources },
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "error",
    external: ["posenc-*"],
  });
  return outputFiles[0].text;
}

/** All that the modules of the rooms export, with its name; what starts a module needs one. */
async function load() {
  const files = rooms.flatMap((room) => readdirSync(join(sources, room)).map((name) => `./${room}/${name}`));
  const modules = files.filter((file) => !file.endsWith("/load.ts"));
  const text = await bundled(modules.map((file, i) => `export * as m${i} from ${JSON.stringify(file)};`).join("\n"));
  const made = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  return Object.values(made).flatMap((module) => Object.entries(module));
}

const snake = (name) => name.replaceAll(".", "_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name) => name[0].toUpperCase() + name.slice(1);

/** How each kind of js/base/kinds.ts is read: its type, and the function of the block; then for one left out. */
const types = {
  number: { type: "double", read: "number", given: "std::optional<double>" },
  whole: { type: "std::int64_t", read: "whole", given: "std::optional<std::int64_t>" },
  flag: { type: "bool", read: "flag", given: "std::optional<bool>" },
  word: { type: "std::string_view", read: "word", given: "std::optional<std::string_view>" },
  array: { type: "Array", read: "array" },
  extents: { type: "std::span<const std::int64_t>", read: "extents" },
  tensor: { type: "Tensor", read: "tensor" },
  tensors: { type: "std::vector<Tensor>", read: "tensors" },
  handle: { type: "Address", read: "handle" },
  stored: { type: "Stored", read: "stored" },
  positions: { type: "PositionList", read: "positions" },
};

const exported = await load();
const nameOf = new Map(exported.map(([name, value]) => [value?.fields ?? value?.rules ?? value, name]));
const typeOf = (value) => pascal(nameOf.get(value));

/** A member and how it is read from the block `in`. */
function member(name, kind) {
  const { is, isOptional, fields, items, rules } = kind;
  const to = snake(name);
  if (fields) {
    const type = typeOf(fields);
    if (!isOptional) return { to, type, value: "in" };
    return { to, type: `std::optional<${type}>`, value: `in.flag() ? std::optional<${type}>(in) : std::nullopt` };
  }
  if (items) {
    const type = typeOf(items.fields);
    return { to, type: `std::vector<${type}>`, value: `in.groups<${type}>()` };
  }
  if (rules) return { to, type: `Expected<${typeOf(rules)}>`, value: `read_${snake(nameOf.get(rules))}(in)` };
  if (!Object.hasOwn(types, is)) throw new Error(`${name}: no type for the kind ${is}`);
  const { type, read, given = type } = types[is];
  return isOptional
    ? { to, type: given, value: `in.${read}${given === type ? "" : "_if_given"}()` }
    : { to, type, value: `in.${read}()` };
}

/** Several values of one type under one name, or in a list; braces are evaluated from left to right. */
function together(to, type, read, names) {
  const list = names.map(snake);
  const fields = `{ ${list.map((name) => `${type} ${name};`).join(" ")} }`;
  const shared = nameOf.has(names) ? typeOf(names) : undefined;
  if (shared) structs.set(shared, `struct ${shared} ${fields};`);
  return {
    to,
    type: list[0] === "0" ? `std::array<${type}, ${list.length}>` : (shared ?? `struct ${fields}`),
    value: list.map(() => read).join(", "),
    isBraced: true,
  };
}

/** Goes through the options of one of the core's structs that a group names, to tell them. */
const eachOf = (options) => [
  "  template <class Each, class Of>",
  "  static void each([[maybe_unused]] const Each& each, [[maybe_unused]] const Of& of) {",
  ...options.map(([option]) => `    each("${option}", of.${snake(option)});`),
  "  }",
];

/**
 * A struct of bases and members, in this order read from a block, and how the core's options are filled from it; `lines`
 * are what else it has.
 */
function struct(name, { bases = [], options = [], others = [], lines = [], call }) {
  const members = [...options, ...others];
  const from = bases.length > 0 ? ` : ${bases.join(", ")}` : "";
  const values = [
    ...bases.map((base) => `${base}(in)`),
    ...members.map(({ to, value, isBraced }) => (isBraced ? `${to}{${value}}` : `${to}(${value})`)),
  ];
  return [
    `struct ${name}${from} {`,
    ...(call ? [`  static constexpr auto name = "${call}";`] : []),
    `  explicit ${name}([[maybe_unused]] Block& in)${values.length > 0 ? `\n      : ${values.join(",\n        ")}` : ""} {}`,
    ...members.map(({ to, type }) => `  ${type} ${to};`),
    ...lines,
    "};",
    "template <class... Handled, class Options>",
    `Expected<void> fill([[maybe_unused]] Options& options, [[maybe_unused]] const ${name}& in) {`,
    ...bases.map((base) => `  POSENC_FILL_SHARED(${base})`),
    ...options.map(({ to }) => `  POSENC_FILL(${to})`),
    "  return {};",
    "}",
  ].join("\n");
}

const isKind = (value) => typeof value?.read === "function" && typeof value.write === "function";
const all = [...new Set(exported.map(([, value]) => value))];
/** Options that descriptions share: each list of them that a room exports is a struct, of which theirs consist. */
const lists = all
  .filter((value) => value && typeof value === "object" && Object.values(value).length > 0)
  .filter((value) => !isKind(value) && Object.values(value).every(isKind))
  .map((value) => ({ value, entries: Object.entries(value) }))
  .sort((one, other) => other.entries.length - one.entries.length);

/** The structs that are written so far, by their names. */
const structs = new Map();

for (const { value } of lists) {
  const namesake = lists.find((other) => other.value !== value && typeOf(other.value) === typeOf(value));
  if (namesake) throw new Error(`${nameOf.get(value)}: two lists of options have this name`);
}

function addList({ value, entries }) {
  const name = typeOf(value);
  if (!structs.has(name)) structs.set(name, struct(name, parts(name, entries, entries.length)));
  return name;
}

/** Bases for the options that are shared, and for those in front of them; the others are members. */
function parts(name, entries, fewerThan = Number.POSITIVE_INFINITY) {
  const bases = [];
  let own = [];
  for (let i = 0; i < entries.length; ++i) {
    const shared = lists.find(
      (list) =>
        list.entries.length < fewerThan &&
        list.entries.every(([option, kind], j) => entries[i + j]?.[0] === option && entries[i + j][1] === kind),
    );
    if (!shared) {
      own.push(member(...entries[i]));
      continue;
    }
    if (own.length > 0) {
      const front = `${name}${bases.length}`;
      structs.set(front, struct(front, { options: own }));
      bases.push(front);
      own = [];
    }
    bases.push(addList(shared));
    i += shared.entries.length - 1;
  }
  return { bases, options: own };
}

/** A group's struct behind those of the groups within it. */
function addGroup({ fields }) {
  for (const kind of Object.values(fields)) if (kind.fields ?? kind.items) addGroup(kind.items ?? kind);
  const entries = Object.entries(fields);
  const options = entries.map(([option, kind]) => member(option, kind));
  structs.set(typeOf(fields), struct(typeOf(fields), { options, lines: eachOf(entries) }));
}

/** What the block of each call holds, by the call's name. */
const packedOf = new Map();

function addCall({ name, inputs = {}, options = {}, results, answers }) {
  const others = [];
  if (typeof results === "function") others.push({ to: "out", type: "Array", value: "in.array()" });
  else if (results) others.push(together("out", "Array", "in.array()", Object.keys(results)));
  if (answers) others.push(together("answer", "double&", "in.answer()", answers));
  const entries = [...Object.entries(inputs), ...Object.entries(options)];
  const packed = JSON.stringify([entries.map((entry) => member(...entry)), others]);
  const known = packedOf.get(name);
  if (known !== undefined && known !== packed) throw new Error(`${name}: two descriptions that differ`);
  if (known !== undefined) return;
  packedOf.set(name, packed);
  structs.set(pascal(name), struct(pascal(name), { ...parts(pascal(name), entries), others, call: name }));
}

/** For each rule a function that names its options, in order, and says whether one may be left out. */
const ruleOptions = (of, rules) =>
  Object.entries(rules).map(([rule, fields]) => {
    const options = Object.entries(fields).map(
      ([name, { isOptional = false }]) => `  option("${name}", rule.${snake(name)}, ${isOptional});`,
    );
    const type = `${of}::${pascal(rule)}`;
    const parameters = options.length > 0 ? `const Option& option, ${type}& rule` : `const Option&, ${type}&`;
    return [`template <class Option>`, `void each_option(${parameters}) {`, ...options, "}"].join("\n");
  });

const calls = all.map((value) => value?.description).filter(Boolean);
for (const value of all) if (value?.fields) addGroup(value);
for (const call of calls) addCall(call);
const names = [...new Set(calls.map(({ name }) => name))];
const rules = all.filter((value) => value?.rules);

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const write = (file, lines) =>
  writeFileSync(
    join(folder, file),
    ["// Written by embind/structs.mjs from the descriptions in bindings/js.", ...lines, ""].join("\n"),
  );

write("calls.hpp", [
  "#pragma once",
  "#include <array>",
  '#include "crossing.hpp"',
  '#include "posenc/frequencies/scaling.hpp"',
  "namespace posenc::embind {",
  ...rules.flatMap(({ rules }) => ruleOptions(nameOf.get(rules), rules)),
  ...rules.map(({ rules }) => `Expected<${typeOf(rules)}> read_${snake(nameOf.get(rules))}(Block& in);`),
  "}  // namespace posenc::embind",
  "namespace posenc::embind::calls {",
  ...structs.values(),
  "}  // namespace posenc::embind::calls",
  "namespace posenc::embind {",
  ...names.map((name) => `Expected<void> run(const calls::${pascal(name)}& in);`),
  "}  // namespace posenc::embind",
]);

/** The calls whose descriptions an entry uses: once all is one file, esbuild sees which calls of `define` it does not. */
const unused = new Set(names);
for (const entry of ["basics", "everything", "tools", "lab"]) {
  const text = await bundled(await bundled(`export * from "./${entry}.ts";`));
  const used = names.filter((name) => text.includes(`name: "${name}"`));
  for (const name of used) unused.delete(name);
  write(`${entry}.cpp`, [
    '#include "calls.hpp"',
    "namespace posenc::embind {",
    `EMSCRIPTEN_BINDINGS(${entry}) {`,
    ...used.map((name) => `  expose<calls::${pascal(name)}, run>();`),
    "}",
    "}  // namespace posenc::embind",
  ]);
}
if (unused.size > 0) throw new Error(`no entry uses ${[...unused].join(", ")}`);
