// Writes what the core reads of each call: a struct for every description in bindings/js, with a member for each of its
// options, in the order in which they are packed.
//
//   node bindings/embind/structs.mjs OUT.hpp

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const sources = join(dirname(fileURLToPath(import.meta.url)), "..", "js");
// In the order in which rooms may know of each other.
const rooms = ["frequencies", "sinusoidal", "rotary", "attention", "learned", "relative", "grid", "hub"];

/** The modules of all rooms and of what they share, as one namespace each; what starts a module needs one. */
async function load() {
  const files = ["base", ...rooms].flatMap((room) => {
    try {
      const names = readdirSync(join(sources, room)).filter((name) => name !== "load.ts");
      return names.map((name) => `./${room}/${name}`);
    } catch {
      return [];
    }
  });
  const contents = files.map((file, i) => `export * as m${i} from ${JSON.stringify(file)};`).join("\n");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: sources },
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "error",
    external: ["posenc-*"],
  });
  const made = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return Object.fromEntries(files.map((file, i) => [file, made[`m${i}`]]));
}

const snake = (name) => name.replaceAll(".", "_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name) => name[0].toUpperCase() + name.slice(1);

/** How each kind of js/base/kinds.ts is read: its type, and the function of the block; then for one left out. */
const types = {
  number: { type: "double", read: "number", given: "std::optional<double>" },
  whole: { type: "std::int64_t", read: "whole", given: "std::optional<std::int64_t>" },
  flag: { type: "bool", read: "flag", given: "std::optional<bool>" },
  word: { type: "std::string", read: "word" },
  array: { type: "Array", read: "array" },
  extents: { type: "std::vector<std::int64_t>", read: "extents" },
  tensor: { type: "Tensor", read: "tensor" },
  tensors: { type: "std::vector<Tensor>", read: "tensors" },
  handle: { type: "Address", read: "handle" },
  stored: { type: "Stored", read: "stored" },
  positions: { type: "PositionList", read: "positions" },
};

const modules = await load();
const exported = Object.values(modules).flatMap((module) => Object.entries(module));
const nameOf = new Map(exported.map(([name, value]) => [value?.fields ?? value?.rules ?? value, name]));

/** A member and how it is read from the block `in`. */
function member(name, kind) {
  const { is, isOptional, fields, rules } = kind;
  const to = snake(name);
  if (fields) {
    const type = pascal(nameOf.get(fields));
    if (!isOptional) return { to, type, value: "in" };
    return { to, type: `std::optional<${type}>`, value: `in.flag() ? std::optional<${type}>(in) : std::nullopt` };
  }
  if (rules)
    return { to, type: `Expected<${pascal(nameOf.get(rules))}>`, value: `read_${snake(nameOf.get(rules))}(in)` };
  if (!Object.hasOwn(types, is)) throw new Error(`${name}: no type for the kind ${is}`);
  const { type, read, given = type } = types[is];
  return isOptional
    ? { to, type: given, value: `in.${read}${given === type ? "" : "_if_given"}()` }
    : { to, type, value: `in.${read}()` };
}

/** Several values of one type under one name, or in a list; braces are evaluated from left to right. */
function together(to, type, read, names) {
  const list = names.map(snake);
  if (list[0] === "0")
    return { to, type: `std::array<${type}, ${list.length}>`, value: list.map(() => read).join(", "), list: true };
  return {
    to,
    type: `struct { ${list.map((name) => `${type} ${name};`).join(" ")} }`,
    value: list.map(() => read).join(", "),
    list: true,
  };
}

function struct(name, members) {
  const lines = members.map(({ to, type }) => `  ${type} ${to};`);
  const values = members.map(({ to, value, list }) => (list ? `${to}{${value}}` : `${to}(${value})`));
  return [
    `struct ${name} {`,
    `  explicit ${name}([[maybe_unused]] Block& in)${values.length > 0 ? `\n      : ${values.join(",\n        ")}` : ""} {}`,
    ...lines,
    "};",
  ].join("\n");
}

function callStruct({ name, inputs = {}, options = {}, results, answers }) {
  const members = Object.entries({ ...inputs, ...options }).map(([option, kind]) => member(option, kind));
  if (typeof results === "function") members.push({ to: "out", type: "Array", value: "in.array()" });
  else if (results) members.push(together("out", "Array", "in.array()", Object.keys(results)));
  if (answers) members.push(together("answer", "double&", "in.answer()", answers));
  return struct(pascal(name), members).replace("{", `{\n  static constexpr auto name = "${name}";`);
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

const values = [...new Set(exported.map(([, value]) => value))];
/** Each group behind those within it. */
const groups = new Set();
function addGroup({ fields }) {
  for (const kind of Object.values(fields)) if (kind.fields) addGroup(kind);
  groups.add(fields);
}
for (const value of values) if (value?.fields) addGroup(value);
const rules = values.filter((value) => value?.rules);
const calls = values.map((value) => value?.description).filter(Boolean);
const out = process.argv[2];
mkdirSync(dirname(out), { recursive: true });
writeFileSync(
  out,
  [
    "// Written by embind/structs.mjs from the descriptions in bindings/js.",
    "#pragma once",
    "#include <array>",
    '#include "crossing.hpp"',
    '#include "posenc/frequencies/scaling.hpp"',
    "namespace posenc::embind {",
    ...rules.flatMap(({ rules }) => ruleOptions(nameOf.get(rules), rules)),
    ...rules.map(({ rules }) => `Expected<${pascal(nameOf.get(rules))}> read_${snake(nameOf.get(rules))}(Block& in);`),
    "}  // namespace posenc::embind",
    "namespace posenc::embind::calls {",
    ...[...groups].map((fields) =>
      struct(
        pascal(nameOf.get(fields)),
        Object.entries(fields).map(([option, kind]) => member(option, kind)),
      ),
    ),
    // What two descriptions have in common, a function under two names, is one struct.
    ...new Set(calls.map(callStruct)),
    "}  // namespace posenc::embind::calls",
    "",
  ].join("\n"),
);
