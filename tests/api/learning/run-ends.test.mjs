// How a run ends before its time: all its promises settle, with an error that names the reason.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { load } from "posenc/lab";

const lab = await load();

const long = {
  task: { type: "order", longest: 6 },
  encoding: { type: "rope" },
  model: { width: 16 },
  optimizer: { steps: 2 ** 20, batch: 10 },
  stretch: 2,
  every: 10,
  lengths: [],
};

const workerUrl = new URL(import.meta.resolve("posenc/lab-worker"));

async function through(run) {
  for await (const _ of run);
}

/** All that can wait for a run; once all wait, `end` is called, and each has to settle with `wanted`. */
async function allReject(run, end, wanted) {
  const waiting = [through(run), run.values(), run.evaluate({ sequences: 2 ** 20 }), run.evaluate()];
  const settled = Promise.allSettled(waiting);
  await end();
  for (const { reason } of await settled)
    assert.throws(() => {
      throw reason;
    }, wanted);
  for (const late of [() => run.values(), () => run.stretch(), () => through(run)]) await assert.rejects(late, wanted);
}

test("disposed of while everything waits", async () => {
  const wanted = { name: "TypeError", message: /^run: "a deleted one", expected one that is still alive/ };
  const run = lab.train(long);
  await allReject(run, () => run.dispose(), wanted);
  await assert.rejects(run.ready, wanted);
  await run.dispose();
  await run[Symbol.asyncDispose ?? "dispose"]();
  run.pause();
  run.resume();
  run.stop();
  assert.equal(run.state, "disposed");
  const begun = lab.train(long);
  await begun.ready;
  await allReject(begun, () => begun.dispose(), wanted);
  await begun.ready;
});

test("an aborted signal, before it begins and while it trains", async () => {
  const early = lab.train({ ...long, signal: AbortSignal.abort(new Error("not now")) });
  await allReject(early, () => {}, { message: "not now" });
  const control = new AbortController();
  const run = lab.train({ ...long, signal: control.signal });
  await run.ready;
  await allReject(run, () => control.abort(), { name: "AbortError" });
  assert.equal(run.state, "disposed");
});

test("a worker that ends, before and after it began", async () => {
  for (const isReady of [false, true]) {
    const worker = new Worker(workerUrl);
    const run = lab.train({ ...long, worker });
    if (isReady) await run.ready;
    await allReject(run, () => worker.terminate(), { name: "Error", message: /^worker: it ended, expected/ });
    assert.equal(run.state, "failed");
  }
});

test("a worker that runs something else, or cannot be made", async () => {
  const thrown = lab.train({ ...long, worker: () => new Worker("throw new Error('not this')", { eval: true }) });
  await allReject(thrown, () => {}, { message: /^worker: not this, expected one in which "posenc\/lab-worker" runs/ });
  const none = lab.train({
    ...long,
    worker: () => {
      throw new Error("none");
    },
  });
  await allReject(none, () => {}, { message: "none" });
  for (const lie of [{ kind: "ready" }, { kind: "ended" }, { kind: "point" }, { kind: "failed" }]) {
    const code = `require("node:worker_threads").parentPort.postMessage(${JSON.stringify(lie)})`;
    const lying = lab.train({ ...long, worker: () => new Worker(code, { eval: true }) });
    await allReject(lying, () => {}, { message: /^worker: a message had another form, expected one in which/ });
  }
  const odd = lab.train({ ...long, worker: { postMessage() {}, terminate() {} } });
  await allReject(odd, () => {}, { name: "TypeError", message: /^worker: .*, expected a Worker/ });
});

test("a worker learns for one training: a second is refused, the first goes on", async () => {
  const worker = new Worker(workerUrl);
  const first = lab.train({ ...long, worker });
  const message = /^worker: .*, expected one that no other training was given/;
  await allReject(lab.train({ ...long, worker }), () => {}, { name: "TypeError", message });
  assert.ok((await first.values()).length > 0);
  await first.dispose();
});

test("an error while it trains ends the points, and the model can be asked", async () => {
  const run = lab.train({ ...long, lengths: [13] });
  await assert.rejects(through(run), { name: "RangeError", message: /^n: 13, expected/ });
  assert.equal(run.state, "failed");
  assert.ok((await run.values()).length > 0);
  await run.dispose();
});

test("wrong options are named, those of a wrong type at once", async () => {
  const types = [
    [undefined, /^train: undefined, expected an object of options/],
    [{ ...long, task: undefined }, /^task: undefined, expected/],
    [{ ...long, task: { type: 3 } }, /^task\.type: 3, expected a string/],
    [{ ...long, encoding: { type: "rope", bases: 3 } }, /^encoding\.bases: 3, expected base/],
    [{ ...long, more: 1 }, /^train\.more: 1, expected/],
    [{ ...long, every: "1" }, /^every: "1", expected a number/],
    [{ ...long, lengths: 3 }, /^lengths: 3, expected an array of lengths/],
    [{ ...long, lengths: ["3"] }, /^lengths\[0\]: "3", expected a number/],
    [{ ...long, worker: 1 }, /^worker: 1, expected a Worker, or a function/],
    [{ ...long, signal: 1 }, /^signal: 1, expected an AbortSignal/],
  ];
  for (const [options, message] of types) assert.throws(() => lab.train(options), { name: "TypeError", message });
  const values = [
    [{ ...long, task: { type: "sort" } }, /^task\.type: "sort", expected/],
    [{ ...long, optimizer: { rate: 2 } }, /^optimizer\.rate: 2, expected/],
    [{ ...long, every: 0 }, /^every: 0, expected a whole number >= 1/],
    [{ ...long, sequences: 0 }, /^sequences: 0, expected/],
  ];
  for (const [options, message] of values) {
    const run = lab.train({ ...options, lengths: [6] });
    await assert.rejects(through(run), { name: "RangeError", message });
    await run.dispose();
  }
});
