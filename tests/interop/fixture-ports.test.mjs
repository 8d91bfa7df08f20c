// The tests that pe.fixtures writes for PyTorch, JAX, NumPy and C++, run on what ports give that are right, and ports with each
// known mistake: the right ones pass, the others fail by name. JAX's runs on NumPy, which has its functions.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "posenc/tools";
import { which } from "../../bindings/setup/paths.mjs";
import { mutants, plans, rightPort } from "../api/diagnosis/fixture-plans.mjs";
import { rotateBoth } from "../api/diagnosis/fixture-port.mjs";
import { findTorch, numpy } from "./python.mjs";

const pe = await load();
const here = join(dirname(fileURLToPath(import.meta.url)), "fixtures");
const folder = mkdtempSync(join(tmpdir(), "posenc-ports-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const compiler = ["c++", "g++", "clang++-19"].find((name) => which(name));

/** The folder of each plan, and the ports that are tested there. */
const cases = Object.values(plans).map((options, i) => {
  const { json, files } = pe.fixtures(options);
  const path = join(folder, `${i}`);
  mkdirSync(path);
  for (const { name, data } of files) writeFileSync(join(path, name), data);
  const [{ mistakes }] = json.sections;
  const isNamed = (mistake, dtype) =>
    mistakes.some(({ names, ...own }) => names.includes(mistake) && own[dtype] !== null);
  const ports = ["float32", "bfloat16"].flatMap((dtype) => [
    { dtype, mistake: null, port: rightPort(options) },
    ...mutants(options)
      .filter(([mistake]) => isNamed(mistake, dtype))
      .map(([mistake, port]) => ({ dtype, mistake, port })),
  ]);
  return { path, files, json, ports };
});

/** Checks that a right port has no problems, and a wrong one those of its mistake. */
function check(path, { dtype, mistake, port }, problems) {
  const what = `${path} ${dtype} ${mistake}: ${problems.join("\n")}`;
  if (mistake === null) return assert.deepEqual(problems, [], what);
  assert.equal(problems.length, port.skips ? 1 : 2, what);
  for (const text of problems) assert.ok(text.split(";")[0].includes(`${mistake} (`), what);
}

/** What a port makes of each section's queries and keys, one after another. */
const outputsOf = ({ sections, heads, keys }, { dtype, port }) =>
  sections.flatMap((section) => {
    const length = heads * section.positions[0].length * section.input.length;
    const x = Float32Array.from({ length }, (_, i) => section.input[i % section.input.length]);
    const scaled = x.map((value) => value * keys);
    return Object.values(rotateBoth(port, section, x, scaled, section.positions, dtype));
  });

/** Writes what the ports of these dtypes give into the folders of the cases, and gives the ports. */
const written = (dtypes) =>
  cases.map(({ path, json, ports }) => {
    const wanted = ports.filter(({ dtype }) => dtypes.includes(dtype));
    const arrays = wanted.flatMap((each) => outputsOf(json, each));
    writeFileSync(join(path, "dtypes.txt"), wanted.map(({ dtype }) => `${dtype}\n`).join(""));
    writeFileSync(join(path, "outputs.bin"), Buffer.concat(arrays.map(({ buffer }) => Buffer.from(buffer))));
    return wanted;
  });

/** Runs the tests in Python, all cases at once. */
function runPython(framework, dtypes) {
  const wanted = written(dtypes);
  const found = execFileSync(numpy, [join(here, "port.py"), framework, ...cases.map(({ path }) => path)], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  for (const [i, all] of JSON.parse(found).entries())
    for (const [k, problems] of all.entries()) check(cases[i].path, wanted[i][k], problems);
}

for (const [framework, name] of [
  ["numpy", "NumPy"],
  ["jax", "JAX, on NumPy in its place"],
])
  test(`the test for ${name}`, () => {
    assert.ok(numpy, "python3 with numpy: npm test installs it");
    runPython(framework, ["float32"]);
  });

test("the test for PyTorch", { skip: !findTorch() && "PyTorch is not installed (Debian: python3-torch)" }, () => {
  runPython("torch", ["float32", "bfloat16"]);
});

test("the test for C++", () => {
  assert.ok(compiler, "a C++ compiler");
  const text = cases[0].files.find(({ name }) => name === "rope_test.cpp").data;
  const call = /\(void\)section[^;]*;\n[^;]*"call the port[^;]*;\n *std::exit\(2\);/;
  assert.match(text, call);
  const filled = text.replace(call, "port(section, q, k); (void)dtype;");
  writeFileSync(join(folder, "filled.cpp"), filled);
  const program = join(folder, "port");
  const flags = [
    "-std=c++17",
    "-O1",
    "-Wall",
    "-Wextra",
    "-Wno-unused-function",
    '-DFILLED="filled.cpp"',
    `-I${folder}`,
  ];
  execFileSync(compiler, [...flags, "-Werror", join(here, "port.cpp"), "-o", program]);
  written(["float32", "bfloat16"]);
  const paths = cases.map(({ path }) => path);
  const lines = execFileSync(program, paths, { encoding: "utf8", maxBuffer: 2 ** 26 }).split("\n");
  for (const { path, ports } of cases)
    for (const port of ports) {
      const [, count, texts] = lines.shift().match(/^(\d+) (.*)$/);
      const problems = texts.split("\t").filter(Boolean);
      assert.equal(problems.length, Number(count));
      check(path, port, problems);
    }
});

test("as they are pasted, without a port, they fail with a message", () => {
  const [{ path, files }] = cases;
  // As someone runs them, not as part of these tests.
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const run = (program, ...args) => spawnSync(program, args, { cwd: path, encoding: "utf8", env });
  const node = run(process.execPath, "--test", "rope.test.mjs");
  assert.equal(node.status, 1);
  assert.match(node.stdout, /call the port in rotate/);
  assert.ok(compiler, "a C++ compiler");
  execFileSync(compiler, ["-std=c++17", "-Wall", "-Wextra", "-Werror", "rope_test.cpp", "-o", "rope_test"], {
    cwd: path,
  });
  const compiled = run("./rope_test");
  assert.equal(compiled.status, 2);
  assert.match(compiled.stderr, /call the port in rotate/);
  for (const name of files.map(({ name }) => name).filter((name) => name.endsWith(".py"))) {
    const checked = run(numpy ?? "python3", "-c", `compile(open(${JSON.stringify(name)}).read(), "${name}", "exec")`);
    assert.equal(checked.status, 0, checked.stderr);
  }
  assert.ok(readFileSync(join(path, "fixtures.json")).length > 0);
});
