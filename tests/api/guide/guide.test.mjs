// The guide: every code block of its pages runs as it is and prints what its comments say, and what they say is what
// formulas give. Blocks that need another program run where that is: in tests/interop (Python, onnxruntime-web,
// transformers.js) and in tests/core (C++).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { fromNpy } from "posenc/npy";
import { root } from "../../../bindings/setup/paths.mjs";
import { attend, nest } from "../testing/attention-formula.mjs";
import { assertClose, range, rotate, sinusoid } from "../testing/reference.mjs";
import { checkBars, checkSvg } from "./cells.mjs";
import { blocksOf, emptyFolder, isKept, jobs, names, promised, proseOf, run, textOf } from "./pages.mjs";

/** Pages of which another folder's tests run every block. */
const ELSEWHERE = ["numpy-and-pytorch", "onnxruntime-and-transformers", "cpp"];
const LARGEST_PROSE = 300; // words
const LARGEST_GUIDE = 60_000; // bytes

const fixed = (x) => x.toFixed(6);
const sines = (length, seed) => range(length, seed).map(Math.sin);
/** cos 1 - sin 1: what the first dimension of ones becomes at position 1. */
const onesAt = (position) => fixed(Math.cos(position) - Math.sin(position));

/** Causal attention with rotary positions, [heads][seq][dim], of sines [heads, seq, dim] or [seq, heads, dim]. */
function rotaryAttention({ heads, keyHeads, seq, dim, seqAxis }) {
  const made = (n, seed) => {
    const [outer, inner] = seqAxis === 0 ? [seq, n] : [n, seq];
    const nested = nest(sines(n * seq * dim, seed), [outer, inner, dim]);
    return seqAxis === 0 ? range(n).map((h) => nested.map((token) => token[h])) : nested;
  };
  const rotated = (x) => x.map((head) => head.map((token, p) => rotate(token, p, { layout: "half", base: 500000 })));
  const shared = (x) => range(heads).map((h) => x[Math.floor((h * keyHeads) / heads)]);
  const [q, k, v] = [made(heads, 1), made(keyHeads, 2), made(keyHeads, 3)];
  const added = (_b, _h, i, j) => (j > i ? -Infinity : 0);
  const { output } = attend([rotated(q)], [shared(rotated(k))], [shared(v)], { scale: dim ** -0.5, added });
  return output[0];
}

/** T5's bucket of a relative position, key - query, by Raffel et al.'s code. */
function bucket(distance, buckets = 16, maxDistance = 128) {
  const n = Math.abs(distance);
  const exact = buckets / 2;
  const far = exact + Math.floor((Math.log(n / exact) / Math.log(maxDistance / exact)) * (buckets - exact));
  return (distance > 0 ? buckets : 0) + (n < exact ? n : Math.min(far, buckets - 1));
}

/** Computes the numbers that pages state by formulas. */
const FORMULAS = {
  "rope-in-attention": () => {
    const output = rotaryAttention({ heads: 4, keyHeads: 2, seq: 6, dim: 8, seqAxis: 1 });
    return [fixed(output[0][0][0]), fixed(Math.sin(3)), fixed(output[0][1][0]), onesAt(1)];
  },
  biases: () => {
    const slopes = range(8, 1).map((h) => 2 ** -h);
    const powers = range(4).map((i) => Math.exp(-0.5 * (3 - i)));
    const sum = powers.reduce((a, b) => a + b);
    return [
      slopes.join(" "),
      [3, 2, 1, 0].map((distance) => (-0.5 * distance || 0).toString()).join(" "),
      fixed(1 / sum),
      range(5)
        .map((key) => bucket(key - 2))
        .join(" "),
      `${(2 * bucket(4) + 1) / 8}`,
    ];
  },
  decoding: () => {
    const output = rotaryAttention({ heads: 4, keyHeads: 2, seq: 5, dim: 8, seqAxis: 0 });
    return [fixed(output[0][4][0])];
  },
  porting: () => [onesAt(1), `${1 / Math.sqrt(64 / 4)}`],
  "images-videos-times": () => [fixed(Math.sin(0.5)), onesAt(0.5), onesAt(1)],
};

/** Runs the blocks of a page in order; gives the folder, and what each printed. */
function follow(t, name) {
  const folder = emptyFolder(t);
  const ran = blocksOf(textOf(name)).map((block, index) => {
    const result = run(block, index, folder);
    assert.ok(result, `${name}: nothing runs ${block.language}`);
    assert.equal(result.status, 0, `${name}, block ${index + 1}:\n${result.printed.join("\n")}\n${result.stderr}`);
    return { ...block, printed: result.printed };
  });
  return { folder, ran };
}

test("twelve jobs, each with a page of few words, and small together", () => {
  assert.equal(jobs().length, 12);
  for (const name of jobs()) {
    const words = proseOf(textOf(name))
      .split(/\s+/)
      .filter((word) => /[\p{L}\d]/u.test(word)).length;
    assert.ok(words <= LARGEST_PROSE, `${name}: ${words} words, expected at most ${LARGEST_PROSE}`);
    assert.match(textOf(name), /^# .*\n\n[\s\S]*^## Where each convention comes from\n/m, name);
    assert.match(textOf(name), /^Read on: .*\]\(/m, name);
    assert.ok(blocksOf(textOf(name)).length > 0, `${name} has no code`);
  }
  const bytes = jobs().reduce((sum, name) => sum + Buffer.byteLength(textOf(name)), 0);
  assert.ok(bytes <= LARGEST_GUIDE, `${bytes} bytes, expected at most ${LARGEST_GUIDE}`);
});

test("the guide's README names every page once", () => {
  const named = [...textOf("README").matchAll(/\]\(([a-z\d-]+)\.md\)/g)].map(([, name]) => name);
  assert.deepEqual(named.sort(), names.filter((name) => name !== "README").sort());
});

for (const name of jobs().filter((job) => !ELSEWHERE.includes(job) && job !== "notebooks"))
  test(`${name}: the code runs and prints what is said`, (t) => {
    const { ran } = follow(t, name);
    const lines = ran.filter(({ language, file }) => language === "js" && !file);
    for (const { code, printed } of lines) {
      const promises = promised(code);
      assert.equal(printed.length, promises.length, `${name}:\n${printed.join("\n")}`);
      for (const [i, promise] of promises.entries())
        assert.ok(isKept(printed[i], promise), `${name} says ${promise}, and printed is ${printed[i]}`);
    }
    assert.ok(
      lines.some(({ code }) => promised(code).length > 0),
      `${name} promises nothing`,
    );
  });

const reference = names.filter((name) => name !== "README" && !jobs().includes(name));

for (const name of reference.filter((page) => blocksOf(textOf(page)).some(({ language }) => language === "js")))
  test(`${name}: what is JavaScript on this page runs and prints what is said`, (t) => {
    const folder = emptyFolder(t);
    const blocks = blocksOf(textOf(name)).filter(({ language }) => language === "js");
    for (const [i, block] of blocks.entries()) {
      const { status, printed, stderr } = run(block, i, folder);
      assert.equal(status, 0, `${name}, block ${i + 1}: ${stderr}`);
      const promises = promised(block.code);
      assert.ok(promises.length > 0 && printed.length === promises.length, `${name}:\n${printed.join("\n")}`);
      for (const [j, promise] of promises.entries())
        assert.ok(isKept(printed[j], promise), `${name} says ${promise}, and printed is ${printed[j]}`);
    }
  });

test("the project's README: its code runs and prints what is said", (t) => {
  const [block] = blocksOf(readFileSync(join(root, "README.md"), "utf8")).filter(({ language }) => language === "js");
  const { status, printed, stderr } = run(block, 0, emptyFolder(t));
  assert.equal(status, 0, stderr);
  const promises = promised(block.code);
  assert.equal(printed.length, promises.length);
  for (const [i, promise] of promises.entries())
    assert.ok(isKept(printed[i], promise), `${promise}, not ${printed[i]}`);
  assert.deepEqual(printed.slice(0, 2), [fixed(Math.sin(1)), onesAt(1)]);
});

for (const [name, formulas] of Object.entries(FORMULAS))
  test(`${name}: what is said is what formulas give`, () => {
    const promises = blocksOf(textOf(name)).flatMap(({ code }) => promised(code));
    for (const value of formulas())
      assert.ok(
        promises.some((promise) => isKept(value, promise)),
        `${value} is not among\n${promises.join("\n")}`,
      );
  });

test("a promise that is not kept is found", () => {
  assert.ok(isKept("0.5", "0.5: a half"));
  for (const promise of ["0.50", "0.5 a half", "0.6: more", "a half: 0.5"]) assert.ok(!isKept("0.5", promise), promise);
  assert.deepEqual(promised("console.log(a); // 1\nconsole.log(b);\nprint(c)  # 2\nx = 1; // 3\n"), ["1", "2"]);
});

test("porting: explain, fixtures, and a test that the port on the page passes and a wrong one does not", (t) => {
  const { folder, ran } = follow(t, "porting");
  const [explained, written, tested] = ran.filter(({ language }) => language === "sh").map(({ printed }) => printed);
  assert.match(explained.join("\n"), /rotate: 16 of 16 dimensions of a head, base 500000/);
  assert.ok(written.includes("rope-tests/fixtures.json"));
  assert.match(tested.join("\n"), /^# pass 1$/m);
  const port = ran.findIndex(({ file }) => file === "rope-tests/rope.test.mjs");
  for (const [right, wrong, mistake] of [
    ["500000", "10000", /base/],
    ["a * Math.cos(angle) - b", "a * Math.cos(angle) + b", /fixture|rotat|sign/],
  ]) {
    assert.ok(ran[port].code.includes(right));
    run({ language: "sh", code: "npx posenc fixtures config.json -o rope-tests --force" }, 0, folder);
    run({ ...ran[port], code: ran[port].code.replaceAll(right, wrong) }, 0, folder);
    const { status, printed } = run(ran.at(-1), 0, folder);
    assert.equal(status, 1, `${wrong} passes`);
    assert.match(printed.join("\n"), mistake);
  }
});

test("diagnosing: the command names the mistake and says how to mend it", (t) => {
  const { folder, ran } = follow(t, "diagnosing");
  const said = ran.at(-1).printed.join("\n");
  assert.match(said, /The dimensions are paired as in "interleaved" in place of "half"\. Of all that is listed/);
  assert.match(said, /\nexit code 1$/);
  // The port on the page does what the formula of interleaved pairs does.
  const [q, rotated] = ["q.npy", "rotated.npy"].map((file) => fromNpy(readFileSync(join(folder, file))));
  const expected = nest(q.data, [4, 8, 16]).flatMap((head) =>
    head.flatMap((token, position) => [...rotate(token, position, { layout: "interleaved", base: 500000 })]),
  );
  assertClose(rotated.data, expected, 1e-6);
});

test("notebooks: each cell runs, and shows the table of the formula", (t) => {
  const standIns = pathToFileURL(join(import.meta.dirname, "notebook-stand-ins.mjs")).href;
  const folder = emptyFolder(t);
  const [observable, deno, jupyterlite] = blocksOf(textOf("notebooks")).map((block, index) => {
    const { status, printed, stderr } = run(block, index, folder, { more: ["--import", standIns] });
    assert.equal(status, 0, stderr);
    const isShown = index < 2;
    return { printed, shown: isShown && JSON.parse(readFileSync(join(folder, "shown.json"), "utf8")) };
  });
  const [{ values, options }] = observable.shown.marks;
  assert.deepEqual([options.width, options.height], [64, 128]);
  assertClose(values, sinusoid(range(128), 64), 3e-8);
  checkSvg(deno.shown.html);
  checkBars(jupyterlite.printed);
});
