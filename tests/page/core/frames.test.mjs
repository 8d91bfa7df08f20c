import { expect, test } from "../fixtures.mjs";
import { fromSource } from "../from-source.mjs";

// web/src/core/frames.ts promises this: one update a frame, and none out of sight but the first. Its frames are these.

let asked = [];
globalThis.requestAnimationFrame = (call) => asked.push(call);
const { Frames } = await fromSource("core", `export { Frames } from "./frames";`);

/** Runs a frame; gives how many calls waited for it. */
function frame() {
  const now = asked;
  asked = [];
  for (const call of now) call();
  return now.length;
}

/** A figure that counts its updates. */
function figure({ isSeen = true, update = () => {} } = {}) {
  const counted = { updates: 0 };
  counted.frames = new Frames(() => {
    counted.frames.isDrawn = true;
    counted.updates++;
    update(counted.frames);
  });
  counted.frames.isSeen = isSeen;
  return counted;
}

test("one update in the next frame, however often it is requested; one requested within it in the frame after", () => {
  let again = 1;
  const one = figure({ update: (frames) => again-- > 0 && frames.request() });
  for (let times = 0; times < 5; times++) one.frames.request();
  expect([one.updates, frame(), one.updates, frame(), one.updates, frame()]).toEqual([0, 1, 1, 1, 2, 0]);
});

test("out of sight all are drawn a first time, one a frame, and later when they are seen", () => {
  const [one, other] = [figure({ isSeen: false }), figure({ isSeen: false })];
  const after = () => {
    frame();
    return [one.updates, other.updates];
  };
  for (const { frames } of [one, other]) frames.request();
  expect([after(), after()]).toEqual([
    [1, 0],
    [1, 1],
  ]);
  one.frames.request();
  expect([after(), after()].at(-1)).toEqual([1, 1]);
  one.frames.isSeen = true;
  expect(after()).toEqual([2, 1]);
});
