import { expect, holding, linkWritten, nearDrawn, redrawn, scrollTo, test } from "../fixtures.mjs";

// Panels that are fetched when they are needed, and steps back and forward.

const panelFile = /assets\/rope-[\w-]+\.js$/;
const waiting = (page) => page.locator("section.waiting").evaluateAll((all) => all.map(({ id }) => id));
const top = (page, selector) => page.locator(selector).evaluate((part) => part.getBoundingClientRect().top);

test("a panel is fetched when it comes near; one that fails can be tried again", async ({ open }) => {
  let [asked, broken] = [0, true];
  const route = async (target) => {
    // So that the page can be printed, every panel is fetched once there is nothing else to do: not here.
    await target.route(/assets\/later-[\w-]+\.js$/, () => {});
    await target.route(/assets\/sentence-[\w-]+\.js$/, (answer) => answer.abort());
    await target.route(panelFile, (answer) => {
      asked++;
      return broken ? answer.abort() : answer.continue();
    });
  };
  const page = await open({ mayFail: true, ready: "codes", height: 600, route });
  expect(await waiting(page)).toContain("rope");
  await expect(page.locator("#rope-title")).toRead(/queries and keys/);
  expect(asked).toBe(0);
  await scrollTo(page, "rope");
  await expect(page.locator('#rope [role="alert"]')).toRead(/could not be fetched/);
  await scrollTo(page, "mix");
  await page.waitForSelector("#mix .mix-bars");
  broken = false;
  await page.click("#rope .again");
  await page.waitForSelector("#rope .rope-plane");
  expect(await waiting(page)).not.toContain("rope");
  // All this without the program of the sentence's bar, whose place stays empty.
  await expect(page.locator("#sentence")).toHaveText("");
  await expect(page.locator("#sentence")).toHaveCSS("height", "48px");
});

test("no figure out of sight is fetched before the reader stirs, nor what is kept for later", async ({ open }) => {
  const asked = [];
  const route = (target) => target.on("request", (request) => asked.push(request.url()));
  const page = await open({ ready: "#contents .unfold", height: 600, route, fresh: true });
  await page.waitForLoadState("networkidle");
  expect(await waiting(page)).toContain("codes");
  expect(asked.filter((url) => /\/(codes|waves|figure|full-external|posenc-full)-/.test(url))).toEqual([]);
  await page.keyboard.press("Shift");
  await page.waitForSelector("#codes .tools");
  expect(asked.some((url) => /\/codes-/.test(url))).toBe(true);
});

/** Collects what moves without the reader having done anything, and how far. */
function noteShifts() {
  window.shifts = [];
  const place = ({ node, previousRect, currentRect }) =>
    `${node?.parentElement?.className} ${node?.nodeName} from ${previousRect.y} to ${currentRect.y}`;
  const note = (list) =>
    window.shifts.push(...list.getEntries().map(({ value, sources }) => [value, ...sources.map(place)]));
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
}

/** Notes where each figure's tools begin below its section's top, as often as that changes; below its own where it sticks. */
function noteTools() {
  window.tools = {};
  const note = () => {
    for (const tools of document.querySelectorAll("main section figure > .tools")) {
      const [section, figure] = [tools.closest("section"), tools.closest("figure")];
      const from = getComputedStyle(figure).position === "sticky" ? figure : section;
      const top = Math.round(tools.getBoundingClientRect().top - from.getBoundingClientRect().top);
      window.tools[section.id] ??= [];
      if (window.tools[section.id].at(-1) !== top) window.tools[section.id].push(top);
    }
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

for (const width of [360, 1280]) {
  test(`nothing moves while the page and what is near its beginning arrive: ${width} px`, async ({ open }) => {
    const library = holding(/\.wasm$/);
    const route = async (target) => {
      await target.addInitScript(noteShifts);
      await library.route(target);
    };
    const page = await open({ ready: false, width, route });
    // While the library is fetched, a sentence says so.
    await page.waitForSelector("main [role=status]");
    library.arrive();
    await page.waitForSelector("#problem .problem-picture");
    await page.waitForSelector("#contents .unfold");
    await page.waitForLoadState("networkidle");
    await expect.poll(() => page.evaluate(() => window.shifts)).toEqual([]);
    // Nor while the tools answer an example.
    await page.goto(new URL("tools.html", page.url()).href);
    await page.waitForSelector("#result .verdict");
    await redrawn(page);
    expect(await page.evaluate(() => window.shifts.reduce((sum, [value]) => sum + value, 0))).toBeLessThan(0.01);
  });

  test(`nothing in sight moves while figures arrive below: ${width} px @all`, async ({ open }) => {
    const page = await open({ ready: "problem", width, route: (target) => target.addInitScript(noteShifts) });
    const isAtEnd = () => page.evaluate(() => innerHeight + scrollY >= document.body.offsetHeight - 1);
    while (!(await isAtEnd())) {
      await page.mouse.wheel(0, 400);
      await nearDrawn(page);
      await redrawn(page);
    }
    await expect.poll(() => page.evaluate(() => window.shifts)).toEqual([]);
  });

  test(`a figure's tools stay where they are first, however late programs come: ${width} px @all`, async ({ open }) => {
    const route = async (target) => {
      await target.addInitScript(noteTools);
      await target.route(/\.js$/, (answer) => setTimeout(() => answer.continue(), 300));
    };
    const page = await open({ width, route });
    for (const section of await page.locator("main section").all()) {
      await section.evaluate((shown) => shown.scrollIntoView({ block: "end", behavior: "instant" }));
      await redrawn(page);
    }
    await page.waitForLoadState("networkidle");
    await redrawn(page);
    const tools = Object.entries(await page.evaluate(() => window.tools));
    expect(tools.length).toBe(12);
    expect(tools.filter(([, places]) => places.length > 1)).toEqual([]);
  });
}

test("a link leads to a panel that is not there yet; who leaves it is not taken back", async ({ open }) => {
  const page = await open({ hash: "#at=choose", ready: "choose", height: 600 });
  await redrawn(page);
  const title = await page.locator("#choose-title").boundingBox();
  expect(title.y >= 0 && title.y + title.height <= 600).toBeTruthy();
  await expect(page.locator("#choose-title")).toBeFocused();
  // Pages see nothing of a scroll bar but that they were scrolled.
  await scrollTo(page, "rope");
  await page.waitForSelector("#rope .rope-plane");
  await page.waitForFunction(() => !document.querySelector("#pairs.waiting"));
  await redrawn(page);
  expect(await top(page, "#choose")).toBeGreaterThan(1500);
});

test("a figure that a reader works with stays where it is when those above it arrive", async ({ open }) => {
  const { arrive, route } = holding(/assets\/decay-[\w-]+\.js$/);
  const page = await open({ hash: "#at=context", ready: false, route });
  await page.waitForSelector("#context .context-picture");
  await redrawn(page);
  await page.locator("#context .context-picture").press("ArrowRight");
  await redrawn(page);
  expect(await waiting(page)).toContain("decay");
  const before = await top(page, "#context .context-picture");
  arrive();
  await page.waitForSelector("#decay .tools");
  await redrawn(page);
  expect(Math.abs((await top(page, "#context .context-picture")) - before)).toBeLessThanOrEqual(1);
  await expect(page.locator("#context-pair")).toHaveValue("41");
});

test("a reader who turns the screen goes on where they were @all", async ({ open }) => {
  const page = await open({ ready: "relative", width: 844, height: 390 });
  await linkWritten(page);
  const before = await top(page, "#relative");
  expect(Math.abs(before)).toBeLessThan(100);
  await page.setViewportSize({ width: 390, height: 844 });
  await redrawn(page);
  await nearDrawn(page);
  await redrawn(page);
  expect(Math.abs((await top(page, "#relative")) - before), `from ${before} px`).toBeLessThanOrEqual(1);
});
