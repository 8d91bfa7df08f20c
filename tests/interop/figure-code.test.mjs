// The code that the page's figures give, run: PyTorch, also on NumPy in its place, and JavaScript
// against the package. Each prints "ok", and fails where a number that it expects is another.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "../../bindings/setup/paths.mjs";
import { launch, openMenu, openPage, redrawn, servePage, unfold } from "../page/browser.mjs";
import { everything, PAGES, panels, panelsOf } from "../page/panels/states.mjs";
import { findTorch, numpy } from "./python.mjs";

/** These have no code: see the page's README. */
const without = ["problem", "codes", "mix", "choose", "lab"];
const languages = { pytorch: "py", javascript: "mjs" };

/** The page as it opens, with no row at its default, and what else decides which formula is written. */
const states = [
  "",
  new URLSearchParams(everything).toString(),
  "rel=t5&rule=default&qk=same&by=scale&model=gemma3",
  "rel=t5&rule=linear&qk=random&by=rotate&model=phi3&cl=131072",
  "rel=offset&rule=yarn&layout=half&model=deepseek&positions=on&wdim=7",
  "rel=alibi&heads=12&head=11&rule=llama3&model=modernbert&plan=1",
  "rel=t5&t5=both&buckets=32&far=128&rn=32&model=qwen2vl",
  "model=neox&values=rotated",
];

const scratch = mkdtempSync(join(build, "figure-code-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** The programs by language: each text once, with the figure that gave it first. */
const programs = Object.fromEntries(Object.keys(languages).map((language) => [language, new Map()]));

/** Goes through all states of a page. */
async function collect() {
  const [browser, server] = await Promise.all([launch(), servePage()]);
  try {
    for (const path of PAGES) {
      const { page, context, trouble } = await openPage(browser, server.address, { path });
      await unfold(page);
      const all = panelsOf(path);
      const figures = all.filter((id) => !without.includes(id));
      for (const id of all) await openMenu(page, id);
      for (const id of figures) await page.click(`#${id} [data-tool="code"]`);
      for (const id of all.filter((each) => without.includes(each)))
        assert.equal(await page.locator(`#${id} [data-tool="code"]`).count(), 0, id);
      for (const [at, state] of states.entries()) {
        await page.evaluate((link) => {
          location.hash = link;
        }, state);
        await redrawn(page);
        await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
        for (const language of Object.keys(languages)) {
          await page.locator(`#${figures[0]} .figure-code input[value="${language}"]`).check({ force: true });
          await redrawn(page);
          for (const id of figures) {
            const text = await page.textContent(`#${id}-code`);
            if (!programs[language].has(text)) programs[language].set(text, `${id}-${at}`);
          }
        }
      }
      assert.deepEqual(trouble, []);
      await context.close();
    }
  } finally {
    await browser.close();
    server.stop();
  }
}
before(collect);

/** The programs of a language, and as many whose last expected number is spoilt, as files. */
function written(language) {
  const folder = join(scratch, language);
  mkdirSync(folder, { recursive: true });
  const all = [...programs[language]].flatMap(([text, name]) => {
    const spoilt = text.replace(/(expected[^\n]*\[\n\s+)([-\d.e+]+)(,\n)/, (_, start, number, end) => {
      return `${start}${Number(number) * 1.01 + 0.01}${end}`;
    });
    assert.notEqual(spoilt, text, name);
    return [
      { name, text, isRight: true },
      { name: `${name}-spoilt`, text: spoilt, isRight: false },
    ];
  });
  return all.map((each) => {
    const file = join(folder, `${each.name}.${languages[language]}`);
    writeFileSync(file, each.text);
    return { ...each, file };
  });
}

/** Checks the outcomes of programs, in order. */
function checkOutcomes(all, outcomes) {
  assert.ok(all.length > 2 * Object.keys(panels).length, `${all.length} programs`);
  assert.equal(outcomes.length, all.length);
  const wrong = all.flatMap(({ name, text, isRight }, at) => {
    const { printed, error } = outcomes[at];
    const isAsWanted = isRight ? error === null && printed === "ok\n" : error !== null && printed === "";
    return isAsWanted ? [] : [`${name}: ${error ?? printed}\n${text}`];
  });
  assert.deepEqual(
    wrong.slice(0, 3),
    [],
    `${wrong.length} of ${all.length}: ${wrong.map((each) => each.split(":")[0])}`,
  );
}

const run = (program, ...args) => execFileSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
const runner = (name) => fileURLToPath(new URL(`figures/${name}`, import.meta.url));

test("JavaScript, against the package", () => {
  const all = written("javascript");
  checkOutcomes(all, JSON.parse(run(process.execPath, runner("run.mjs"), ...all.map(({ file }) => file))));
});

for (const [framework, skip] of [
  ["numpy", false],
  ["torch", !findTorch() && "PyTorch is not installed (Debian: python3-torch)"],
])
  test(`PyTorch, on ${framework}`, { skip }, () => {
    assert.ok(numpy, "python3 with numpy: npm test installs it");
    const all = written("pytorch");
    checkOutcomes(all, JSON.parse(run(numpy, runner("run.py"), framework, ...all.map(({ file }) => file))));
  });
