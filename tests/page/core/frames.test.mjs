import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "../fixtures.mjs";

// web/src/core/frames.ts promises this: one update a frame, work in parts on a slow machine, nothing that is out of
// date. Its clock, frames and timers are these.

let clock = 0;
let asked = [];
let timers = [];
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("../../../web/src/core/frames.ts", import.meta.url))],
  bundle: true,
  format: "iife",
  globalName: "code",
  write: false,
});
const surroundings = {
  performance: { now: () => clock },
  requestAnimationFrame: (call) => asked.push(call),
  window: {
    setTimeout(call, milliseconds) {
      const timer = { call, due: clock + milliseconds };
      timers.push(timer);
      return timer;
    },
  },
  clearTimeout(timer) {
    timers = timers.filter((other) => other !== timer);
  },
};
const code = new Function(...Object.keys(surroundings), `${outputFiles[0].text}; return code;`);
const { Frames } = code(...Object.values(surroundings));

/** Lets so many milliseconds pass. */
function wait(milliseconds) {
  clock += milliseconds;
  const due = timers.filter((timer) => timer.due <= clock);
  timers = timers.filter((timer) => timer.due > clock);
  for (const { call } of due) call();
}

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

test.beforeEach(() => {
  for (const frames of all.splice(0)) frames.stop();
  asked = [];
  timers = [];
  clock += 10_000;
});

test("one update in the next frame, however often it is requested", () => {
  const { frames, log } = figure();
  for (let times = 0; times < 5; times++) frames.request();
  expect(log).toEqual([]);
  expect(frame()).toBe(1);
  expect(log).toEqual(["update"]);
  expect(frame()).toBe(0);
});

test("an update requested within an update comes in the frame after", () => {
  let again = 2;
  const { frames, log } = figure(() => again-- > 0 && frames.request());
  frames.request();
  for (const length of [1, 2, 3, 3]) {
    frame();
    expect(log.length).toBe(length);
  }
});

test("out of sight all are drawn a first time, one a frame, and later when they are seen", () => {
  const [one, other] = [figure(undefined, { isSeen: false }), figure(undefined, { isSeen: false })];
  for (const { frames } of [one, other]) frames.request();
  frame();
  expect([one.log.length, other.log.length]).toEqual([1, 0]);
  frame();
  expect([one.log.length, other.log.length]).toEqual([1, 1]);
  one.frames.request();
  frame();
  frame();
  expect(one.log.length).toBe(1);
  one.frames.isSeen = true;
  frame();
  expect(one.log.length).toBe(2);
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
  expect(frame()).toBe(1);
  expect(fast.log).toEqual(whole);
  expect(frame()).toBe(0);
});

test("on a slow machine too, as long as nothing is dragged", () => {
  const slow = picture(3);
  slow.frames.request();
  frame();
  expect(slow.log).toEqual(whole);
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
  expect(next()).toEqual(["update"]);
  // A request now comes after the picture under way, which would never be finished otherwise.
  frames.request();
  expect(next()).toEqual(["step 0", "step 1"]);
  expect(next()).toEqual(["step 2", "step 3"]);
  expect(next()).toEqual([]);
  expect(next()).toEqual(["a", "redraw"]);
  // The newer list replaces what is left of the older one.
  expect(next()).toEqual(["update"]);
  for (const expected of [["step 0", "step 1"], ["step 2", "step 3"], [], ["a", "redraw"], ["b", "redraw"]])
    expect(next()).toEqual(expected);
  expect(asked.length).toBe(0);
});

test("a while after a drag all is updated as a whole, and what was left is not done", () => {
  const slow = picture(3);
  drag(slow, 3);
  const { frames, log } = slow;
  frames.request();
  frame();
  frame();
  expect(log).toEqual(["update", "step 0", "step 1"]);
  log.length = 0;
  wait(300);
  frame();
  expect(log).toEqual(whole);
  frame();
  expect(asked.length).toBe(0);
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
  expect(read.length >= 3 && gaps.every((gap) => gap <= 16 * 14), read.join()).toBeTruthy();
});

test("what is cancelled is not drawn, and a figure that has ended requests nothing", () => {
  const slow = picture(3);
  drag(slow, 3);
  const { frames, log } = slow;
  frames.request();
  frame();
  frames.cancel();
  while (frame() > 0);
  expect(log).toEqual(["update"]);
  frames.request();
  frames.stop();
  frame();
  wait(1000);
  expect(log).toEqual(["update"]);
  expect(asked.length).toBe(0);
});
