// Which axis is the sequence: stated, not chosen between two, and known where vectors were rotated along another.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { pseudoRandom, range } from "../testing/reference.mjs";

const pe = await load();
const dim = 32;
const expected = { dim, layout: "half" };
const rope = pe.rotary(expected);

/** Vectors of this shape, rotated along an axis. */
function samples(shape, seqAxis, more) {
  const before = pseudoRandom(
    shape.reduce((all, extent) => all * extent, 1),
    9,
  );
  const after = rope.apply(before.slice(), { shape, seqAxis, ...more });
  return { before: { data: before, shape }, after: { data: after, shape } };
}

test("eight heads of eight tokens, rotated along either: nothing is certain until the axis is named", () => {
  for (const along of [0, 1]) {
    const given = { ...samples([8, 8, dim], along), positions: range(8) };
    const open = pe.diagnose(given, { expected });
    assert.equal(open.verdict, "ambiguous");
    assert.deepEqual(
      open.explanations.map(({ mistakes }) => mistakes),
      [[], ["sequence-axis"]],
    );
    assert.match(open.text, /Axis \d was taken for the sequence, and axis \d is as long: name seqAxis\./);
    assert.match(pe.diagnose(given, { expected, language: "zh" }).text, /请指明 seqAxis/);
    const right = pe.diagnose({ ...given, seqAxis: along }, { expected });
    assert.deepEqual([right.verdict, right.explanations[0].mistakes, right.seqAxis], ["certain", [], along]);
    const wrong = pe.diagnose({ ...given, seqAxis: 1 - along }, { expected });
    assert.deepEqual([wrong.verdict, wrong.explanations[0].mistakes], ["certain", ["sequence-axis"]]);
    assert.match(wrong.explanations[0].remedy.text, /^Rotate along the axis of the sequence/);
    assert.equal(wrong.seqAxis, 1 - along);
    const outputs = { a: given.after, b: samples([8, 8, dim], 1 - along).after, before: given.before };
    const two = pe.diagnose({ ...outputs, positions: range(8), seqAxis: along }, { expected });
    assert.equal(two.outputs.wrong, "b");
  }
});

test("heads that are rotated by their index, however many, are named", () => {
  for (const [shape, tokens, along] of [
    [[6, 9, dim], 1, 0],
    [[2, 6, 9, dim], 2, 1],
    [[9, 6, dim], 0, 1],
  ]) {
    const given = { ...samples(shape, along), positions: range(9, 40) };
    const { verdict, explanations, seqAxis, text } = pe.diagnose(given, { expected });
    assert.deepEqual([verdict, explanations[0]?.mistakes], ["certain", ["sequence-axis"]], text);
    assert.equal(seqAxis, tokens);
  }
});

test("the axis that was taken is stated, of three axes or more", () => {
  for (const [shape, along] of [
    [[3, 7, dim], 1],
    [[7, 3, dim], 0],
    [[2, 3, 7, dim], 2],
  ]) {
    const { verdict, seqAxis, text } = pe.diagnose({ ...samples(shape, along), positions: range(7) }, { expected });
    assert.deepEqual([verdict, seqAxis], ["certain", along]);
    assert.match(text, new RegExp(`Axis ${along} was taken for the sequence\\.$`));
  }
  const flat = pe.diagnose({ ...samples([7, dim]), positions: range(7) }, { expected });
  assert.equal(flat.seqAxis, null);
  assert.doesNotMatch(flat.text, /Axis/);
});

test("a grid's axis is named where two have as many tokens", () => {
  const options = { preset: "axial", dim, axes: 2, layout: "half" };
  const grid = [2, 3];
  const of = (shape, seqAxis) => {
    const before = pseudoRandom(shape.reduce((all, extent) => all * extent, 1));
    const after = pe.rotaryGrid(options).apply(before.slice(), { shape, seqAxis, grid });
    return { before: { data: before, shape }, after: { data: after, shape } };
  };
  const meant = { expected: { type: "rotaryGrid", grid, ...options } };
  assert.deepEqual(pe.diagnose(of([4, 6, dim], 1), meant).explanations[0].mistakes, []);
  assert.throws(() => pe.diagnose(of([6, 6, dim], 1), meant), { name: "TypeError", message: /^seqAxis: undefined/ });
  assert.deepEqual(pe.diagnose({ ...of([6, 6, dim], 1), seqAxis: 1 }, meant).explanations[0].mistakes, []);
});
