// Every entry of the package gives the same API and the same bits: by each condition under which package.json names it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const families = { "": "posenc", full: "posenc-full" };

/** sin and cos of position 1 in four dims, correctly rounded; 0.01 has its sine's double within half an ulp. */
const expected = [Math.sin(1), Math.cos(1), Math.sin(0.01), Math.cos(0.01)].map(Math.fround);
const rowOf = (pe) => [...pe.sinusoidal({ positions: [1], dim: 4 }).data];

/** The text of a module that Node runs with the given conditions, in a process of its own. */
const run = (code, ...flags) =>
  execFileSync(process.execPath, [...flags, "--input-type=module", "-e", code], { cwd: root, encoding: "utf8" });

const printRow = (entry) =>
  `import { load } from ${JSON.stringify(entry)};
   const pe = await load();
   console.log(JSON.stringify([[...pe.sinusoidal({ positions: [1], dim: 4 }).data], "alibi" in pe, "mistakes" in pe]));`;

for (const [entry, ...api] of [
  ["posenc", false, false],
  ["posenc/full", true, false],
  ["posenc/tools", true, true],
  ["posenc/external", false, false],
  ["posenc/full/external", true, false],
]) {
  test(`${entry} in Node`, () => {
    assert.deepEqual(JSON.parse(run(printRow(entry))), [expected, ...api]);
  });
}

test("posenc/tools without SIMD takes the file beside it", () => {
  assert.deepEqual(JSON.parse(run(printRow("posenc/tools"), "--no-enable-ssse3")), [expected, true, true]);
});

test("what load() gives everybody cannot be written to", async () => {
  for (const entry of ["posenc", "posenc/full", "posenc/tools", "posenc/lab"]) {
    const { load } = await import(entry);
    const pe = await load();
    for (const change of [() => (pe.buffer = 1), () => (pe.more = 1), () => delete pe.buffer])
      assert.throws(change, TypeError, entry);
  }
});

test("posenc/tools has every function of posenc/full, and a function that is called elsewhere says where it is", async () => {
  const entries = ["posenc", "posenc/full", "posenc/tools"];
  const all = await Promise.all(entries.map(async (entry) => (await import(entry)).load()));
  const [small, full, tools] = all.map(Object.keys);
  for (const name of full) assert.ok(tools.includes(name), name);
  for (const name of tools) {
    const entry = entries[[small, full, tools].findIndex((names) => names.includes(name))];
    const where = {
      name: "TypeError",
      message: `${name}: not in this entry, expected import { load } from "${entry}"`,
    };
    for (const [i, names] of [small, full].entries()) {
      assert.equal(name in all[i], names.includes(name));
      if (!names.includes(name)) assert.throws(() => all[i][name]({}), where);
    }
  }
  assert.equal(all[0].nothing, undefined);
});

/** The first loss, which is the same number everywhere. */
const printLoss = `import { load } from "posenc/lab";
  const training = (await load()).training({ task: { type: "order" }, encoding: { type: "rope" } });
  console.log(training.step().loss);`;

test("posenc/lab in Node, and without SIMD from the file beside it", () => {
  const loss = run(printLoss);
  assert.ok(Number(loss) > 1 && Number(loss) < 10, loss);
  assert.equal(run(printLoss, "--no-enable-ssse3"), loss);
});

for (const external of ["external", "full/external"]) {
  test(`${external} without SIMD reads the other .wasm`, () => {
    assert.deepEqual(JSON.parse(run(printRow(`posenc/${external}`), "--no-enable-ssse3"))[0], expected);
  });

  test(`${external} for browsers: both .wasm files are found by bundlers, no file of Node's is asked for`, async () => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: `export { load } from "posenc/${external}"`, resolveDir: root },
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
      metafile: true,
    });
    assert.equal(Object.keys(metafile.inputs).filter((file) => /external-node/.test(file)).length, 0);
    const name = external.startsWith("full") ? "posenc-full" : "posenc";
    for (const file of [`${name}.wasm`, `${name}-scalar.wasm`])
      assert.match(outputFiles[0].text, new RegExp(`new URL\\("\\./${file}", import\\.meta\\.url\\)`));
    assert.ok(outputFiles[0].text.length < 250_000, "no wasm inside");
  });
}

for (const [prefix, name] of Object.entries(families)) {
  const main = prefix ? "./full" : ".";
  for (const condition of ["workerd", "edge-light"]) {
    test(`${main} for ${condition}: a static import of the .wasm, which gives a compiled module`, async () => {
      const imported = [];
      const compiled = {
        name: "compiled",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /\.wasm(\?module)?$/ }, ({ path, kind }) => {
            imported.push([path, kind]);
            return { path, namespace: "compiled" };
          });
          onLoad({ filter: /.*/, namespace: "compiled" }, () => ({
            contents: `export default new WebAssembly.Module(process.getBuiltinModule("node:fs").readFileSync("dist/${name}.wasm"))`,
          }));
        },
      };
      const { outputFiles } = await build({
        stdin: { contents: printRow(prefix ? "posenc/full" : "posenc"), resolveDir: root },
        bundle: true,
        minify: true, // to be short enough for a command line
        format: "esm",
        conditions: [condition],
        write: false,
        plugins: [compiled],
      });
      assert.deepEqual(imported, [[`./${name}.wasm${condition === "workerd" ? "" : "?module"}`, "import-statement"]]);
      assert.deepEqual(JSON.parse(run(outputFiles[0].text))[0], expected);
    });
  }

  /** A classic script in a realm of its own, with the globals of every page and those of `more`. */
  const runScript = (more) => {
    const text = readFileSync(join(root, "dist", `${name}.global.js`), "latin1");
    const page = createContext({ AbortController, console, ...more });
    runInContext(text, page);
    return { text, page };
  };

  test(`${name}.global.js: a classic script in ASCII that leaves one global`, async () => {
    const { text, page } = runScript({});
    const strange = Buffer.from(text, "latin1").filter((byte) => byte === 0 || byte === 13 || byte > 127);
    assert.equal(strange.length, 0, "ASCII, no NUL, no carriage return");
    assert.ok(Math.max(...text.split("\n").map(({ length }) => length)) < 2000, "no long line");
    assert.match(text, /import\("\.\/(full-)?scalar\.js"\)/, "a page that a server sent finds the other .wasm");
    assert.deepEqual(Object.keys(page).sort(), ["AbortController", "console", "posenc"]);
    assert.deepEqual(rowOf(await page.posenc.load()), expected);
  });

  test(`${name}.global.js: where nothing can be imported and SIMD is missing, the error says what helps`, async () => {
    const { page } = runScript({});
    runInContext("WebAssembly.validate = () => false", page);
    await assert.rejects(page.posenc.load(), ({ message }) =>
      /without SIMD, expected load\(\{ wasm \}\)/.test(message),
    );
    const wasm = readFileSync(join(root, "dist", `${name}-scalar.wasm`));
    assert.deepEqual(rowOf(await page.posenc.load({ wasm })), expected);
  });
}

test("every condition of every entry names a file that is there, types first", () => {
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === "string") continue;
    assert.equal(Object.keys(target)[0], "types", entry);
    assert.equal(Object.keys(target).at(-1), "default", entry);
    for (const file of Object.values(target)) assert.ok(readFileSync(join(root, file)).length > 0, file);
  }
});
