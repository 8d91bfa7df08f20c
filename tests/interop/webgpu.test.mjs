// The shaders of posenc/wgsl on Chromium's software adapter, run by the guide's own code, against values computed here.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { root } from "../../bindings/setup/paths.mjs";
import { blocksOf, textOf } from "../api/guide/pages.mjs";
import { launchOptions } from "../page/browser.mjs";

const ADDRESS = "http://localhost/";
const FILES = { posenc: "index", "posenc/full": "full", "posenc/wgsl": "wgsl" };
const imports = Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, `./dist/${file}.js`]));
const HTML = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;
const [{ code }] = blocksOf(textOf("webgpu"));

let browser;
let page;
before(async () => {
  const args = [...launchOptions.args, "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];
  browser = await chromium.launch({ ...launchOptions, args: args.filter((arg) => arg !== "--disable-gpu") });
  page = await browser.newPage();
  await page.route(`${ADDRESS}**`, (route) => {
    const path = new URL(route.request().url()).pathname;
    if (path === "/") return route.fulfill({ contentType: "text/html", body: HTML });
    const body = path === "/guide.js" ? code : readFileSync(join(root, path));
    return route.fulfill({ contentType: "text/javascript", body });
  });
  await page.goto(ADDRESS);
  await page.evaluate(async (guide) => {
    const adapter = await navigator.gpu.requestAdapter();
    Object.assign(globalThis, await import(guide), await import("posenc/wgsl"), {
      pe: await (await import("posenc/full")).load(),
      device: await adapter.requestDevice(),
    });
  }, "/guide.js");
});
after(() => browser?.close());

/** Runs a function of the page, which gives an array of numbers. */
const inPage = async (what, given) => (await page.evaluate(what, given)).map((list) => Float64Array.from(list));

/** 2π to 60 decimals. */
const TURN = 6283185307179586476925286766559005768394338798750211641949889n;
const UNIT = 10n ** 60n;
/** The angle of a whole position at a frequency 2^-shift, less its whole turns. */
const angle = (position, shift) => Number(((BigInt(position) * UNIT) >> BigInt(shift)) % TURN) / 1e60;

/** Frequencies 1, 2^-4, 2^-8, 2^-12: base 65536 and eight dimensions. */
const SHIFTS = [0, 4, 8, 12];
const POSITIONS = [0, 1, 1000, 2047, 2048, 100_000, 131_071, 2 ** 24 + 1, 2 ** 31 - 1];

/** How far rotated values are from those of formulas, over the length of their pair. */
function worst(x, rotated, { pairOf, turnOf, dim }) {
  let largest = 0;
  for (let head = 0; head < x.length; head += dim)
    for (let pair = 0; pair < dim / 2; ++pair) {
      const [a, b] = pairOf(pair);
      if (b >= dim) continue;
      const { cos, sin } = turnOf(head / dim, pair);
      const [xa, xb] = [x[head + a], x[head + b]];
      const length = Math.hypot(xa, xb);
      const wanted = [xa * cos - xb * sin, xa * sin + xb * cos];
      for (const [i, value] of [rotated[head + a], rotated[head + b]].entries())
        largest = Math.max(largest, Math.abs(value - wanted[i]) / length);
    }
  return largest;
}

for (const layout of ["half", "interleaved"])
  for (const seqAxis of [0, 1])
    for (const tables of [undefined, 2])
      test(`rotated at positions to 2^31: ${layout}, seqAxis ${seqAxis}, ${tables ?? 3} tables`, async () => {
        const heads = 3;
        const given = { layout, seqAxis, tables, positions: POSITIONS, heads };
        const [x, rotated, back] = await inPage(async ({ positions, heads, layout, seqAxis, tables }) => {
          const plan = pe.rotary({ dim: 8, layout, base: 65536 });
          const x = Float32Array.from({ length: positions.length * heads * 8 }, (_, i) => Math.sin(i + 1));
          const at = Uint32Array.from(positions);
          const rotated = await run(device, rotaryShader(plan, { seqAxis, tables }), [x, at], positions.length, heads);
          const inverse = rotaryShader(plan, { seqAxis, tables, inverse: true });
          const back = await run(device, inverse, [rotated, at], positions.length, heads);
          return [x, rotated, back].map((list) => Array.from(list));
        }, given);
        const pairOf = (pair) => (layout === "half" ? [pair, pair + 4] : [2 * pair, 2 * pair + 1]);
        const turnOf = (head, pair) => {
          const token = seqAxis === 0 ? Math.floor(head / heads) : head % POSITIONS.length;
          const turn = angle(POSITIONS[token], SHIFTS[pair]);
          return { cos: Math.cos(turn), sin: Math.sin(turn) };
        };
        // The product's own rounding beside the stated bound of a cosine and a sine.
        const bound = Math.SQRT2 * (tables === 2 ? 2 ** -22 : 2 ** -21) + 2 ** -23;
        assert.ok(worst(x, rotated, { pairOf, turnOf, dim: 8 }) < bound);
        assert.ok(Math.max(...x.map((value, i) => Math.abs(value - back[i]))) < 2.5 * bound);
      });

test("a part of the dimensions, an attention factor, and M-RoPE's axes, as the library rotates", async () => {
  const results = await page.evaluate(async () => {
    const scaling = { type: "yarn", factor: 8, originalLength: 4096 };
    const mrope = { dim: 128, base: 1000000 };
    const plans = [
      pe.rotary({ dim: 128, rotaryDim: 32, layout: "half" }),
      pe.rotary({ dim: 128, layout: "interleaved", scaling }),
      pe.mrope({ ...mrope, layout: "half", sections: [16, 24, 24], order: "chunked" }),
      pe.mrope({ ...mrope, layout: "half", sections: [24, 20, 20], order: "interleaved" }),
      pe.mrope({ ...mrope, layout: "interleaved", sections: [20, 22, 22], order: "time-last" }),
    ];
    const all = [];
    for (const plan of plans) {
      const axes = plan.axes ?? 1;
      const [tokens, heads] = [5, 2];
      const x = Float32Array.from({ length: tokens * heads * 128 }, (_, i) => Math.sin(i + 1));
      const positions = Uint32Array.from({ length: axes * tokens }, (_, i) => (i * 7919) % 40000);
      const rotated = await run(
        device,
        rotaryShader(plan, { seqAxis: 0, length: 40000 }),
        [x, positions],
        tokens,
        heads,
      );
      const ids = axes === 1 ? Array.from(positions) : { data: Array.from(positions), shape: [axes, tokens] };
      const wanted = plan.apply(x.slice(), { shape: [tokens, heads, 128], seqAxis: 0, positions: ids });
      const moved = wanted.filter((value, i) => Math.abs(value - x[i]) > 0.01).length;
      all.push({ error: Math.max(...wanted.map((value, i) => Math.abs(value - rotated[i]))), moved });
    }
    return all;
  });
  for (const { error, moved } of results) {
    assert.ok(moved > 200, `${moved} values turned`);
    // Two tables, pairs of at most √2, a factor of 1.21.
    assert.ok(error < 1e-6, `${error}`);
  }
});

test("a table's rows are added, those beyond it are not; biases of ALiBi and T5 at every distance", async () => {
  const [added, table, alibi, slopes, linear, t5] = await inPage(async () => {
    const table = pe.sinusoidal({ length: 6, dim: 10 }).data;
    const rows = tableShader({ data: table, shape: [6, 10] });
    const added = await run(device, rows, [new Float32Array(40).fill(1), Uint32Array.of(5, 0, 6, 2)], 4);
    const slopes = pe.alibiSlopes({ heads: 3 });
    const scores = () => new Float32Array(3 * 2 * 300);
    const alibi = await run(device, alibiShader({ slopes }), [scores()], 3, 2, 300, 100);
    const linear = await run(
      device,
      alibiShader({ slopes: slopes.data, distance: "linear" }),
      [scores()],
      3,
      2,
      300,
      100,
    );
    const buckets = { data: Float32Array.from({ length: 32 * 3 }, (_, i) => Math.floor(i / 3)), shape: [32, 3] };
    const compact = { queries: 129, keys: 129, form: "compact" };
    const bias = pe.t5({ table: buckets, bidirectional: true, ...compact });
    const t5 = await run(device, relativeBiasShader(bias), [scores()], 3, 2, 300, 100);
    return [added, table, alibi, slopes.data, linear, t5].map((list) => Array.from(list));
  });
  for (const [token, row] of [5, 0, undefined, 2].entries())
    for (let i = 0; i < 10; ++i)
      assert.equal(added[10 * token + i], row === undefined ? 1 : Math.fround(1 + table[10 * row + i]));
  // Raffel et al.'s buckets, 32 both ways.
  const bucket = (distance) => {
    const n = Math.abs(distance);
    const far = 8 + Math.floor((Math.log(n / 8) / Math.log(128 / 8)) * 8 + 1e-9);
    return (distance > 0 ? 16 : 0) + (n < 8 ? n : Math.min(far, 15));
  };
  for (let i = 0; i < t5.length; ++i) {
    const distance = (i % 300) - (100 + (Math.floor(i / 300) % 2));
    const slope = slopes[Math.floor(i / 600)];
    assert.equal(alibi[i] + 0, Math.fround(-slope * Math.abs(distance)) + 0);
    assert.equal(linear[i] + 0, Math.fround(slope * distance) + 0);
    assert.equal(t5[i], bucket(distance), `distance ${distance}`);
  }
});

test("a shader that computes the angles is off by as much as the guide's table says", async () => {
  const rows = [...textOf("webgpu").matchAll(/^\| ([\d,]+) +\| ([\d.e-]+) +\| ([\d.e-]+)/gm)];
  assert.ok(rows.length >= 5);
  const positions = rows.map(([, position]) => Number(position.replaceAll(",", "")));
  const measured = await page.evaluate(async (positions) => {
    const plan = pe.rotary({ dim: 128, layout: "half", base: 10000 });
    const shader = rotaryShader(plan, { seqAxis: 0 });
    const naive = shader.code.replace(
      /fn rotation\([^}]*\}/,
      `fn rotation(position: u32, pair: u32) -> vec2f {
        let angle = f32(position) * pow(10000.0, -2.0 * f32(pair) / 128.0) + 0.0 * tables[0].x;
        return vec2f(cos(angle), sin(angle));
      }`,
    );
    const exact = plan.cache({ positions });
    const errors = [];
    for (const code of [naive, shader.code]) {
      const x = Float32Array.from({ length: positions.length * 128 }, (_, i) => Number(i % 128 < 64));
      const turned = await run(device, { ...shader, code }, [x, Uint32Array.from(positions)], positions.length, 1);
      errors.push(
        positions.map((_, row) => {
          let largest = 0;
          for (let pair = 0; pair < 64; ++pair) {
            const [cos, sin] = [exact.cos.data[row * 64 + pair], exact.sin.data[row * 64 + pair]];
            largest = Math.max(
              largest,
              Math.abs(turned[row * 128 + pair] - cos),
              Math.abs(turned[row * 128 + 64 + pair] - sin),
            );
          }
          return largest;
        }),
      );
    }
    return errors;
  }, positions);
  for (const [i, [, position, naive, tables]] of rows.entries()) {
    const said = `${position}: ${measured[0][i].toPrecision(2)}, ${measured[1][i].toPrecision(2)}`;
    // Another version of the adapter may have other sines.
    assert.ok(measured[0][i] / Number(naive) > 0.2 && measured[0][i] / Number(naive) < 5, said);
    assert.ok(measured[1][i] <= 1.5 * Number(tables) && Number(tables) <= 2 ** -21, said);
  }
});
