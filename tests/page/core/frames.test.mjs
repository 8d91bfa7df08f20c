import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "../fixtures.mjs";

// web/src/core/frames.ts promises this: one update a frame, and none out of sight but the first. Its frames are these.

let asked = [];
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("../../../web/src/core/frames.ts", import.meta.url))],
  bundle: true,
  format: "iife",
  globalName: "code",
  write: false,
});
const code = new Function("requestAnimationFrame", `${outputFiles[0].text}; return code;`);
const { Frames } = code((call) => asked.push(call));

/** Runs a frame; gives how many calls waited for it. */
function frame() {
  const now = asked;
  asked = [];
  for (const call of now) call();
  return now.length;
}

/** A figure that notes its updates. */
function figure(update = () => {}, { isSeen = true } = {}) {
  const log = [];
  const frames = new Frames(() => {
    frames.isDrawn = true;
    log.push("update");
    update(frames);
  });
  frames.isSeen = isSeen;
  return { frames, log };
}

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
