// Every description in bindings/js has a struct that the build writes, and one function of bindings/embind that reads
// it. The compiler sees the rest: members by name and type, and a function that is not exported.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build, root } from "../../bindings/setup/paths.mjs";

const header = readFileSync(join(build, "wasm", "bindings", "generated", "calls.hpp"), "utf8");
const folder = join(root, "bindings", "embind");
const sources = readdirSync(folder)
  .filter((file) => file.endsWith(".cpp"))
  .map((file) => readFileSync(join(folder, file), "utf8"));

/** The structs of calls, which have the name of their function, in the order written. */
const structsIn = (text) =>
  [...text.matchAll(/struct (\w+) \{\n {2}static constexpr auto name/g)].map(([, name]) => name);

/** The structs that not exactly one function reads, with the number of those that do. */
const notReadOnce = (structs, texts) =>
  structs
    .map((name) => [name, texts.join("").match(new RegExp(`\\(const calls::${name}& `, "g"))?.length ?? 0])
    .filter(([, count]) => count !== 1);

test("every description is read by one function", () => {
  const structs = structsIn(header);
  assert.ok(structs.length > 80, `${structs.length} structs`);
  assert.deepEqual(notReadOnce(structs, sources), []);
});

test("a struct that nobody reads is found, and one that two read", () => {
  const structs = structsIn(
    'struct A {\n  static constexpr auto name = "a";\nstruct B {\n  static constexpr auto name = "b";\n',
  );
  assert.deepEqual(notReadOnce(structs, ["f(const calls::B& in) g(const calls::B& in)"]), [
    ["A", 0],
    ["B", 2],
  ]);
});
