import { load } from "../../../dist/full.js";
import { toNpy } from "../../../dist/npy.js";
import { gguf, llama } from "../../api/testing/gguf-files.mjs";
import { node, onnx, tensor } from "../../api/testing/onnx-files.mjs";
import { expect, LOCALES, link, tabTo, test, words } from "../fixtures.mjs";
import { rows } from "../panels/numbers.mjs";

// The page of tools: that examples get the verdict of their mistake, what becomes of files and texts good and bad, and
// that it is a page like the others.

test.use({ view: { path: "tools.html", ready: false } });

/** The mistake of each example. */
const EXAMPLES = {
  layout: "layout",
  reciprocal: "reciprocal",
  factor: "factor-default",
  layers: "other-layers",
  first: "first-position",
};

const answered = (page) => page.waitForSelector("#result .verdict");
const verdict = (page) => page.getAttribute("#result .verdict", "data-verdict");
const mistakes = (page) =>
  page.locator('[data-rank="1"] .mistake').evaluateAll((all) => all.map(({ dataset }) => dataset.mistake));

const CODE = {
  pytorch: /import torch.*inv_freq = torch\.tensor\(\[\n {4}1, .*def rotate\(x, positions\)/s,
  javascript:
    /pe\.rotary\(\{ dim: 128, layout: "half", base: 1000000, scaling: \{ type: "yarn", factor: 16, originalLength: 16384, mscale: 1, mscaleAllDim: 1 \} \}\)/,
};

for (const locale of LOCALES)
  test(`each example is its mistake, for certain, and its code what was meant: ${locale}`, async ({ open }) => {
    const page = await open({ locale });
    for (const [name, mistake] of Object.entries(EXAMPLES)) {
      await page.locator(`input[name="row-sample"][value="${name}"]`).check({ force: true });
      await expect.poll(() => mistakes(page)).toEqual([mistake]);
      expect(await verdict(page)).toBe("certain");
      // In sentences, none of which has the name of an option.
      for (const text of await page.locator(".mistake").allTextContents())
        expect(text).toMatch(/[ \p{Script=Han}].*[.。]$/u);
      // The mistake comes first, by itself.
      expect(await words(page.locator("#result .answer"))).toBe(await words(page.locator('[data-rank="1"] .mistake')));
      const said = await words(page.locator("[data-said]"));
      expect(/\p{Script=Han}/u.test(said), said).toBe(locale === "zh-CN");
      await expect(page.locator("[data-remedy]")).not.toHaveText("");
      // Rows in another order mend the layout.
      if (name === "layout") expect((await words(page.locator("#rows"))).split(", ").length).toBe(64);
      await expect(page.locator(".evidence-plot")).toHaveCount(1);
      expect(await page.locator(".evidence-plot .given circle").count()).toBeGreaterThan(8);
      const all = page.locator("[data-said], .what, [data-remedy], #result :is(h4, summary)");
      // Explanations speak of dimensions, whatever the library calls them.
      expect((await all.allTextContents()).join(" ")).not.toMatch(/\blanes?\b/i);
      for (const [language, says] of name === "factor" ? Object.entries(CODE) : []) {
        await page.locator(`input[name="row-codeLanguage"][value="${language}"]`).check({ force: true });
        await expect.poll(async () => (await link(page)).code ?? "pytorch").toBe(language);
        await expect(page.locator("#code"), language).toHaveText(says);
      }
    }
  });

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
const printed = ({ data, shape: [, width] }) =>
  rows(data, width)
    .map((row) => row.join(" "))
    .join("\n");

/** A model's config.json, with these keys. */
const config = (keys) => {
  const size = { model_type: "llama", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 };
  const buffer = Buffer.from(JSON.stringify({ ...size, ...keys }));
  return { name: "config.json", mimeType: "application/json", buffer };
};

test("files are parts by their names; a config.json or .gguf is what was meant", async ({ open }) => {
  const { before, after } = await rotated({ dim: 64, layout: "interleaved", base: 10000 });
  const page = await open("#sample=own");
  await page.fill("#part-positions", positions.join(" "));
  const vectors = [npy("k_after.npy", after), npy("k_before.npy", before)];
  await give(page, vectors);
  await answered(page);
  await expect.poll(() => verdict(page)).toBe("certain");
  await expect(page.locator("[data-looked]").first()).toRead(/\[8, 64\].*float32/);
  await expect(page.locator('[data-part="before"] option:checked')).toRead(/^k_before\.npy/);
  // No plan was expected.
  await expect(page.locator("[data-remedy]")).toRead(/State what was meant/);
  await expect(page.locator("#code")).toHaveText(/10000\.0 \*\*/);
  const forget = async () => {
    await page.click("[data-forget]");
    await expect(page.locator('[data-part="before"] select')).toHaveCount(0);
  };
  await forget();
  await give(page, [config({ hidden_size: 256, rope_theta: 500000 }), ...vectors]);
  await expect.poll(() => mistakes(page)).toEqual(["layout", "base"]);
  // The link is written a moment later.
  await expect.poll(() => link(page)).toMatchObject({ expect: "config" });
  await forget();
  // In the layout of llama.cpp.
  await give(page, [{ name: "model.gguf", mimeType: "", buffer: gguf(llama()) }, ...vectors]);
  await expect.poll(() => mistakes(page)).toEqual(["base"]);
  await forget();
  // Of a graph the caches are read.
  const cache = { data: new Float32Array(8), shape: [4, 2] };
  const rotary = node("RotaryEmbedding", ["x", "cos_cache", "sin_cache"]);
  const caches = ["w", "cos_cache", "sin_cache"].map((name) => tensor(name, cache));
  await give(page, [{ name: "model.onnx", mimeType: "", buffer: onnx([rotary], caches) }]);
  await expect(page.locator("[data-filed]")).toRead(/2/);
});

test("files that are dropped anywhere are taken, of a gigabyte the first part", async ({ open }) => {
  const { before, after } = await rotated({ dim: 16, layout: "half" });
  const page = await open();
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
  await expect(page.locator("[data-looked]").first()).toRead(/\[8, 16\]/);
  await expect.poll(() => verdict(page)).toBe("certain");
  await expect.poll(() => link(page)).toMatchObject({ sample: "own" });
  await page.click("[data-forget]");
  await page.selectOption("#row-kind", "table");
  // The bytes are not there: a Blob of many parts that are the same.
  await page.evaluate(() => {
    const dictionary = `{'descr': '<f4', 'fortran_order': False, 'shape': (${2 ** 22}, 64), }`.padEnd(117);
    const header = Uint8Array.from(`\x93NUMPY\x01\0\x76\0${dictionary}\n`, (letter) => letter.charCodeAt(0));
    const part = new Blob([new Float32Array(2 ** 20).fill(0.5)]);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([header, ...Array(2 ** 8).fill(part)], "table.npy"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect(page.locator("[data-looked]").first()).toRead(/\[262144, 64\], the first part of \[4194304, 64\]/);
  await expect.poll(() => verdict(page)).toBe("none");
});

test("numbers that are pasted, and a plan by its fields", async ({ open }) => {
  const { before, after } = await rotated({ dim: 16, layout: "interleaved" });
  const page = await open("#sample=own&expect=plan&xdim=16&xrotated=16");
  // A row in brackets of its own on each line.
  await page.fill("#part-before", printed(before).replace(/.+/g, "[$&]"));
  const lines = printed(after).replaceAll("\n", "],\n        [").replaceAll(" ", ", ");
  await page.fill("#part-after", `tensor([[${lines}]])`);
  await page.fill("#part-positions", positions.join(", "));
  await page.click("[data-run]");
  await expect.poll(() => mistakes(page)).toEqual(["layout"]);
});

test("positions read back are drawn beside those given, and what departs is marked", async ({ open }) => {
  const { before, after } = await rotated({ dim: 16, layout: "half" });
  const page = await open({ locale: "zh-CN", hash: "#sample=own" });
  // The last three tokens are rotated by positions that are 3 less than those given.
  await page.fill("#part-positions", positions.map((p, token) => (token < 5 ? p : p + 3)).join(" "));
  await give(page, [config({ rope_theta: 10000 }), npy("before.npy", before), npy("after.npy", after)]);
  await expect.poll(() => mistakes(page)).toEqual(["offset-from"]);
  await expect(page.locator(".evidence-plot .given circle")).toHaveCount(positions.length + 1);
  // Explained by nothing: what is not as expected is marked.
  after.data[7 * 16 + 3] += 0.5;
  await page.click("[data-forget]");
  await give(page, [config({ rope_theta: 10000 }), npy("before.npy", before), npy("after.npy", after)]);
  await expect.poll(() => verdict(page)).toBe("none");
  await expect(page.locator(".departing .mark")).toHaveCount(3);
});

test("where text alone leaves two explanations, one is chosen by keys, and it is said what would tell", async ({
  open,
}) => {
  const { before, after } = await rotated({ dim: 16, layout: "half" });
  const page = await open("#sample=own");
  await page.fill("#part-positions", positions.join(" "));
  const mrope = { model_type: "qwen2_vl", rope_scaling: { type: "mrope", mrope_section: [2, 3, 3] } };
  await give(page, [config(mrope), npy("before.npy", before), npy("after.npy", after)]);
  await expect.poll(() => verdict(page)).toBe("ambiguous");
  await expect(page.locator("[data-said]")).toRead(/What would tell: .*positions whose axes differ/);
  await tabTo(page, 'input[name="rank"]');
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => link(page)).toMatchObject({ rank: "2" });
});

/** The kind, what is typed, and the message. */
const BAD = {
  "nothing at all": ["frequencies", {}, /missing/],
  words: ["frequencies", { frequencies: "1 0.5 half" }, /not a number: half/],
  "brackets that do not fit": ["table", { table: "[[0, 1], [2]]" }, /differ in length/],
  "what print() shortened": ["table", { table: "[[0., 1., ..., 3.]]" }, /shortened/],
  NaN: [
    "table",
    { table: "0 1\nnan 0.5" },
    /Invalid input: table\.data\[2\] \(token 1, dimension 0\) is NaN; expected a finite number\./,
  ],
  "segments that are no JSON": ["ids", { ids: "[[0, 1]]", segments: "{" }, /This is not JSON: see line 1\./],
};

test("what is typed is refused by a message, in both languages", async ({ open }) => {
  const page = await open("#sample=own");
  const refused = page.locator("#result [data-refused]");
  for (const [what, [kind, parts, says]] of Object.entries(BAD)) {
    await page.click('[data-choice="en"]');
    await page.selectOption("#row-kind", kind);
    for (const box of await page.locator(':is(textarea, input)[id^="part-"]:visible').all()) await box.fill("");
    for (const [part, text] of Object.entries(parts)) await page.fill(`#part-${part}`, text);
    await page.click("[data-run]");
    await expect(refused.first(), what).toRead(says);
    await page.click('[data-choice="zh"]');
    await expect(refused.first(), what).toRead(/\p{Script=Han}/u);
    await expect(refused, what).not.toRead(/expected|Invalid|JSON at/);
  }
});

test("files that cannot be read are named, on one line and in one direction", async ({ open }) => {
  const page = await open("#sample=own");
  const odd = "before\u202e\u2066gpj\nFine";
  const short = Buffer.from(toNpy({ data: new Float32Array(4), shape: [4] })).subarray(0, -3);
  await give(page, [
    { name: "short.npy", mimeType: "", buffer: short },
    { name: `notes${odd}.txt`, mimeType: "", buffer: Buffer.from("hello") },
    { name: "broken.json", mimeType: "", buffer: Buffer.from("{") },
    npy(`${odd}.npy`, { data: new Float32Array(4), shape: [2, 2] }),
    { name: "arrays.json", mimeType: "", buffer: Buffer.from(JSON.stringify({ [odd]: [[1, 2]], after: [[1, 2]] })) },
  ]);
  await page.waitForSelector("[data-unread] .problem >> nth=2");
  const shown = await page.locator("body").evaluate((body) => body.textContent);
  expect(shown).toContain("before\\u{202e}\\u{2066}gpj");
  expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  for (const [lang, ...parts] of [
    ["en", "short.npy cannot be read: Truncated: 141 bytes, expected 144.", "cannot be read: A file that begins with "],
    ["zh", "无法读取", "文件不完整：只有 141 字节，应有 144 字节。", "不是 .npy、.npz、.safetensors 或 .gguf 文件。"],
  ]) {
    await page.click(`[data-choice="${lang}"]`);
    for (const part of parts) await expect(page.locator("[data-unread]")).toContainText(part);
  }
});

test("what takes long is shown and can be stopped, and does not hold the page up", async ({ open }) => {
  const page = await open("#sample=own");
  // The first question gets no answer.
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = () => {
      Worker.prototype.postMessage = postMessage;
    };
  });
  await page.fill("#part-before", "1 2");
  await page.fill("#part-after", "1 2");
  await page.click("[data-run]");
  await expect(page.locator(".under-way").first()).toRead(/Looking at the numbers.*\d s/);
  await page.click("[data-stop]");
  await expect(page.locator("#result")).toRead(/Stopped/);
  await expect(page.locator("[data-stop]")).toHaveCount(0);
  await page.locator('input[value="layout"]').check({ force: true });
  await answered(page);
});

test("by keys alone: an example, a pair, a language of code, and copying", async ({ page }) => {
  await answered(page);
  await tabTo(page, 'input[name="row-sample"]');
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => link(page)).toMatchObject({ sample: "reciprocal" });
  await expect(page.locator(".mistake").first()).toHaveAttribute("data-mistake", "reciprocal");
  await tabTo(page, '.control input[type="range"]');
  await page.keyboard.press("Home");
  await expect(page.locator("#drawn-pair")).toHaveValue("0");
  await tabTo(page, 'input[name="row-codeLanguage"]');
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("#code")).toRead(/from "posenc/);
  await tabTo(page, '[data-copy="code"]');
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      window.written = text;
    };
  });
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.written?.includes('from "posenc'));
  await expect(page.locator('[data-copy="code"]')).toRead(/Copied/);
});

test("the browser's way back leads through what was chosen", async ({ page }) => {
  const sample = (name) => page.locator(`input[name="row-sample"][value="${name}"]`);
  for (const name of ["factor", "own"]) {
    await sample(name).check({ force: true });
    await expect.poll(() => link(page)).toMatchObject({ sample: name });
  }
  await page.goBack();
  await expect(page.locator(".mistake").first()).toHaveAttribute("data-mistake", "factor-default");
  await page.goBack();
  await expect(sample("layout")).toBeChecked();
  await page.goForward();
  await expect(sample("factor")).toBeChecked();
});

test("the pages lead to each other, in the same language and theme @all", async ({ open }) => {
  const page = await open("#lang=zh&theme=dark&sample=factor&p=7");
  await answered(page);
  for (const [to, waits] of Object.entries({ "checked.html": "article", "index.html": "#problem .problem-picture" })) {
    await page.click(`header a[href^="./${to}"]`);
    await page.waitForSelector(waits);
    await expect.poll(() => link(page)).toEqual({ lang: "zh", theme: "dark", p: "7" });
    await page.click('a[href^="./tools.html"]:visible');
    await answered(page);
    await expect.poll(() => link(page)).toEqual({ lang: "zh", theme: "dark", p: "7" });
  }
});

test("without its worker's library there is a message", async ({ open }) => {
  const body = "throw new Error('no library')";
  const route = (target) =>
    target.route("**/worker-*.js", (answer) => answer.fulfill({ contentType: "text/javascript", body }));
  const page = await open({ route, mayFail: true });
  await page.waitForSelector('#result [role="alert"]');
});
