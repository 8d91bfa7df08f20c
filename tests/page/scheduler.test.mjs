import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

// What web/src/core/frames.ts promises: one update a frame, work in parts on a slow machine, nothing that is out of
// date.

let clock = 0;
let asked = [];
globalThis.window = globalThis;
globalThis.requestAnimationFrame = (call) => asked.push(call);
mock.method(performance, "now", () => clock);
mock.timers.enable({ apis: ["setTimeout"] });

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("../../web/src/core/frames.ts", import.meta.url))],
  bundle: true,
  format: "esm",
  write: false,
});
const { Frames } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
);

/** Runs a frame, and lets 16 milliseconds pass; gives how many calls waited for it. */
function frame() {
  const now = asked;
  asked = [];
  for (const call of now) call();
  clock += 16;
  return now.length;
}

const all = [];

/** A figure that notes what it does. */
function figure(update = () => {}, { isSeen = true } = {}) {
  const log = [];
  const frames = new Frames(
    (what) => {
      frames.isDrawn = true;
      what();
    },
    () => {
      log.push("update");
      update(frames, log);
    },
  );
  frames.isSeen = isSeen;
  all.push(frames);
  return { frames, log };
}

/** Steps that take some milliseconds each. */
function* steps(log, count, milliseconds) {
  for (let step = 0; step < count; step++) {
    log.push(`step ${step}`);
    clock += milliseconds;
    yield;
  }
}

beforeEach(() => {
  for (const frames of all.splice(0)) frames.stop();
  asked = [];
  clock += 10_000;
});

test("one update in the next frame, however often it is requested", () => {
  const { frames, log } = figure();
  for (let times = 0; times < 5; times++) frames.request();
  assert.deepEqual(log, []);
  assert.equal(frame(), 1);
  assert.deepEqual(log, ["update"]);
  assert.equal(frame(), 0);
});

test("an update requested within an update comes in the frame after", () => {
  let again = 2;
  const { frames, log } = figure(() => again-- > 0 && frames.request());
  frames.request();
  for (const length of [1, 2, 3, 3]) {
    frame();
    assert.equal(log.length, length);
  }
});

test("out of sight all are drawn a first time, one a frame, and later when they are seen", () => {
  const [one, other] = [figure(undefined, { isSeen: false }), figure(undefined, { isSeen: false })];
  for (const { frames } of [one, other]) frames.request();
  frame();
  assert.deepEqual([one.log.length, other.log.length], [1, 0]);
  frame();
  assert.deepEqual([one.log.length, other.log.length], [1, 1]);
  one.frames.request();
  frame();
  frame();
  assert.equal(one.log.length, 1);
  one.frames.isSeen = true;
  frame();
  assert.equal(one.log.length, 2);
});

/** A picture of four steps and two numbers; `milliseconds` for a step. */
const picture = (milliseconds) =>
  figure((frames, log) => {
    frames.changed(true);
    frames.later([() => log.push("a"), () => log.push("b")], () => log.push("redraw"));
    frames.first(steps(log, 4, milliseconds));
  });

/** So many updates in quick succession, each of them whole. */
function drag({ frames, log }, changes) {
  for (let change = 0; change < changes; change++) {
    frames.request();
    while (frame() > 0);
  }
  log.length = 0;
}

const whole = ["update", "a", "b", "step 0", "step 1", "step 2", "step 3"];

test("on a fast machine all is done within the update, dragged or not", () => {
  const fast = picture(1);
  drag(fast, 5);
  fast.frames.request();
  assert.equal(frame(), 1);
  assert.deepEqual(fast.log, whole);
  assert.equal(frame(), 0);
});

test("on a slow machine too, as long as nothing is dragged", () => {
  const slow = picture(3);
  slow.frames.request();
  frame();
  assert.deepEqual(slow.log, whole);
});

test("dragged on a slow machine: steps for some milliseconds a frame, then parts and updates take every other frame", () => {
  const slow = picture(3);
  drag(slow, 3);
  const { frames, log } = slow;
  const next = () => {
    log.length = 0;
    frame();
    return log;
  };
  frames.request();
  assert.deepEqual(next(), ["update"]);
  // What is requested now comes after the picture under way, which would never be finished otherwise.
  frames.request();
  assert.deepEqual(next(), ["step 0", "step 1"]);
  assert.deepEqual(next(), ["step 2", "step 3"]);
  assert.deepEqual(next(), []);
  assert.deepEqual(next(), ["a", "redraw"]);
  // The newer list replaces what is left of the older one.
  assert.deepEqual(next(), ["update"]);
  for (const expected of [["step 0", "step 1"], ["step 2", "step 3"], [], ["a", "redraw"], ["b", "redraw"]])
    assert.deepEqual(next(), expected);
  assert.equal(asked.length, 0);
});

test("a while after a drag all is updated as a whole, and what was left is not done", () => {
  const slow = picture(3);
  drag(slow, 3);
  const { frames, log } = slow;
  frames.request();
  frame();
  frame();
  assert.deepEqual(log, ["update", "step 0", "step 1"]);
  log.length = 0;
  clock += 300;
  mock.timers.tick(200);
  frame();
  assert.deepEqual(log, whole);
  frame();
  assert.equal(asked.length, 0);
});

test("numbers wait for a fifth of a second at most while something is dragged", () => {
  const waits = [];
  const { frames } = figure(() => waits.push(frames.changed(true).mayWait));
  for (let change = 0; change < 30; change++) {
    frames.request();
    frame();
  }
  const read = waits.flatMap((waited, at) => (waited ? [] : [at]));
  const gaps = read.slice(1).map((at, index) => 16 * (at - read[index]));
  assert.ok(read.length >= 3 && gaps.every((gap) => gap <= 16 * 14), read.join());
});

test("what is cancelled is not drawn, and a figure that has ended requests nothing", () => {
  const slow = picture(3);
  drag(slow, 3);
  const { frames, log } = slow;
  frames.request();
  frame();
  frames.cancel();
  while (frame() > 0);
  assert.deepEqual(log, ["update"]);
  frames.request();
  frames.stop();
  frame();
  mock.timers.tick(1000);
  assert.deepEqual(log, ["update"]);
  assert.equal(asked.length, 0);
});
