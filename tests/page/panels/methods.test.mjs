import { expect, redrawn, test, words } from "../fixtures.mjs";

// Methods side by side.

test.use({ view: { ready: "methods" } });

test("parameters and bytes are counted, relative and unique computed", async ({ open }) => {
  const page = await open("#mn=100&md=32&mh=4");
  const cell = (method, fact) => words(page.locator(`[data-method="${method}"] [data-fact="${fact}"]`));
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
    await expect.poll(() => cell(method, "trainable"), method).toMatch(trainable);
    await expect.poll(() => cell(method, "stored"), method).toBe(stored);
    expect(bars, `${method}: ${bars}`).toContain(bar);
    await expect.poll(() => cell(method, "relative"), method).toMatch(relative);
    await expect.poll(() => cell(method, "distinct"), method).toMatch(distinct);
    await expect.poll(() => cell(method, "beyond"), method).toMatch(beyond);
  }
});

test("time is measured on request, and what meets all pairs grows faster @all", async ({ open }) => {
  const page = await open("#md=16&mh=2");
  await expect(page.locator("[data-timing]")).toHaveCount(0);
  await expect(page.locator('[data-method="rope"] [data-fact="time"]')).toHaveText("not measured");
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
  const row = page.locator('[data-question="time"] [data-method="shaw"]');
  expect((await words(row.locator("[data-fact]"))).startsWith(order)).toBeTruthy();
  await expect(row.locator("[data-statement]")).toHaveAttribute("data-statement", power === 2 ? "same" : "differs");
  await expect(page.locator('#methods [role="status"]').first()).toRead(/Measured on this machine/);
});

test("each answer names the claims it agrees with or not; other answers are unmarked", async ({ open }) => {
  for (const [locale, ends, verdict] of [
    ["en-GB", "no table ends at 511", /^18 statements .* 13 agree, 5 differ and are marked ≠ \(C18, B3, D2\)/],
    ["zh-CN", "否 表到位置 511 为止", /^帖子中有 18 条.*13 条一致，5 条不同.*（C18、B3、D2）/],
  ]) {
    const page = await open({ locale });
    await expect(page.locator('[data-method="learned"] [data-fact="beyond"]')).toHaveText(ends);
    await expect(page.locator("#methods .panel-body")).not.toRead(/expected|ids\[/);
    await expect(page.locator("#methods [data-compared]")).toRead(verdict);
    const how = (question, method) =>
      page
        .locator(`[data-question="${question}"] [data-method="${method}"] [data-statement]`)
        .evaluateAll((all) => all.map(({ dataset }) => dataset.statement));
    // Trained numbers of Shaw's clipped table are as many for any n; a sinusoid has a code at 2n, a table has none.
    expect(await how("stored", "shaw")).toEqual(["differs", "differs"]);
    expect(await how("stored", "learned")).toEqual(["same"]);
    expect(await how("beyond", "sinusoid")).toEqual(["differs", "another"]);
    expect(await how("beyond", "learned")).toEqual(["same", "another"]);
    expect(await how("beyond", "rope")).toEqual(["another"]);
    expect(await how("time", "rope")).toEqual(["unmeasured"]);
    const marked = page.locator("#methods .marked");
    await expect(marked).toHaveCount(4);
    for (const text of await marked.allTextContents()) expect(text).toMatch(/≠ [A-E]\d/);
  }
  // Narrow: nothing is cut or has to be scrolled sideways.

  const page = await open({ width: 360 });
  const right = await page
    .locator("#methods .question table")
    .evaluateAll((all) => Math.max(...all.map((table) => table.getBoundingClientRect().right)));
  expect(right).toBeLessThanOrEqual(360);
});
