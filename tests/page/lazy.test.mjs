import assert from "node:assert/strict";
import { test } from "node:test";
import { nearDrawn, pageTests, rested, saved, settled, showTable, words } from "./browser.mjs";

// Panels that are fetched when they are needed, and steps back and forward.

const { open, onPage } = pageTests();

const panelFile = /assets\/rope-[\w-]+\.js$/;
const waiting = (page) => page.locator("section.waiting").evaluateAll((all) => all.map(({ id }) => id));

test("a panel far below is fetched when it comes near, and not before", async () => {
  const fetched = [];
  const isFetched = () => fetched.some((url) => panelFile.test(url));
  const route = async (target) => {
    target.on("request", (request) => fetched.push(request.url()));
    // So that the page can be printed, every panel is fetched once there is nothing else to do: not here.
    await target.route(/assets\/later-[\w-]+\.js$/, () => {});
  };
  await onPage({ ready: "heatmap", height: 600, route }, async (page) => {
    const far = await waiting(page);
    assert.ok(far.includes("rope"), far.join());
    assert.match(await words(page.locator("#rope-title")), /Rotating/);
    assert.ok(!isFetched());
    await page.evaluate(() => document.getElementById("rope").scrollIntoView({ behavior: "instant" }));
    await page.waitForSelector("#rope .rope-plane");
    assert.ok(isFetched());
    assert.ok(!(await waiting(page)).includes("rope"));
  });
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

for (const width of [360, 1280])
  test(`nothing moves while the page and what is near its beginning arrive: ${width} px`, async () => {
    let arrive;
    const arrived = new Promise((done) => {
      arrive = done;
    });
    const route = async (target) => {
      await target.addInitScript(noteShifts);
      await target.route(/\.wasm$/, (answer) => arrived.then(() => answer.continue()));
    };
    await onPage({ ready: false, width, route }, async (page) => {
      // A library that takes its time: a sentence says so.
      await page.waitForSelector("main [role=status]");
      arrive();
      await page.waitForSelector("#problem .problem-picture");
      await page.waitForSelector("#contents .unfold");
      await page.waitForLoadState("networkidle");
      await settled(page);
      assert.deepEqual(await page.evaluate(() => window.shifts), []);
    });
  });

for (const width of [360, 1280])
  test(`nothing in sight moves while figures arrive below, read slowly from top to end: ${width} px`, () =>
    onPage({ ready: "problem", width, route: (target) => target.addInitScript(noteShifts) }, async (page) => {
      const isAtEnd = () => page.evaluate(() => innerHeight + scrollY >= document.body.offsetHeight - 1);
      while (!(await isAtEnd())) {
        await page.mouse.wheel(0, 400);
        await nearDrawn(page);
        await settled(page);
      }
      assert.deepEqual(await page.evaluate(() => window.shifts), []);
    }));

test("a link to a panel that is not there yet leads to it", () =>
  onPage({ hash: "#at=rope", ready: "rope", height: 600 }, async (page) => {
    await page.waitForSelector("#rope .rope-plane");
    await settled(page);
    const inSight = await page.evaluate(() => {
      const box = document.getElementById("rope-title").getBoundingClientRect();
      return box.top >= 0 && box.bottom <= innerHeight;
    });
    assert.ok(inSight);
    assert.equal(await page.evaluate(() => document.activeElement.id), "rope-title");
  }));

test("a reader who leaves that panel by the scroll bar is not taken back when others grow", () =>
  onPage({ hash: "#at=precision", ready: "precision", height: 600 }, async (page) => {
    await settled(page);
    // A scroll bar tells pages nothing but that they were scrolled.
    await page.evaluate(() => document.getElementById("rope").scrollIntoView({ behavior: "instant" }));
    await page.waitForSelector("#rope .rope-plane");
    await page.waitForFunction(() => !document.querySelector("#score.waiting"));
    await settled(page);
    const below = await page.evaluate(() => document.getElementById("precision").getBoundingClientRect().top);
    assert.ok(below > 3000, `what was left is ${below} px from the top`);
  }));

test("a figure that a reader works with stays where it is when those above it arrive", async () => {
  let arrive;
  const arrived = new Promise((done) => {
    arrive = done;
  });
  const held = /assets\/decay-[\w-]+\.js$/;
  const route = (target) => target.route(held, (answer) => arrived.then(() => answer.continue()));
  await onPage({ hash: "#at=context", ready: false, route }, async (page) => {
    await page.waitForSelector("#context .pick");
    await settled(page);
    const top = () => page.locator("#context .pick").evaluate((figure) => figure.getBoundingClientRect().top);
    await page.locator("#context .pick").focus();
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.ok((await waiting(page)).includes("decay"));
    const before = await top();
    arrive();
    await page.waitForSelector("#decay .tools");
    await settled(page);
    assert.ok(Math.abs((await top()) - before) <= 1, `from ${before} px to ${await top()}`);
    assert.equal(await page.inputValue("#context-pair"), "41");
  });
});

test("a panel that cannot be fetched says so, leaves the others alone and can be tried again", async () => {
  let broken = true;
  const { page, context } = await open({
    ready: "heatmap",
    height: 600,
    route: (target) => target.route(panelFile, (route) => (broken ? route.abort() : route.continue())),
  });
  await page.evaluate(() => document.getElementById("rope").scrollIntoView({ behavior: "instant" }));
  await page.waitForSelector('#rope [role="alert"]');
  assert.match(await words(page.locator('#rope [role="alert"]')), /could not be fetched/);
  await page.evaluate(() => document.getElementById("sum").scrollIntoView({ behavior: "instant" }));
  await page.waitForSelector("#sum .sums");
  broken = false;
  await page.click("#rope .again");
  await page.waitForSelector("#rope .rope-plane");
  await context.close();
});

test("back and forward undo and redo what was done; one drag is one step", () =>
  onPage({ ready: "heatmap" }, async (page) => {
    const length = () => page.inputValue("#row-length");
    const hash = (value) => page.waitForFunction((wanted) => location.hash === wanted, value);
    const before = await page.evaluate(() => history.length);
    await page.fill("#row-length", "50");
    await hash("#n=50");

    const range = page.locator('#heatmap input[type="range"]').nth(1);
    await range.scrollIntoViewIfNeeded();
    const box = await range.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    for (const part of [0.4, 0.5, 0.6]) {
      await page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
      await rested(page);
    }
    await page.mouse.up();
    await rested(page);
    const dragged = await page.evaluate(() => location.hash);
    assert.match(dragged, /^#n=50&d=\d+$/);
    assert.equal(await page.evaluate(() => history.length), before + 2);

    await page.goBack();
    await hash("#n=50");
    await settled(page);
    assert.equal(await page.inputValue("#row-dim"), "128");
    await page.goBack();
    await hash("");
    await settled(page);
    assert.equal(await length(), "128");
    await page.goForward();
    await page.goForward();
    await hash(dragged);
    await settled(page);
    assert.equal(await length(), "50");
    assert.equal(await page.inputValue("#row-dim"), new URLSearchParams(dragged.slice(1)).get("d"));
  }));

test("a panel's numbers as a table: the lines of its file, a large one cut with a note", () =>
  onPage({ hash: "#n=60&d=3", ready: "heatmap" }, async (page) => {
    const button = page.locator('#heatmap [data-tool="table"]');
    assert.equal(await button.getAttribute("aria-expanded"), "false");
    await showTable(page, "heatmap");
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    const lines = page.locator("#heatmap .data-table tbody tr");
    assert.equal(await lines.count(), 50);
    const cells = (await lines.nth(2).locator("th, td").allInnerTexts()).map((cell) => Number(cell.replace("−", "-")));
    assert.equal(cells[0], 2);
    assert.equal(cells[1], Number(Math.fround(Math.sin(2)).toPrecision(7)));
    assert.equal(cells[2], Number(Math.fround(Math.cos(2)).toPrecision(7)));
    assert.match(await words(page.locator("#heatmap figure > .note").last()), /50 rows/);
    await page.fill("#row-length", "20");
    await settled(page);
    assert.equal(await lines.count(), 20);
    await button.click();
    assert.equal(await lines.count(), 0);
  }));

test("a picture of a figure is a PNG of twice its size", () =>
  onPage({ ready: "sum" }, async (page) => {
    const file = await saved(page, "sum", "png");
    assert.equal(file.subarray(1, 4).toString("latin1"), "PNG");
    const width = await page
      .locator("#sum .plane")
      .evaluateAll((all) => all.reduce((sum, { viewBox }) => sum + viewBox.baseVal.width, 0));
    assert.equal(file.readUInt32BE(16), Math.ceil(2 * width));
  }));
