// Instances of the library, in one thread and in several.
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { whole } from "../api/testing/calls/calls.mjs";
import { Inputs } from "../api/testing/inputs.mjs";
import { load, together } from "../api/testing/whole-library.mjs";
import { digest } from "./digest.mjs";
import { random } from "./random.mjs";

const pe = await load();
const loadAnother = async (entry) => (await import(`${import.meta.resolve(entry)}?another`)).load();
const [anotherTools, anotherLab] = await Promise.all(["posenc/tools", "posenc/lab"].map(loadAnother));
/** Made separately by this entry, and by the same file imported once more. */
const others = {
  "load({ shared: false })": await load({ shared: false }),
  "another import": together(anotherTools, anotherLab),
};

for (const [how, another] of Object.entries(others)) {
  test(`${how}: a memory of its own, and neither takes what is the other's`, () => {
    const [mine, other] = [pe.buffer(8), another.buffer(8)];
    assert.notEqual(mine.view.buffer, other.view.buffer);
    mine.view.fill(1);
    other.view.fill(2);
    const [rope, otherRope] = [pe, another].map((library) => library.rotary({ dim: 4, layout: "half" }));
    const x = new Float32Array(4).fill(1);
    for (const wrong of [
      () => pe.rotaryMatrix({ rotary: otherRope, position: 1 }),
      () => another.rotaryMatrix({ rotary: rope, position: 1 }),
      () => pe.rotateAgain(x, { shape: [1, 4], from: rope, to: otherRope }),
      () => pe.rotaryCache({ rotary: otherRope, form: "onnx", length: 2 }),
      () => rope.step(other, { shape: [2, 4] }),
    ]) {
      assert.throws(wrong, { name: "TypeError", message: /^(rotary|to|x): / });
    }
    // The view of another's buffer is an array as any other.
    rope.apply(other.view, { shape: [2, 4], positions: [0, 0] });
    assert.deepEqual([...other.view], Array(8).fill(2));
    rope.delete();
    otherRope.apply(x, { shape: [1, 4], offset: 0 });
    assert.deepEqual([...x], Array(4).fill(1));
    mine.delete();
    assert.deepEqual([...other.view], Array(8).fill(2));
    other.delete();
  });

  test(`${how}: the same bits, turn by turn`, () => {
    for (const [name, maker] of Object.entries(whole.makers)) {
      const [mine, other] = [pe, another].map((library) => maker(library, new Inputs()));
      assert.deepEqual(mine({}), other({}), name);
    }
  });
}

test("four threads at once compute the bits of this one", async () => {
  const expected = digest(pe);
  const workers = Array.from({ length: 4 }, () => new Worker(new URL("digest-worker.mjs", import.meta.url)));
  const digests = await Promise.all(workers.map(async (worker) => (await once(worker, "message"))[0]));
  assert.deepEqual(digests, Array(4).fill(expected));
  await Promise.all(workers.map((worker) => worker.terminate()));
});

test("eight threads ended within calls take nothing with them", async () => {
  const expected = digest(pe);
  const next = random(1);
  const ended = Array.from({ length: 8 }, async () => {
    const worker = new Worker(new URL("digest-worker.mjs", import.meta.url), { workerData: { forever: true } });
    await once(worker, "message");
    await setTimeout(next(40));
    await worker.terminate();
  });
  await Promise.all(ended);
  assert.equal(digest(pe), expected);
  const worker = new Worker(new URL("digest-worker.mjs", import.meta.url));
  assert.deepEqual(await once(worker, "message"), [expected]);
  await worker.terminate();
});
