// The package as a user gets it: packed, installed into a new project and run there (type-checked in tests/hygiene).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { checkSizes } from "../bench/size.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const readme = readFileSync(join(root, "README.md"), "utf8");
const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path]) => path);
let project;
let packed;

/** What a command prints; if it fails, its output is shown. */
const run = (command, args, cwd = project) => execFileSync(command, args, { cwd, encoding: "utf8", stdio: "pipe" });

before(() => {
  project = mkdtempSync(join(tmpdir(), "posenc-package-"));
  [packed] = JSON.parse(run(npm, ["pack", "--json", "--ignore-scripts", "--pack-destination", project], root));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  run(npm, ["install", "--offline", "--no-audit", "--no-fund", `./${packed.filename}`]);
});

after(() => rmSync(project, { recursive: true, force: true }));

test("the tarball holds the module, its types, licence and readme with its pictures, and nothing else", () => {
  const files = packed.files.map(({ path }) => path).filter((path) => !/^dist\/types\/[\w-]+\.d\.ts$/.test(path));
  const family = (name, prefix) => [
    ...["api", "edge-light", "external", "external-node", "scalar", "workerd"].map((file) => `${prefix}${file}.js`),
    ...[".global.d.ts", ".global.js", ".wasm", "-scalar.wasm"].map((ending) => `${name}${ending}`),
  ];
  const inDist = [...family("posenc", ""), ...family("posenc-full", "full-"), "wasm.d.ts", "licences.txt"];
  const entries = ["index.js", "index.d.ts", "full.js", "full.d.ts", "npy.js", "npy.d.ts"];
  assert.deepEqual(
    files.sort(),
    [
      "LICENSE",
      "README.md",
      "package.json",
      ...pictures,
      ...[...inDist, ...entries].map((file) => `dist/${file}`),
    ].sort(),
  );
});

test("the readme's pictures are in the tarball, and its other links lead into the repository", () => {
  assert.ok(pictures.length > 0);
  const files = packed.files.map(({ path }) => path);
  for (const path of pictures) assert.ok(files.includes(path), path);
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to).filter((to) => !to.startsWith("https:"));
  for (const path of links) assert.ok(existsSync(join(root, path)), path);
});

test("bundlers leave out what is not used, and keep the classic script, whose effect is its use", async () => {
  const bundled = async (contents) => {
    const stdin = { contents, resolveDir: project };
    const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false, logLevel: "silent" });
    return outputFiles[0].text.length;
  };
  assert.equal(await bundled('import "posenc"; import "posenc/full"; import "posenc/npy";'), 0);
  for (const file of ["posenc.global.js", "posenc-full.global.js"])
    assert.ok((await bundled(`import "posenc/${file}";`)) > 100_000, file);
});

test("the main entry is as small as it has to be", () => {
  assert.deepEqual(checkSizes().tooLarge, []);
});

test("it runs in a new project", () => {
  writeFileSync(
    join(project, "use.mjs"),
    `import { load } from "posenc";
     const pe = await load();
     const rope = pe.rotary({ dim: 4, layout: "half" });
     const q = rope.apply(new Float32Array([1, 0, 0, 0]), { shape: [1, 1, 4], offset: 1 });
     console.log(JSON.stringify([pe.sinusoidal({ length: 6, dim: 512 }).shape, [...q]]));`,
  );
  const [shape, q] = JSON.parse(run(process.execPath, ["use.mjs"]));
  assert.deepEqual(shape, [6, 512]);
  assert.deepEqual(q, [Math.fround(Math.cos(1)), 0, Math.fround(Math.sin(1)), 0]);
});

test("it runs where the engine has no SIMD", () => {
  assert.equal(run(process.execPath, ["--no-enable-ssse3", "use.mjs"]), run(process.execPath, ["use.mjs"]));
});

test("it asks for no code generation from strings: a strict Content-Security-Policy will do", () => {
  const out = run(process.execPath, ["--disallow-code-generation-from-strings", "use.mjs"]);
  assert.match(out, /\[6,512\]/);
});

test("no install scripts, nothing needed at run time; what is inside has its licences listed", () => {
  const pkg = JSON.parse(readFileSync(join(project, "node_modules", "posenc", "package.json"), "utf8"));
  const asked = ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies", "bin"];
  assert.deepEqual(
    asked.filter((field) => field in pkg),
    [],
  );
  assert.deepEqual(
    Object.keys(pkg.scripts).filter((name) => /install|prepare|^pre|^post/.test(name)),
    [],
  );
  const listed = readFileSync(join(project, "node_modules", "posenc", "dist", "licences.txt"), "utf8");
  for (const inside of ["Emscripten", "musl", "xsimd", "compiler-rt", "libc++"])
    assert.ok(listed.includes(inside), inside);
});

test("publint finds nothing", async () => {
  const { messages, pkg } = await publint({ pkgDir: join(project, "node_modules", "posenc"), level: "warning" });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});
