import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { load } from "../../dist/full.js";
import { toNpy } from "../../dist/npy.js";
import { inBothThemes, pageTests, settled, words } from "./browser.mjs";

// The page of tools: that examples get the verdict of their mistake, what becomes of files and texts good and bad, and
// that it is a page like the others.

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = pageTests("/some/folder/");
const here = ({ hash = "", ...options }) => ({ ...options, ready: false, hash: `tools.html${hash}` });
const onPage = (options, check) => folder.onPage(here(options), check);

/** The mistake of each example, and what mends it. */
const EXAMPLES = {
  layout: { mistake: "layout", mends: "rows" },
  reciprocal: { mistake: "reciprocal" },
  factor: { mistake: "factor-default" },
  layers: { mistake: "other-layers" },
  first: { mistake: "first-position" },
};

const answered = (page) => page.waitForSelector("#result .verdict");
const verdict = (page) => page.getAttribute("#result .verdict", "data-verdict");
const mistakes = (page) => page.locator('[data-rank="1"] .mistake').allTextContents();
const link = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));

for (const locale of ["en-GB", "zh-CN"])
  for (const [name, { mistake, mends }] of Object.entries(EXAMPLES))
    test(`the example ${name} is its mistake, for certain: ${locale}`, () =>
      onPage({ locale, hash: `#sample=${name}` }, async (page) => {
        await answered(page);
        assert.equal(await verdict(page), "certain");
        assert.deepEqual(await mistakes(page), [mistake]);
        const said = await words(page.locator("[data-said]"));
        assert.equal(/\p{Script=Han}/u.test(said), locale === "zh-CN", said);
        assert.notEqual(await words(page.locator("[data-remedy]")), "");
        if (mends) assert.equal((await words(page.locator(`#${mends}`))).split(", ").length, 64);
        assert.equal(await page.locator(".residual-bars .bar").count(), await page.locator("[data-rank]").count());
        assert.equal(await page.locator(".evidence-plot").count(), 1);
        assert.ok((await page.locator(".evidence-plot .given circle").count()) > 8);
      }));

/** Runs Python's or JavaScript's copy of the mended rotation? Only its shape can be held here: names and numbers. */
test("code in four languages says the plan that was meant", () =>
  onPage({ hash: "#sample=factor" }, async (page) => {
    await answered(page);
    for (const [language, says] of Object.entries({
      pytorch: /import torch.*inv_freq = torch\.tensor\(\[\n {4}1, .*def rotate\(x, positions\)/s,
      jax: /import jax\.numpy as jnp.*np\.array\(\[.*jnp\.concatenate\(\(a, b\), axis=-1\)/s,
      cpp: /\.dim = 128, \.layout = posenc::Layout::half, \.base = 1000000, \.scaling = posenc::scaling::Yarn\{\.factor = 16, \.original_length = 16384, \.mscale = 1, \.mscale_all_dim = 1\}/,
      javascript:
        /pe\.rotary\(\{ dim: 128, layout: "half", base: 1000000, scaling: \{ type: "yarn", factor: 16, originalLength: 16384, mscale: 1, mscaleAllDim: 1 \} \}\)/,
    })) {
      await page.locator(`input[name="row-codeLanguage"][value="${language}"]`).check({ force: true });
      await page.waitForFunction(
        (name) => new URLSearchParams(location.hash.slice(1)).get("code") === (name === "pytorch" ? null : name),
        language,
      );
      assert.match(await page.textContent("#code"), says, language);
    }
  }));

const positions = [0, 1, 2, 3, 5, 8, 13, 21];

/** Vectors before and after a rotation, [8, dim], as the library makes it. */
async function rotated(options) {
  const pe = await load();
  const before = pe.learnedTable({ length: positions.length, dim: options.dim, std: 1, seed: 5 });
  const after = { ...before, data: pe.rotary(options).apply(before.data.slice(), { shape: before.shape, positions }) };
  return { before, after };
}

const npy = (name, tensor) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(toNpy(tensor)) });
const give = (page, files) => page.locator('input[type="file"]').setInputFiles(files);
const rows = ({ data, shape: [, width] }) =>
  Array.from({ length: data.length / width }, (_, row) => data.slice(row * width, (row + 1) * width).join(" ")).join(
    "\n",
  );

test("files are given their parts by their names, and looked at", async () => {
  const { before, after } = await rotated({ dim: 32, layout: "interleaved", base: 500000 });
  await onPage({ hash: "#sample=own" }, async (page) => {
    await page.fill("#part-positions", positions.join(" "));
    await give(page, [npy("k_after.npy", after), npy("k_before.npy", before)]);
    await answered(page);
    assert.equal(await verdict(page), "certain");
    assert.match(await words(page.locator("[data-looked]")), /\[8, 32\].*float32/);
    assert.match(await words(page.locator('[data-part="before"] option:checked')), /^k_before\.npy/);
    // Nothing was said of what was meant.
    assert.match(await words(page.locator("[data-remedy]")), /State what was meant/);
    assert.match(await page.textContent("#code"), /500000\.0 \*\*/);
    await page.click("[data-forget]");
    assert.equal(await page.locator('[data-part="before"] select').count(), 0);
  });
});

test("files that are dropped anywhere are taken", async () => {
  const { before, after } = await rotated({ dim: 16, layout: "half" });
  await onPage({}, async (page) => {
    await answered(page);
    const files = [npy("before.npy", before), npy("after.npy", after)].map(({ name, buffer }) => [name, [...buffer]]);
    const json = JSON.stringify({ positions });
    await page.evaluate(
      ([given, text]) => {
        const dataTransfer = new DataTransfer();
        for (const [name, bytes] of given) dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
        dataTransfer.items.add(new File([text], "where.json"));
        for (const type of ["dragover", "drop"])
          document
            .querySelector("h1")
            .dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      },
      [files, json],
    );
    await page.waitForFunction(() => /\[8, 16\]/.test(document.querySelector("[data-looked]")?.textContent ?? ""));
    assert.equal(await verdict(page), "certain");
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("sample") === "own");
  });
});

test("numbers that are pasted, and a plan by its fields", async () => {
  const { before, after } = await rotated({ dim: 16, layout: "interleaved" });
  await onPage({ hash: "#sample=own&expect=plan&xdim=16&xrotated=16" }, async (page) => {
    const shown = ({ data, shape }) =>
      `tensor([[${rows({ data, shape }).replaceAll("\n", "],\n        [").replaceAll(" ", ", ")}]])`;
    await page.fill("#part-before", rows(before));
    await page.fill("#part-after", shown(after));
    await page.fill("#part-positions", positions.join(", "));
    await page.click("[data-run]");
    await answered(page);
    assert.deepEqual(await mistakes(page), ["layout"]);
  });
});

test("a config.json says what was meant", async () => {
  const { before, after } = await rotated({ dim: 16, layout: "half", base: 10000 });
  const config = {
    model_type: "llama",
    hidden_size: 64,
    num_attention_heads: 4,
    num_hidden_layers: 2,
    rope_theta: 500000,
  };
  await onPage({ hash: "#sample=own" }, async (page) => {
    await page.fill("#part-positions", positions.join(" "));
    await give(page, [
      { name: "config.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(config)) },
      npy("before.npy", before),
      npy("after.npy", after),
    ]);
    await answered(page);
    assert.deepEqual(await mistakes(page), ["base"]);
    // The link is written a moment later.
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("expect") === "config");
  });
});

/** What cannot be looked at: the kind, what is typed, what is said, in both languages. */
const BAD = {
  "nothing at all": ["frequencies", {}, /missing/],
  words: ["frequencies", { frequencies: "1 0.5 half" }, /not a number: half/],
  "rows that differ": ["table", { table: "0 1\n0 1 2" }, /differ in length/],
  "brackets that do not fit": ["table", { table: "[[0, 1], [2]]" }, /differ in length/],
  "what print() shortened": ["table", { table: "[[0., 1., ..., 3.]]" }, /shortened/],
  NaN: ["table", { table: "0 1\nnan 0.5" }, /Invalid input: table\.data\[2\] is NaN; expected a finite number\./],
  "shapes that differ": ["rotation", { before: "1 2\n3 4", after: "1 2", positions: "0 1" }, /Invalid input: after/],
  "positions that are too few": [
    "rotation",
    { before: "1 2\n3 4", after: "1 2\n3 4", positions: "0 1 2" },
    /Invalid input: /,
  ],
  "segments that are no JSON": ["ids", { ids: "[[0, 1]]", segments: "{" }, /This is not JSON: see line 1, column 2\./],
};
for (const [what, [kind, parts, says]] of Object.entries(BAD))
  test(`the reader is told of ${what}`, () =>
    onPage({ hash: `#sample=own&kind=${kind}` }, async (page) => {
      for (const [part, text] of Object.entries(parts)) await page.fill(`#part-${part}`, text);
      await page.click("[data-run]");
      await page.waitForSelector("#result [data-refused]");
      assert.match(await words(page.locator("#result [data-refused]")), says);
      await page.click('[data-choice="zh"]');
      await page.waitForFunction(() =>
        /\p{Script=Han}/u.test(document.querySelector("#result [data-refused]").textContent),
      );
      assert.doesNotMatch(await words(page.locator("#result [data-refused]")), /expected|Invalid|JSON at/);
    }));

test("explanations speak of dimensions, whatever the library calls them", () =>
  onPage({ hash: "#sample=layout" }, async (page) => {
    await answered(page);
    const said = (await page.locator("[data-said], .what, [data-remedy], #result h4").allTextContents()).join(" ");
    assert.match(said, /dimension/i);
    assert.doesNotMatch(said, /\blanes?\b/i);
  }));

test("files that cannot be read are named, with what is wrong", () =>
  onPage({ hash: "#sample=own" }, async (page) => {
    const short = Buffer.from(toNpy({ data: new Float32Array(4), shape: [4] })).subarray(0, -3);
    await give(page, [
      { name: "short.npy", mimeType: "", buffer: short },
      { name: "notes.txt", mimeType: "", buffer: Buffer.from("hello") },
      { name: "broken.json", mimeType: "", buffer: Buffer.from("{") },
    ]);
    await page.waitForSelector("[data-unread] .problem >> nth=2");
    const said = await words(page.locator("[data-unread]"));
    for (const part of [
      /short\.npy cannot be read: Truncated: 141 bytes, expected 144\./,
      /notes\.txt cannot be read: A file that begins with /,
      /broken\.json cannot be read: This is not JSON: see line 1, column 2\./,
    ])
      assert.match(said, part);
    await page.click('[data-choice="zh"]');
    await page.waitForFunction(() => /无法读取/.test(document.querySelector("[data-unread]").textContent));
    const inChinese = await words(page.locator("[data-unread]"));
    for (const part of [
      "文件不完整：只有 141 字节，应有 144 字节。",
      "不是 .npy、.npz 或 .safetensors 文件。",
      "这不是 JSON：问题在第 1 行第 2 列。",
    ])
      assert.ok(inChinese.includes(part), inChinese);
  }));

test("of a file of a gigabyte the first part is read, and the answer says so", () =>
  onPage({ hash: "#sample=own&kind=table" }, async (page) => {
    // The bytes are not there: a Blob of many parts that are the same.
    await page.evaluate(() => {
      const rows = 2 ** 22;
      const dictionary = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, 64), }`.padEnd(117);
      const header = `\x93NUMPY\x01\0\x76\0${dictionary}\n`;
      const part = new Blob([new Float32Array(2 ** 20).fill(0.5)]);
      const file = new File(
        [Uint8Array.from(header, (letter) => letter.charCodeAt(0)), ...Array(2 ** 8).fill(part)],
        "table.npy",
      );
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(file);
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await answered(page);
    assert.equal(await verdict(page), "none");
    assert.match(await words(page.locator("[data-looked]")), /\[65536, 64\], the first part of \[4194304, 64\]/);
  }));

test("what takes long is shown and can be stopped, and does not hold the page up", () =>
  onPage({ hash: "#sample=own" }, async (page) => {
    await answeredNever(page);
    assert.match(await words(page.locator(".under-way")), /Looking at the numbers/);
    await page.waitForFunction(() => /\d s/.test(document.querySelector(".under-way").textContent));
    await page.click("[data-stop]");
    assert.match(await words(page.locator("#result")), /Stopped/);
    assert.equal(await page.locator("[data-stop]").count(), 0);
    // It starts again.
    await page.locator('input[value="layout"]').check({ force: true });
    await answered(page);
  }));

/** Asks of a worker that does not answer. */
async function answeredNever(page) {
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = () => {
      Worker.prototype.postMessage = postMessage;
    };
  });
  await page.fill("#part-before", "1 2");
  await page.fill("#part-after", "1 2");
  await page.click("[data-run]");
  await page.waitForSelector("[data-stop]");
}

test("by keys alone: an example, an explanation, a pair, a language of code, and copying", () =>
  onPage({}, async (page) => {
    await answered(page);
    const focused = (selector) => page.evaluate((wanted) => document.activeElement.matches(wanted), selector);
    const tabTo = async (selector) => {
      for (let step = 0; step < 60 && !(await focused(selector)); ++step) await page.keyboard.press("Tab");
      assert.ok(await focused(selector), selector);
    };
    await tabTo('input[name="row-sample"]');
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("sample") === "reciprocal");
    await page.waitForFunction(() => document.querySelector(".mistake")?.textContent === "reciprocal");
    await tabTo('input[name="rank"]');
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("rank") === "2");
    await tabTo('.control input[type="range"]');
    await page.keyboard.press("Home");
    assert.equal(await page.inputValue("#drawn-pair"), "0");
    await tabTo('input[name="row-codeLanguage"]');
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => /jax/.test(document.querySelector("#code").textContent));
    await tabTo('[data-copy="code"]');
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => {
        window.written = text;
      };
    });
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.written?.includes("jnp"));
    assert.match(await words(page.locator('[data-copy="code"]')), /Copied/);
  }));

test("the browser's way back leads through what was chosen", () =>
  onPage({}, async (page) => {
    await answered(page);
    const chosen = () => page.locator('input[name="row-sample"]:checked').getAttribute("value");
    for (const name of ["factor", "own"]) {
      await page.locator(`input[name="row-sample"][value="${name}"]`).check({ force: true });
      await page.waitForFunction((now) => new URLSearchParams(location.hash.slice(1)).get("sample") === now, name);
    }
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('input[value="factor"]').checked);
    await page.waitForFunction(() => document.querySelector(".mistake")?.textContent === "factor-default");
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('input[value="layout"]').checked);
    assert.equal(await chosen(), "layout");
    await page.goForward();
    await page.waitForFunction(() => document.querySelector('input[value="factor"]').checked);
  }));

test("the pages lead to each other, in the same language and theme", () =>
  onPage({ hash: "#lang=zh&theme=dark&sample=factor&p=7" }, async (page) => {
    await answered(page);
    for (const [to, waits] of [
      ["checked.html", "article"],
      ["index.html", "#heatmap canvas"],
    ]) {
      await page.click(`header a[href^="./${to}"]`);
      await page.waitForSelector(waits);
      assert.deepEqual(await link(page), { lang: "zh", theme: "dark", p: "7" });
      await page.click('a[href^="./tools.html"]');
      await answered(page);
      assert.deepEqual(await link(page), { lang: "zh", theme: "dark", p: "7" });
    }
  }));

for (const locale of ["en-GB", "zh-CN"])
  for (const [what, hash] of [
    ["an example", "#sample=layout"],
    ["a form", "#sample=own&expect=plan"],
    ["a form with a config", "#sample=own&expect=config&kind=ids"],
  ])
    test(`axe finds nothing and nothing is too wide: ${what}, ${locale}`, () =>
      onPage({ locale, hash, width: 360 }, async (page) => {
        await (what === "an example" ? answered(page) : page.waitForSelector("[data-run]"));
        await inBothThemes(page, async (theme) => {
          await page.evaluate(`${axe};0`);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          assert.deepEqual(
            violations.map(({ id, nodes }) => [id, nodes[0].failureSummary]),
            [],
            theme,
          );
        });
        for (const width of [360, 768, 1920]) {
          await page.setViewportSize({ width, height: 900 });
          await settled(page);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${wide} px too wide at ${width}`);
        }
      }));

test("nothing moves while an example is answered", () =>
  onPage(
    {
      route: (page) =>
        page.addInitScript(() => {
          window.shifts = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
          }).observe({ type: "layout-shift", buffered: true });
        }),
    },
    async (page) => {
      await answered(page);
      await settled(page);
      assert.ok((await page.evaluate(() => window.shifts)) < 0.01);
    },
  ));

test("without WebAssembly the reader is told", async () => {
  const { page, context } = await folder.open(
    here({
      route: (target) =>
        target.route("**/worker-*.js", (route) =>
          route.fulfill({ contentType: "text/javascript", body: "throw new Error('no library')" }),
        ),
    }),
  );
  await page.waitForSelector('#result [role="alert"]');
  await context.close();
});
