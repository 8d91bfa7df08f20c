import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "../../dist/lab.js";

// The stored results of trainings: that they are whole, and that a training gives them again.

const file = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const text = file("web/src/training/results.json");
const stored = JSON.parse(text);
const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
/** Of losses the upper halves are stored. */
const halves = (losses) => new Uint16Array(new Uint8Array(Buffer.from(losses, "base64")).buffer);
const unpacked = (losses) => new Float32Array(Uint32Array.from(halves(losses), (half) => half << 16).buffer);

test("they are of this version and text, with three trainings of each encoding, in at most 20 KB", () => {
  assert.ok(text.length <= 20_000, `${text.length} bytes`);
  assert.equal(stored.posenc, JSON.parse(file("package.json")).version);
  assert.equal(stored.text, hashOf(file("web/public/opticks.txt")));
  assert.deepEqual(Object.keys(stored.tasks), ["text", "order", "back", "roles"]);
  for (const [task, { encodings, isText, options, stretches }] of Object.entries(stored.tasks)) {
    assert.equal(options.task.type, task);
    assert.deepEqual(stretches, task === "roles" ? [1] : [1, 2, 4, 8]);
    for (const [name, { short, gflop, tested = {}, runs }] of Object.entries(encodings)) {
      const what = `${task}, ${name}`;
      assert.match(short, /^[\da-f]{16}$/, what);
      assert.ok(gflop >= 10, what);
      assert.ok(runs.length >= 3, what);
      assert.equal(new Set(runs.map(([hash]) => hash)).size, runs.length, what);
      for (const [hash, losses, tests] of runs) {
        assert.match(hash, /^[\da-f]{16}$/, what);
        assert.equal(unpacked(losses).length, 25, what);
        assert.ok(
          unpacked(losses).every((loss) => loss >= 0 && loss < 5),
          what,
        );
        assert.equal(tests.length, 1 + Object.keys(tested).length, what);
        for (const values of tests) {
          assert.equal(values.length, stretches.length, what);
          for (const value of values) {
            assert.ok(isText ? value > 1 : value >= 0 && value <= 1, `${what}: ${value}`);
            assert.equal(Number(Math.fround(value).toPrecision(9)), value, what);
          }
        }
      }
    }
  }
});

test("a training of order without positions gives the stored weights, losses and tests again; a short one its hash", async () => {
  const lab = await load();
  const { options, longest, stretches, encodings } = stored.tasks.order;
  const { encoding, short, runs } = encodings.none;
  const [[hash, losses, [tests]]] = runs;
  const trained = (steps) => {
    const training = lab.training({ ...options, optimizer: { ...options.optimizer, steps }, encoding, seed: 1 });
    const seen = Float32Array.from({ length: 25 }, () => training.step(steps / 25).loss);
    const { values } = training.checkpoint();
    const weights = hashOf(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    const given = stretches.map((factor) => Math.fround(training.evaluate({ n: factor * longest }).accuracy));
    training.dispose();
    return { weights, seen, given };
  };
  const { steps } = options.optimizer;
  const whole = trained(steps);
  assert.equal(whole.weights, hash);
  assert.deepEqual(
    new Uint32Array(whole.seen.buffer).map((bits) => bits >>> 16),
    Uint32Array.from(halves(losses)),
  );
  assert.deepEqual(
    whole.given,
    tests.map((value) => Math.fround(value)),
  );
  assert.equal(trained(steps / stored.less).weights, short);
});
