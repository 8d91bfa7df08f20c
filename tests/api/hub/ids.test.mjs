// Ids of tokens by models' own code: ids.json has a sequence on each line (tests/README.md describes how it was made).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "posenc/full";

const pe = await load();

/** The options of mropePositions that make a model's ids as transformers 5 does. */
const idRules = {
  qwen2_vl: { preset: "qwen2-vl", next: "past-extent" },
  qwen2_5_vl: { preset: "qwen2.5-vl", time: "whole-seconds", next: "past-extent" },
  qwen3_vl: { preset: "qwen3-vl" },
  qwen3_5: { preset: "qwen3-vl" },
  glm4v: { preset: "glm4v" },
  ernie4_5_vl_moe: { preset: "ernie4.5-vl", next: "past-extent" },
  qwen2_5_omni: { preset: "qwen2.5-omni" },
  qwen3_omni_moe: { preset: "qwen3-omni" },
};

/** Segments as mropePositions takes them: marks around images, videos and sound are text, except in a video with sound. */
function segmentsOf(segments, isOmni) {
  return segments.flatMap(({ text, image, video, seconds, audio }) => {
    if (text !== undefined) return [{ text }];
    if (image === undefined && video === undefined) return [{ text: audio + 2 }];
    const part = image ? { image } : { video };
    if (seconds !== undefined) part.secondsPerGrid = seconds;
    if (audio !== undefined) return [{ ...part, audio }];
    return isOmni ? [{ text: 1 }, part, { text: 1 }] : [part];
  });
}

for (const model of JSON.parse(readFileSync(new URL("ids.json", import.meta.url), "utf8"))) {
  const { type, segments, mergeSize, tokensPerSecond, positionsPerSecond, secondsPerChunk, ids, delta } = model;
  const marks = segments.map((segment) => Object.keys(segment).find((key) => key !== "seconds")).join(", ");
  test(`${type}: ids of ${marks}`, () => {
    const perSecond = tokensPerSecond ?? positionsPerSecond;
    const made = pe.mropePositions({
      ...idRules[type],
      mergeSize,
      ...(perSecond && { tokensPerSecond: perSecond }),
      ...(secondsPerChunk && { secondsPerChunk }),
      segments: segmentsOf(segments, positionsPerSecond !== undefined),
    });
    assert.deepEqual([...made.positions.data], ids.flat());
    assert.deepEqual(made.ropeDeltas, [delta]);
  });
}
