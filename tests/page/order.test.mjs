import assert from "node:assert/strict";
import { test } from "node:test";
import { pageTests, settled, showTable, words } from "./browser.mjs";

// Order blindness: attention of made-up word vectors in two orders, worked out here in doubles.

const { onPage } = pageTests();
const onPanel = (hash, check) => onPage({ hash, ready: "order" }, check);
const number = (text) => Number(text.replaceAll("−", "-"));
const dim = 16;

/** The sinusoid at any position. */
const code = (position) =>
  Array.from({ length: dim }, (_, lane) => {
    const angle = position / 10000 ** ((2 * Math.floor(lane / 2)) / dim);
    return lane % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });

/** A word's vector: the sinusoid at a number made of its letters by FNV-1a. */
function vector(word) {
  let hash = 0x811c9dc5;
  for (const letter of word.toLowerCase().replace(/\p{P}/gu, ""))
    hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193);
  return code(hash >>> 1);
}

const dot = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0);

function attention(query, key, value, bias = () => 0) {
  return query.map((q, i) => {
    const weights = key.map((k, j) => Math.exp(dot(q, k) / Math.sqrt(dim) + bias(i, j)));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    return value[0].map((_, lane) => weights.reduce((sum, weight, j) => sum + (weight / all) * value[j][lane], 0));
  });
}

const rotatedTo = (x, position) =>
  x.map((value, lane) => {
    const half = dim / 2;
    const angle = position / 10000 ** ((2 * (lane % half)) / dim);
    return lane < half
      ? value * Math.cos(angle) - x[lane + half] * Math.sin(angle)
      : value * Math.cos(angle) + x[lane - half] * Math.sin(angle);
  });

const outputs = {
  none: (x) => attention(x, x, x),
  sinusoid: (x) => {
    const sum = x.map((row, position) => row.map((value, lane) => value + code(position)[lane]));
    return attention(sum, sum, sum);
  },
  rope: (x) => {
    const rotated = x.map(rotatedTo);
    return attention(rotated, rotated, x);
  },
  alibi: (x) => attention(x, x, x, (i, j) => -Math.abs(i - j) / 2),
};

/** The largest change of each word's output; `places` says where each word went. */
function changes(encoding, sentence, places) {
  const moved = [];
  sentence.forEach((word, at) => {
    moved[places[at]] = word;
  });
  const [one, other] = [sentence, moved].map((list) => outputs[encoding](list.map(vector)));
  return one.map((row, at) => Math.max(...row.map((value, lane) => Math.abs(value - other[places[at]][lane]))));
}

const rowNames = ["none", "sinusoid", "learned", "rope", "alibi"];

/** The numbers of the panel's table: the largest change, a line for each encoding. */
async function shown(page) {
  await settled(page);
  const cells = await page
    .locator("#order .data-table tbody tr")
    .evaluateAll((all) => all.map((line) => [line.cells[0].textContent, line.cells[4].textContent]));
  return Object.fromEntries(
    rowNames.map((name) => [name, cells.filter(([own]) => own === name).map(([, value]) => number(value))]),
  );
}

async function agree(page, sentence, places) {
  const found = await shown(page);
  assert.ok(Math.max(...found.none) < 1e-6, `without positions: ${found.none}`);
  for (const encoding of ["sinusoid", "rope", "alibi"]) {
    const expected = changes(encoding, sentence, places);
    assert.equal(found[encoding].length, sentence.length);
    found[encoding].forEach((value, at) => {
      assert.ok(Math.abs(value - expected[at]) < 2e-6, `${encoding} ${at}: ${value}, expected ${expected[at]}`);
    });
  }
}

const cat = ["The", "cat", "sat", "on", "the", "mat"];
const chips = async (page) => {
  await settled(page);
  return (await page.locator("#order .chip-word").allInnerTexts()).join(" ");
};

test("document 002's two orders: no change without position, the right change with each encoding", () =>
  onPanel("", async (page) => {
    await showTable(page, "order");
    assert.equal(await chips(page), "On mat the sat cat the.");
    await agree(page, cat, [2, 4, 3, 0, 5, 1]);
    // The learned table's numbers come from a seed that only the library knows how to use.
    assert.ok(Math.max(...(await shown(page)).learned) > 0.1);
    await page.click('#order [data-example="我爱你"]');
    assert.equal(await chips(page), "你 爱 我");
    // Read as a sentence, 我爱你 reversed: ALiBi does not see the direction.
    const found = await shown(page);
    assert.ok(Math.max(...found.none, ...found.alibi) < 1e-6);
    assert.ok(Math.min(Math.max(...found.sinusoid), Math.max(...found.rope)) > 0.01);
    assert.match(await words(page.locator("#order-caption")), /^“我 爱 你” against “你 爱 我”/);
  }));

test("words are moved by their buttons, by dragging and by shuffling; the link keeps the order", () =>
  onPanel("#again=The cat sat on the mat.", async (page) => {
    await showTable(page, "order");
    await agree(page, cat, [0, 1, 2, 3, 4, 5]);
    const found = await shown(page);
    assert.ok(Math.max(...found.sinusoid, ...found.learned, ...found.rope, ...found.alibi) === 0);

    await page.locator('#order [data-chip="1"] [data-by="1"]').focus();
    await page.keyboard.press("Enter");
    await settled(page);
    await page.keyboard.press("Enter");
    assert.equal(await chips(page), "The sat on cat the mat.");
    await agree(page, cat, [0, 3, 1, 2, 4, 5]);
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes("The+sat+on+cat"));

    const first = page.locator('#order [data-chip="0"] .chip-word');
    await first.scrollIntoViewIfNeeded();
    const [from, to] = [await first.boundingBox(), await page.locator('#order [data-chip="5"]').boundingBox()];
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2);
    await page.mouse.up();
    assert.equal(await chips(page), "sat on cat the mat. The");

    await page.click('#order [data-tool="shuffle"]');
    const shuffled = await chips(page);
    assert.notEqual(shuffled, "sat on cat the mat. The");
    assert.deepEqual(shuffled.split(" ").sort(), "sat on cat the mat. The".split(" ").sort());
  }));

test("the chosen word's change to six digits, by keys, in a text of one's own", () =>
  onPanel("", async (page) => {
    await page.fill("#row-orderText", "red fish, blue fish");
    assert.equal(await chips(page), "red fish, blue fish");
    await page.locator('#order [data-chip="0"] [data-by="1"]').click();
    await page.locator("#order-matrix").focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await settled(page);
    const text = await words(page.locator("#order .equation"));
    assert.match(text, /^sinusoid, blue, lane \d+: \|y − y′\| = \|−?\d\.\d{6} − −?\d\.\d{6}\| = /);
    const value = number(await words(page.locator("#order [data-change]")));
    const expected = changes("sinusoid", ["red", "fish", "blue", "fish"], [1, 0, 2, 3])[2];
    assert.ok(Math.abs(value - expected) < 2e-6, `${value}, expected ${expected}`);
  }));
