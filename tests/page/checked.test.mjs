import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { load } from "../../dist/full.js";
import { pageTests, words } from "./browser.mjs";

// The page of checked statements: what it says of each, that it computes what it says, and that it is a page like the
// other.

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = pageTests("/some/folder/");
const here = ({ hash = "", ...options }) => ({ ...options, ready: false, hash: `checked.html${hash}` });
const open = (options) => folder.open(here(options));
const onPage = (options, check) => folder.onPage(here(options), check);

/** What arithmetic says, by document. */
const EXPECTED = {
  holds: "A1 A2 A4 A7 B2 B4 B5 B6 C1 C2 C4 C5 C7 C11 C12 C13 C14 C16 D3 D4 E1 E5",
  conditional: "A3 B3 B7 C15 C17 C18 E4",
  refuted: "A5 A6 B1 C6 C8 C9 C10 D1 D2 E3",
  illustrative: "C3 E2",
};
const expected = Object.fromEntries(
  Object.entries(EXPECTED).flatMap(([verdict, ids]) => ids.split(" ").map((id) => [id, verdict])),
);

/** The checks alone, without a page around them. */
async function checks() {
  const folder = mkdtempSync(join(tmpdir(), "posenc-checks-"));
  const outfile = join(folder, "checks.mjs");
  await build({
    stdin: {
      contents: `export { claims } from "./claims"; export { claimIds, verdictOf } from "./claim";
        export { en } from "./text.en"; export { zh } from "./text.zh";`,
      resolveDir: fileURLToPath(new URL("../../web/src/checked", import.meta.url)),
    },
    bundle: true,
    external: ["posenc", "posenc/full"],
    format: "esm",
    outfile,
    logLevel: "error",
  });
  try {
    return await import(pathToFileURL(outfile));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Scrolls to a statement and waits for what is found. */
async function found(page, id) {
  await page.evaluate((at) => document.getElementById(at).scrollIntoView(), id);
  await page.waitForSelector(`#${id} .verdict`);
  return page.getAttribute(`#${id} .verdict`, "data-verdict");
}

test("every statement of the five documents has its verdict, computed when it is seen", () =>
  onPage({}, async (page) => {
    await page.waitForSelector("article button");
    assert.equal(await page.locator("article").count(), 41);
    assert.equal(await page.locator("#E5 .verdict").count(), 0);
    const verdicts = {};
    for (const id of Object.keys(expected)) verdicts[id] = await found(page, id);
    assert.deepEqual(verdicts, expected);
    assert.match(await words(page.locator(".summary")), /holds 22 · holds with a condition 7 · illustrative numbers 2/);
  }));

for (const id of ["A1", "C10", "E5"])
  test(`a link to ${id} leads there, however the rows are drawn`, () =>
    onPage({ hash: `#claim=${id}` }, async (page) => {
      await page.waitForFunction(() => document.querySelector("article") && !document.querySelector("article:empty"));
      await page.waitForSelector(`#${id} .verdict`);
      const [top, left] = await page.evaluate((at) => {
        const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
        return [document.getElementById(at).getBoundingClientRect().top, rest];
      }, id);
      // The last rows can't be scrolled to the top.
      assert.ok(top >= -1 && (top <= 1 || left <= 1), `${top} px from the top, ${left} px left to scroll`);
    }));

test("every seed and size gives the same verdict, or the condition that size is", async () => {
  const [pe, { claims, verdictOf }] = await Promise.all([load(), checks()]);
  // Here few positions, or those of training, are the condition itself.
  const bySize = { A3: { 256: "holds" } };
  for (const [id, claim] of Object.entries(claims)) {
    for (const size of claim.sizes ?? [0])
      for (const seed of claim.seeded ? [1, 2, 3] : [1])
        assert.equal(
          verdictOf(claim.check(pe, { seed, size })),
          bySize[id]?.[size] ?? expected[id],
          `${id} of size ${size}, seed ${seed}`,
        );
  }
});

/** Ways to compute something else, and whose verdict that must change. */
const MUTATIONS = {
  "encodings a thousandth too large": {
    change: (pe) => ({ sinusoidal: (options) => each(pe.sinusoidal(options), (x) => 1.001 * x) }),
    changed: ["A1", "A4", "D3", "B6", "E5"],
  },
  "encodings that fade": {
    change: (pe) => ({
      sinusoidal: (options) =>
        each(pe.sinusoidal(options), (x) => x / (1 + (options.offset ?? options.positions?.[0] ?? 0))),
    }),
    changed: ["A2", "E4"],
  },
  "rotation by nothing": {
    change: (pe) => ({ rotary: (options) => ({ ...bare(pe.rotary(options)), apply: (x) => x }) }),
    changed: ["C8", "C11", "C12", "D4"],
  },
  "rotation by neighbours where halves are asked for": {
    change: (pe) => ({ rotary: (options) => pe.rotary({ ...options, layout: "interleaved" }) }),
    changed: ["D4"],
  },
  "attention that forgets its bias": {
    change: (pe) => ({ attention: ({ bias: _, biasScaled: __, ...rest }) => pe.attention(rest) }),
    changed: ["B2", "B5"],
  },
  "a learned table that is not trained": { change: () => ({ adamStep: () => undefined }), changed: ["B7"] },
  "half of the distances": {
    change: (pe) => ({ relativeOffsets: (options) => each(pe.relativeOffsets(options), () => 1) }),
    changed: ["C6"],
  },
};
const each = ({ data, shape }, change) => ({ data: data.map(change), shape });
const bare = (rope) => ({ cache: (options) => rope.cache(options) });

test("a verdict follows from the computation: change it, and it changes", async () => {
  const [pe, { claims, verdictOf }] = await Promise.all([load(), checks()]);
  for (const [name, { change, changed }] of Object.entries(MUTATIONS)) {
    const wrong = { ...pe, ...change(pe) };
    for (const id of changed) {
      const size = claims[id].sizes?.[0] ?? 0;
      assert.notEqual(verdictOf(claims[id].check(wrong, { seed: 1, size })), expected[id], `${id}: ${name}`);
    }
  }
});

/** Trainings of an encoding that go from one perplexity to another at the longest length. */
const altered = (all) => (_, name) =>
  [1, 2, 3].map((seed) => ({ seed, tests: { [name]: [all[name][0], 0, 0, all[name][1]] } }));

test("verdicts on trainings follow from their results: alter them, and they change", async () => {
  const [pe, { claims, verdictOf }] = await Promise.all([load(), checks()]);
  const verdict = (id, results) =>
    verdictOf(claims[id].check(pe, { seed: 1, size: claims[id].sizes[0] }, results && altered(results)));
  const asStored = { sinusoid: [5, 20], learned: [6, 15], Shaw: [5, 5], RoPE: [5, 15] };
  for (const id of ["B7", "C18", "E4"]) {
    assert.equal(verdict(id), "conditional", id);
    assert.equal(verdict(id, asStored), "conditional", id);
  }
  assert.equal(verdict("B7", { ...asStored, learned: [4, 15] }), "refuted");
  assert.equal(verdict("C18", { ...asStored, Shaw: [5, 15] }), "refuted");
  assert.equal(verdict("C18", { ...asStored, learned: [6, 6] }), "refuted");
  const { numbers } = claims.C18.check(pe, { seed: 1, size: 1024 }, altered({ ...asStored, RoPE: [5, 6] }));
  assert.deepEqual([numbers.right, numbers.all, numbers.RoPEFar], [3, 4, 6]);
});

test("stored trainings: three seeds, told apart from those of the tab", () =>
  onPage({ hash: "#claim=B7" }, async (page) => {
    await page.waitForSelector("#B7 .verdict");
    assert.equal(await page.getAttribute("#B7 [data-trained]", "data-trained"), "stored");
    assert.match(await words(page.locator("#B7 .trained")), /stored results/);
    assert.match(await words(page.locator("#B7 .found")), /3 trainings of each/);
    await page.click('#B7 [data-train="start"]');
    await page.waitForSelector('#B7 [data-train="stop"]');
    assert.match(await words(page.locator("#B7 .trained")), /stored results\. .*0 of 6/);
    await page.click('#B7 [data-train="stop"]');
    await page.waitForSelector('#B7 [data-train="start"]');
    assert.equal(await page.getAttribute("#B7 [data-trained]", "data-trained"), "stored");
  }));

test("trainings of a statement in this tab: the verdict is theirs, and they have the stored bits", () =>
  onPage({ hash: "#claim=E4" }, async (page) => {
    await page.waitForSelector("#E4 .verdict");
    const before = await words(page.locator("#E4 .found"));
    await page.click('#E4 [data-train="start"]');
    await page.waitForSelector('#E4 [data-trained="tab"]');
    assert.match(await words(page.locator("#E4 .trained")), /computed in this tab, with the same bits/);
    await page.waitForSelector('#E4 [data-verdict="conditional"]');
    // The same bits, the same numbers.
    assert.equal(await words(page.locator("#E4 .found")), before);
  }));

test("every statement can be run again with another seed or size", async () => {
  const { claims } = await checks();
  const fixed = Object.entries(claims).filter(([, { seeded, sizes = [] }]) => !seeded && sizes.length < 2);
  assert.deepEqual(
    fixed.map(([id]) => id),
    [],
  );
});

/** Nothing is wider than the screen. */
async function fits(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
}

/** Looks at every row and gives the link to its figure. */
async function linksOfRows(page) {
  const links = [];
  await page.waitForSelector("article button");
  for (const id of Object.keys(expected)) {
    await found(page, id);
    const row = page.locator(`#${id}`);
    assert.ok((await words(row.locator("h3"))).length > id.length + 5, id);
    assert.ok((await words(row.locator("math"))).length > 0, id);
    assert.match(await words(row.locator(".found")), /\d/, id);
    assert.equal(await row.locator("[data-again]").count(), 1, id);
    links.push([id, await row.locator(".tools a").getAttribute("href")]);
  }
  return links;
}

test("every row has statement, formula, verdict, number and a link that leads to its figure", async () => {
  let links;
  await onPage({ width: 360 }, async (page) => {
    links = await linksOfRows(page);
    await fits(page);
  });
  await folder.onPage({ ready: "heatmap" }, async (page) => {
    for (const [id, href] of links) {
      const { pathname, hash } = new URL(href, "http://localhost/");
      assert.equal(pathname, "/index.html", id);
      const asked = new URLSearchParams(hash.slice(1));
      const panel = asked.get("at");
      assert.ok(await page.locator(`main section#${panel}`).count(), `${id}: no figure ${panel}`);
      await page.evaluate((next) => {
        location.hash = next;
      }, hash);
      await page.waitForSelector(`#${panel} .tools`);
      await page.waitForFunction((at) => document.activeElement.id === `${at}-title`, panel);
      // The page's own links carry its state: what it did not understand would be missing there.
      const kept = await page.locator(`nav a[href*="at=${panel}"]`).getAttribute("href");
      assert.deepEqual(Object.fromEntries(new URLSearchParams(kept.slice(1))), Object.fromEntries(asked), id);
      assert.equal(await words(page.locator(`#${panel} .problem`)), "", id);
    }
  });
});

test("every row is there in Chinese, and says so in Chinese", () =>
  onPage({ locale: "zh-CN", width: 360 }, async (page) => {
    await linksOfRows(page);
    await fits(page);
    const latin = await page
      .locator("article :is(h3, .verdict, .found, .tools a)")
      .evaluateAll((all) => all.map((one) => one.textContent.trim()).filter((text) => !/\p{Script=Han}/u.test(text)));
    // One statement is a formula.
    assert.deepEqual(latin, ["C9 Q′·K′ = cos(θ_i − θ_j) (Q·K)。"]);
  }));

test("numbers are what the documents' own arithmetic gives", async () => {
  const [pe, { claims }] = await Promise.all([load(), checks()]);
  const numbers = (id, size = claims[id].sizes?.[0] ?? 0) => claims[id].check(pe, { seed: 1, size }).numbers;
  assert.deepEqual([numbers("C6").same, numbers("C6").all, numbers("C6").broken], [4, 5, 1 - 7]);
  assert.equal(numbers("D1").missing, 512 * 768);
  assert.equal(numbers("A5").kept, 8);
  assert.ok(Math.abs(numbers("A5").printed / 10000 ** ((-4 * 15) / 32) - 1) < 1e-9);
  assert.ok(Math.abs(numbers("E2").a - Math.sin(1)) < 1e-7 && Math.abs(numbers("E2").b - Math.cos(1)) < 1e-7);
  assert.ok(Math.abs(numbers("C4").longest / (2 * Math.PI * 10000 ** (510 / 512)) - 1) < 1e-6);
  // Σ cos(ω_i) over the 64 frequencies of 128 lanes.
  const neighbours = Array.from({ length: 64 }, (_, i) => Math.cos(10000 ** (-i / 64))).reduce((a, b) => a + b);
  assert.ok(Math.abs(numbers("B1").near - neighbours) < 1e-4);
  // Three tokens rotated by 10, 20 and 30 degrees: the second plane's weights of the first token.
  const rotate = ([x, y], degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
  };
  const tokens = [
    [1, 0.2],
    [0.3, 1],
    [-0.9, 0.5],
  ];
  const times = ([x, y], [[a, b], [c, d]]) => [a * x + b * y, c * x + d * y];
  const keys = tokens.map((token, i) =>
    rotate(
      times(token, [
        [-1, 0.6],
        [0.6, 1],
      ]),
      10 * (i + 1),
    ),
  );
  const [x, y] = rotate(
    times(tokens[0], [
      [1, 0.8],
      [-0.8, 1],
    ]),
    10,
  );
  const scores = keys.map(([a, b]) => Math.exp((x * a + y * b) / Math.SQRT2));
  const share = scores[0] / (scores[0] + scores[1] + scores[2]);
  assert.ok(Math.abs(numbers("C11").w0 - share) < 1e-6);
});

test("run again takes another seed, a size can be chosen, and both are in the link", () =>
  onPage({}, async (page) => {
    await page.waitForSelector("article button");
    await found(page, "C7");
    const before = await words(page.locator("#C7 .found"));
    await page.locator("#C7 [data-again]").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction((old) => document.querySelector("#C7 .found").textContent.trim() !== old, before);
    assert.match(await words(page.locator("#C7 [data-again]")), /seed 2/);
    await page.selectOption("#C7 select", "100");
    await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get("trials") === "C7:2:100");
    assert.match(await words(page.locator("#C7 .found")), /both 100 positions on/);
    const after = await words(page.locator("#C7 .found"));
    await page.reload();
    await page.waitForSelector("article button");
    await found(page, "C7");
    assert.equal(await words(page.locator("#C7 .found")), after);
  }));

test("a size that the link makes up is not taken", () =>
  onPage({ hash: "#trials=A3%3A1%3A7" }, async (page) => {
    await page.waitForSelector("article button");
    await found(page, "A3");
    assert.equal(await page.inputValue("#A3 select"), "2048");
  }));

for (const locale of ["en-GB", "zh-CN"])
  for (const dark of [false, true])
    test(`axe finds nothing among the checked: ${locale}, ${dark ? "dark" : "light"}`, () =>
      onPage({ locale, dark, width: dark ? 360 : 1280 }, async (page) => {
        await page.waitForSelector("article button");
        for (const id of ["A1", "A6", "C3", "C18"]) await found(page, id);
        await fits(page);
        await page.evaluate(`${axe};0`);
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, nodes[0].failureSummary]),
          [],
        );
      }));

test("without WebAssembly the reader is told", async () => {
  const { page, context } = await open({
    route: (target) => target.addInitScript("delete window.WebAssembly"),
  });
  await page.waitForSelector('main [role="alert"]');
  assert.match(await words(page.locator('main [role="alert"]')), /did not start/);
  await context.close();
});
