import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { load } from "../../../dist/lab.js";
import { expect, test } from "../fixtures.mjs";

// The stored results of trainings: that they are whole, and that a training gives them again.

const file = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const text = file("web/src/training/results.json");
const stored = JSON.parse(text);
const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
/** The upper halves of losses are stored. */
const halves = (losses) => new Uint16Array(new Uint8Array(Buffer.from(losses, "base64")).buffer);
const unpacked = (losses) => new Float32Array(Uint32Array.from(halves(losses), (half) => half << 16).buffer);

test("they are of this version and text, with three trainings of each encoding, in at most 20 KB", () => {
  expect(text.length).toBeLessThanOrEqual(20_000);
  expect(stored.posenc).toBe(JSON.parse(file("package.json")).version);
  expect(stored.text).toBe(hashOf(file("web/public/opticks.txt")));
  expect(Object.keys(stored.tasks)).toEqual(["text", "order", "back", "roles"]);
  for (const [task, { encodings, isText, options, stretches }] of Object.entries(stored.tasks)) {
    expect(options.task.type).toBe(task);
    expect(stretches).toEqual(task === "roles" ? [1] : [1, 2, 4, 8]);
    for (const [name, { short, gflop, tested = {}, runs }] of Object.entries(encodings)) {
      const what = `${task}, ${name}`;
      expect(short, what).toMatch(/^[\da-f]{16}$/);
      expect(gflop, what).toBeGreaterThanOrEqual(10);
      expect(runs.length, what).toBeGreaterThanOrEqual(3);
      expect(new Set(runs.map(([hash]) => hash)).size, what).toBe(runs.length);
      for (const [hash, losses, tests] of runs) {
        expect(hash, what).toMatch(/^[\da-f]{16}$/);
        expect(unpacked(losses).length, what).toBe(25);
        expect(
          unpacked(losses).every((loss) => loss >= 0 && loss < 5),
          what,
        ).toBeTruthy();
        expect(tests.length, what).toBe(1 + Object.keys(tested).length);
        for (const values of tests) {
          expect(values.length, what).toBe(stretches.length);
          for (const value of values) {
            expect(isText ? value > 1 : value >= 0 && value <= 1, `${what}: ${value}`).toBeTruthy();
            expect(Number(Math.fround(value).toPrecision(9)), what).toBe(value);
          }
        }
      }
    }
  }
});

test("a training of order without positions gives the stored bits again, a short one too @all", async () => {
  const lab = await load();
  const { options, longest, stretches, encodings } = stored.tasks.order;
  const { encoding, short, runs } = encodings.none;
  const [[hash, losses, [tests]]] = runs;
  const trained = (steps) => {
    const training = lab.training({ ...options, optimizer: { ...options.optimizer, steps }, encoding, seed: 1 });
    const seen = Float32Array.from({ length: 25 }, () => training.step(steps / 25).loss);
    const values = training.values();
    const weights = hashOf(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    const given = stretches.map((factor) => Math.fround(training.evaluate({ n: factor * longest }).accuracy));
    training.dispose();
    return { weights, seen, given };
  };
  const { steps } = options.optimizer;
  const whole = trained(steps);
  expect(whole.weights).toBe(hash);
  expect(new Uint32Array(whole.seen.buffer).map((bits) => bits >>> 16)).toEqual(Uint32Array.from(halves(losses)));
  expect(whole.given).toEqual(tests.map((value) => Math.fround(value)));
  expect(trained(steps / stored.less).weights).toBe(short);
});
