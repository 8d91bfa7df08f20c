import { expect, redrawn, test, words } from "../fixtures.mjs";

// Methods side by side.

test.use({ view: { ready: "methods" } });

/** Presses an answer; returns it, its evidence, and how each statement of a post compares. */
async function pressed(page, method, question) {
  await page.click(`#methods button[data-method="${method}"][data-fact="${question}"]`);
  await redrawn(page);
  const behind = page.locator("#methods .behind");
  const statements = await behind
    .locator("[data-statement]")
    .evaluateAll((all) => all.map(({ dataset }) => dataset.statement));
  const said = await Promise.all(["answer", "evidence"].map((part) => words(behind.locator(`[data-${part}]`))));
  return { said: said.join(" ").trim(), statements };
}

test("parameters and bytes are counted, relative and unique computed @all", async ({ open }) => {
  const page = await open("#mn=100&md=32&mh=4");
  const bars = await page.locator("#methods .bytes-chart").textContent();
  for (const [method, trainable, stored, bar, relative, distinct, beyond] of [
    ["sinusoid", /^no 0 p/, "O(1) 0 B", "12.5 KiB", /^no/, /^yes 100 of 100/, /^yes/],
    ["learned", /^yes 3200 p/, "O(n) 12.5 KiB", "12.5 KiB", /^no/, /^yes 100 of 100/, /^no table ends at 99/],
    // 2 tables of 33 vectors; of 199 distances those from -15 to 15 are not clipped.
    ["shaw", /^yes 2112 p/, "O(1) 8.25 KiB", "2.441 MiB", /^yes/, /^no 31 of 199/, /^yes/],
    // 8 exact distances each way; the buckets beyond hold several each, as far as 100 positions reach.
    ["t5", /^yes 128 p/, "O(1) 512 B", "156.3 KiB", /^yes/, /^no 15 of 199/, /^yes/],
    ["alibi", /^no 0 p/, "O(1) 0 B", "156.3 KiB", /^yes/, /^yes 100 of 100/, /^yes/],
    ["rope", /^no 0 p/, "O(1) 0 B", "12.5 KiB", /^yes/, /^yes 100 of 100/, /^yes/],
  ]) {
    expect(bars, `${method}: ${bars}`).toContain(bar);
    expect((await pressed(page, method, "trainable")).said, method).toMatch(trainable);
    expect((await pressed(page, method, "stored")).said, method).toBe(stored);
    expect((await pressed(page, method, "relative")).said, method).toMatch(relative);
    expect((await pressed(page, method, "distinct")).said, method).toMatch(distinct);
    expect((await pressed(page, method, "beyond")).said, method).toMatch(beyond);
  }
});

test("time is measured on request, and what meets all pairs grows faster @all", async ({ open }) => {
  const page = await open("#md=16&mh=2");
  await expect(page.locator("[data-timing]")).toHaveCount(0);
  await expect(page.locator('[data-method="rope"][data-fact="time"]')).toHaveText("not measured");
  const statements = async () => Number((await words(page.locator("#methods [data-compared]"))).match(/^\d+/)[0]);
  const before = await statements();
  await page.click('#methods [data-tool="measure"]');
  await expect(page.locator("[data-timing] td[data-seconds]")).toHaveCount(30);
  const seconds = await page
    .locator("[data-timing] td[data-seconds]")
    .evaluateAll((all) => all.map((cell) => Number(cell.dataset.seconds)));
  for (const one of seconds) expect(one > 0 && one < 5, String(one)).toBeTruthy();
  // From 64 to 1024 positions n² grows 256-fold and n 16-fold: well apart on any machine.
  const growth = (method) => seconds[5 * method + 4] / seconds[5 * method];
  expect(growth(4), `${growth(4)} against ${growth(1)}`).toBeGreaterThan(2 * growth(1));
  // Post C has four costs: they are compared now, each with the power of n that is measured from 256 on.
  await redrawn(page);
  await expect.poll(statements).toBe(before + 4);
  const power = Math.round(Math.log2(seconds[5 * 2 + 4] / seconds[5 * 2 + 2]) / 2);
  const order = ["O(1)", "O(n)", "O(n²)", "O(n³)"][power];
  const { said, statements: compared } = await pressed(page, "shaw", "time");
  expect(said.startsWith(order), said).toBeTruthy();
  expect(compared).toEqual([power === 2 ? "same" : "differs"]);
  await expect(page.locator('#methods .measure [role="status"]')).toRead(/Measured on this machine/);
});

test("each answer names the claims it agrees with or not; other answers are unmarked @all", async ({ open }) => {
  for (const [locale, ends, verdict] of [
    ["en-GB", "no table ends at 511", /^16 statements .* 11 agree, 5 differ and are marked ≠ \(C18, B3, D2\)/],
    ["zh-CN", "否 表到位置 511 为止", /^帖子中有 16 条.*11 条一致，5 条不同.*（C18、B3、D2）/],
  ]) {
    const page = await open({ locale });
    expect((await pressed(page, "learned", "beyond")).said).toBe(ends);
    await expect(page.locator("#methods .panel-body")).not.toRead(/expected|ids\[/);
    await expect(page.locator("#methods [data-compared]")).toRead(verdict);
    const how = async (question, method) => (await pressed(page, method, question)).statements;
    // Trained numbers of Shaw's clipped table are as many for any n; a sinusoid has a code at 2n, a table has none.
    expect(await how("stored", "shaw")).toEqual(["differs", "differs"]);
    expect(await how("stored", "learned")).toEqual(["same"]);
    expect(await how("beyond", "sinusoid")).toEqual(["differs", "trained"]);
    expect(await how("beyond", "learned")).toEqual(["same", "trained"]);
    expect(await how("beyond", "rope")).toEqual(["trained"]);
    expect(await how("time", "rope")).toEqual(["unmeasured"]);
    // The post's table is about codes before they are added to words.
    expect(await how("relative", "sinusoid")).toEqual(["codes"]);
    const marked = page.locator("#methods .marked");
    await expect(marked).toHaveCount(4);
    for (const text of await marked.allTextContents()) expect(text).toMatch(/≠/);
  }
});

test("on a phone one method at a time, at most 2000 px high", async ({ open }) => {
  const page = await open({ width: 390 });
  await expect(page.locator('#methods [data-question="relative"] button')).toHaveCount(1);
  await page.locator('#methods input[value="rope"]').check({ force: true });
  await expect(page.locator('#methods button[data-method="rope"]')).toHaveCount(6);
  const { height } = await page.locator("#methods .panel-body").boundingBox();
  expect(height).toBeLessThanOrEqual(2000);
});
