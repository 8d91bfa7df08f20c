// The package as a user gets it: packed, installed into a new project and run there (type-checked in tests/hygiene).

import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { checkSizes } from "../hygiene/size.mjs";
import { startRegistry } from "./local-registry.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const readme = readFileSync(join(root, "README.md"), "utf8");
const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path]) => path);
let project;
let packed;

/** Returns what a command prints; if it fails, its output is shown. */
const run = (command, args, cwd = project) => execFileSync(command, args, { cwd, encoding: "utf8", stdio: "pipe" });

before(() => {
  project = mkdtempSync(join(tmpdir(), "posenc-package-"));
  [packed] = JSON.parse(run(npm, ["pack", "--json", "--ignore-scripts", "--pack-destination", project], root));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  run(npm, ["install", "--offline", "--no-audit", "--no-fund", `./${packed.filename}`]);
});

after(() => rmSync(project, { recursive: true, force: true }));

test("the tarball holds the module, its types, licence, guide and readme with its pictures, and nothing else", () => {
  const files = packed.files.map(({ path }) => path).filter((path) => !/^dist\/types\/[\w-]+\.d\.ts$/.test(path));
  const withMap = (file) => [file, `${file}.map`];
  const family = (name, prefix) => [
    ...["api", "edge-light", "external", "external-node", "workerd"].flatMap((file) => withMap(`${prefix}${file}.js`)),
    `${prefix}scalar.js`,
    ...[".global.d.ts", ".global.js", ".wasm", "-scalar.wasm"].map((ending) => `${name}${ending}`),
  ];
  const others = [
    ...withMap("command.js"),
    "tools-scalar.js",
    "lab-scalar.js",
    "engines-zh.js",
    "wasm.d.ts",
    "licences.txt",
  ];
  const inDist = [...family("posenc", ""), ...family("posenc-full", "full-"), ...others];
  const entries = ["index", "full", "tools", "lab", "lab-worker", "npy", "wgsl", "files", "engines"].flatMap(
    (entry) => [...withMap(`${entry}.js`), `${entry}.d.ts`],
  );
  assert.deepEqual(
    files.sort(),
    [
      "LICENSE",
      "README.md",
      "package.json",
      ...pictures,
      ...readdirSync(join(root, "bindings", "guide")).map((file) => `bindings/guide/${file}`),
      ...[...inDist, ...entries].map((file) => `dist/${file}`),
    ].sort(),
  );
});

/** The id that a forge gives a heading of Markdown. */
const idOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\d\s_-]/gu, "")
    .replace(/\s/g, "-");

/** Links of these Markdown files, { path: text }, that have no target among `files` or no such heading there. */
function deadLinks(texts, files) {
  const idsOf = (text) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => idOf(heading));
  return Object.entries(texts).flatMap(([from, text]) =>
    [...text.replace(/^```.*?^```$/gms, "").matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link)
      .filter((link) => !link.startsWith("https://"))
      .filter((link) => {
        const [path, id] = link.split("#");
        const to = path === "" ? from : posix.join(posix.dirname(from), path);
        return !files.includes(to) || (id !== undefined && !idsOf(texts[to] ?? "").includes(id));
      })
      .map((link) => `${from}: ${link}`),
  );
}

test("no link of the readme or the guide is dead in the tarball", () => {
  assert.ok(pictures.length > 0);
  const files = packed.files.map(({ path }) => path);
  const pages = files.filter((path) => path.endsWith(".md"));
  const installed = (path) => readFileSync(join(project, "node_modules", "posenc", path), "utf8");
  const texts = Object.fromEntries(pages.map((path) => [path, installed(path)]));
  assert.ok(pages.length > 11 && pages.includes("README.md"));
  assert.deepEqual(deadLinks(texts, files), []);
});

test("bundlers leave out what is not used, and keep the classic script, whose effect is its use", async () => {
  const bundled = async (contents) => {
    const stdin = { contents, resolveDir: project };
    const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false, logLevel: "silent" });
    return outputFiles[0].text.length;
  };
  assert.equal(
    await bundled(
      'import "posenc"; import "posenc/full"; import "posenc/tools"; import "posenc/lab"; import "posenc/npy"; import "posenc/wgsl"; import "posenc/files"; import "posenc/engines";',
    ),
    0,
  );
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
     const q = rope.apply(new Float32Array([1, 0, 0, 0]), { shape: [1, 1, 4], seqAxis: 0, offset: 1 });
     console.log(JSON.stringify([pe.sinusoidal({ length: 6, dim: 512 }).shape, [...q]]));`,
  );
  const [shape, q] = JSON.parse(run(process.execPath, ["use.mjs"]));
  assert.deepEqual(shape, [6, 512]);
  assert.deepEqual(q, [Math.fround(Math.cos(1)), 0, Math.fround(Math.sin(1)), 0]);
});

test("it runs where the engine has no SIMD", () => {
  assert.equal(run(process.execPath, ["--no-enable-ssse3", "use.mjs"]), run(process.execPath, ["use.mjs"]));
});

/** Returns what Node prints when a call without its options throws and nobody catches: its lines, and the frames in posenc. */
function uncaught(code, ...flags) {
  const args = [...flags, "--input-type=module", "-e", code];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  assert.equal(status, 1);
  const lines = stderr.trimEnd().split("\n");
  const frame = /^ +at (.*) \(.*\/node_modules\/posenc\/(.*):(\d+):\d+\)$/;
  return { lines, frames: lines.flatMap((line) => (frame.test(line) ? [line.match(frame).slice(1)] : [])) };
}

for (const [entry, code] of Object.entries({
  posenc: "(await load()).sinusoidal({})",
  "posenc/external": "(await load()).sinusoidal({ length: 6, dim: 0 })",
  "posenc/full": "(await load()).kerple({})",
  "posenc/full/external": "(await load()).kerple({})",
  "posenc/tools": "(await load()).kerple({})",
  "posenc/lab": "(await load()).training({})",
  "posenc/npy": "toNpy({})",
  "posenc/wgsl": "alibiShader({})",
  "posenc/files": "arraysOf({})",
  "posenc/engines": "engines({})",
})) {
  const program = `import { ${code.match(/toNpy|alibiShader|arraysOf|load|engines/)[0]} } from "${entry}"; ${code};`;

  test(`${entry}: an uncaught error is short, and names what it went through`, () => {
    const { lines, frames } = uncaught(program);
    assert.ok(lines.length <= 15, lines.join("\n"));
    for (const line of lines) assert.ok(line.replace(project, "").length <= 160, line);
    assert.match(lines.join("\n"), /^(Type|Range)Error: \S+: .*, expected /m);
    assert.ok(frames.length > 1, lines.join("\n"));
    for (const [name, file] of frames) assert.match(`${name} ${file}`, /\w{3,}(?: \[as \w+\])? dist\/[\w-]+\.js$/);
  });

  test(`${entry}: with --enable-source-maps it is where the sources have it`, () => {
    const { lines, frames } = uncaught(program, "--enable-source-maps");
    assert.ok(frames.length > 1, lines.join("\n"));
    for (const [, file, line] of frames) {
      assert.match(file, /^bindings\/js\/.*\.ts$/);
      assert.match(readFileSync(join(root, file), "utf8").split("\n")[line - 1], /\w\(/, `${file}:${line} calls`);
    }
  });
}

test("maps hold below the .wasm's text too", () => {
  const startOf = (text) => text.slice(0, text.indexOf("function bytesOf(")).split("\n").length - 1;
  for (const entry of ["index.js", "full.js", "tools.js", "lab.js"]) {
    const file = join(project, "node_modules", "posenc", "dist", entry);
    const line = startOf(readFileSync(file, "utf8"));
    assert.ok(line > 1000, `${entry}:${line}`);
    const { originalSource, originalLine } = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8"))).findEntry(
      line,
    );
    assert.match(originalSource, /^\.\.\/bindings\//);
    assert.equal(originalLine, startOf(readFileSync(join(root, "dist", originalSource), "utf8")));
  }
});

test("no line of a module has more than 160 columns", () => {
  const long = packed.files
    .filter(({ path }) => /^dist\/.*(?<!\.global)\.js$/.test(path))
    .flatMap(({ path }) => {
      const lines = readFileSync(join(project, "node_modules", "posenc", path), "utf8").split("\n");
      return lines.flatMap((line, i) => (line.length > 160 ? [`${path}:${i + 1}`] : []));
    });
  assert.deepEqual(long, []);
});

test("it asks for no code generation from strings: a strict Content-Security-Policy will do", () => {
  const out = run(process.execPath, ["--disallow-code-generation-from-strings", "use.mjs"]);
  assert.match(out, /\[6,512\]/);
});

test("no install scripts, nothing needed at run time; what is inside has its licences listed", () => {
  const pkg = JSON.parse(readFileSync(join(project, "node_modules", "posenc", "package.json"), "utf8"));
  const asked = ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"];
  assert.deepEqual(
    asked.filter((field) => field in pkg),
    [],
  );
  assert.deepEqual(
    // Whoever publishes runs `prepack`, as `npm pack` does; nobody who installs does.
    Object.keys(pkg.scripts).filter((name) => /install|prepare|^pre|^post/.test(name) && name !== "prepack"),
    [],
  );
  const listed = readFileSync(join(project, "node_modules", "posenc", "dist", "licences.txt"), "utf8");
  for (const inside of ["Emscripten", "musl", "xsimd", "compiler-rt", "libc++"])
    assert.ok(listed.includes(inside), inside);
});

test("the command is no part of an entry: none but those for Node import what Node has", async () => {
  const folder = join(project, "node_modules", "posenc", "dist");
  const dist = (file) => readFileSync(join(folder, file), "utf8");
  const scripts = packed.files.map(({ path }) => path.slice(5)).filter((path) => /^[^/]*\.js$/.test(path));
  // Texts that name it, for tests to paste, are no imports.
  const { metafile } = await build({
    entryPoints: scripts.map((file) => join(folder, file)),
    absWorkingDir: folder,
    bundle: true,
    external: ["./*", "node:*"],
    format: "esm",
    outdir: "out",
    write: false,
    metafile: true,
  });
  const withNode = Object.entries(metafile.inputs).filter(([, { imports }]) =>
    imports.some(({ path }) => path.startsWith("node:")),
  );
  const names = withNode.map(([path]) => path);
  assert.deepEqual(names.sort(), ["command.js", "external-node.js", "full-external-node.js"]);
  for (const entry of ["index.js", "full.js", "tools.js"]) assert.ok(!dist(entry).includes("bindings/command"), entry);
  assert.ok(dist("command.js").length < 250_000, "the WebAssembly is that of the entry beside it");
});

test("published to a registry without a warning, and installed from it", async (t) => {
  const registry = await startRegistry();
  t.after(() => registry.stop());
  // As somebody who is logged in, without this user's settings.
  const token = `--${registry.address.slice("http:".length)}:_authToken=a`;
  const settings = ["--userconfig", join(project, "none"), `--registry=${registry.address}`, token];
  const quiet = ["--ignore-scripts", "--fetch-retries=0", "--no-update-notifier", "--no-audit", "--no-fund"];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const npmIn = (cwd, ...args) => promisify(execFile)(npm, [...args, ...settings, ...quiet], { cwd, env });
  const { stdout, stderr } = await npmIn(root, "publish");
  assert.doesNotMatch(stderr, /^npm (?:warn|error|ERR!)/im);
  assert.match(stdout, /^\+ posenc@/m);

  const folder = mkdtempSync(join(tmpdir(), "posenc-published-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  await npmIn(folder, "install", "posenc", "--cache", join(folder, "cache"));
  const program =
    'import { load } from "posenc"; console.log((await load()).sinusoidal({ length: 6, dim: 512 }).shape)';
  assert.equal(run(process.execPath, ["--input-type=module", "-e", program], folder), "[ 6, 512 ]\n");
});

test("what the workflow runs is there, and the package is built whenever it is packed", () => {
  const workflow = readFileSync(join(root, ".github", "workflows", "test-and-publish.yml"), "utf8");
  const commands = [...workflow.matchAll(/- run: (.*)/g)].map(([, command]) => command);
  assert.ok(commands.includes(".ci/run") && existsSync(join(root, ".ci", "run")));
  assert.match(workflow, /path: build\/page /);
  const { scripts, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const command of commands) {
    const [, script] = /^npm run (\S+)/.exec(command) ?? [];
    assert.ok(script === undefined || Object.hasOwn(scripts, script), command);
  }
  assert.equal(scripts.prepack, "npm run build");
  const check = commands.find((command) => command.startsWith("test "));
  for (const [tag, status] of [
    [`v${version}`, 0],
    ["v0.0.1", 1],
  ]) {
    const env = { ...process.env, GITHUB_REF_NAME: tag };
    assert.equal(spawnSync("sh", ["-c", check], { cwd: root, env }).status, status, tag);
  }
});

test("publint finds nothing", async () => {
  const { messages, pkg } = await publint({ pkgDir: join(project, "node_modules", "posenc"), level: "warning" });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});
