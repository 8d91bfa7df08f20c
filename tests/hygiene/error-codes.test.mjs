import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/*
 * An error has a code. The core's are in error_code.hpp, those of what JavaScript alone refuses in expected.ts, each with
 * its English sentence; the package names all of them, and the page has Chinese words for each.
 */

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const core = new Map(
  [...read("src/posenc/base/error_code.hpp").matchAll(/^POSENC_EXPECTED\(\s*(\w+),\s*"(.*)"\);$/gm)].map(
    ([, code, sentence]) => [code, sentence],
  ),
);
const javascript = new Map(
  [...read("bindings/js/base/expected.ts").matchAll(/^export const (\w+) =\s*(["'])(\w+)\|(.*)\2 satisfies/gm)].map(
    ([, name, , code, sentence]) => {
      assert.equal(name, code);
      return [code, sentence];
    },
  ),
);
const chinese = new Map(
  [...read("web/src/core/refusal/refusals.zh.ts").matchAll(/^ {2}(\w+): "(.*)",$/gm)].map(([, code, words]) => [
    code,
    words,
  ]),
);
const named = [...read("bindings/js/types/error.ts").matchAll(/^ {2}\| "(\w+)"/gm)].map(([, code]) => code);

const all = new Map([...core, ...javascript, ["file", ""]]);
const parametersOf = (sentence) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

test("the package names the codes of the core and of JavaScript, in order", () => {
  assert.ok(core.size > 90 && javascript.size > 40);
  assert.deepEqual(named, [...all.keys()].sort());
});

test("a code of both has one sentence", () => {
  for (const [code, sentence] of javascript) assert.equal(core.get(code) ?? sentence, sentence, code);
});

test("every code has words in Chinese, which name no parameter that it does not have", () => {
  assert.deepEqual([...chinese.keys()].sort(), named);
  for (const [code, words] of chinese)
    for (const name of parametersOf(words)) assert.ok(parametersOf(all.get(code)).includes(name), `${code}: ${name}`);
});

test("a sentence has at most three parameters, as many as the core's report has cells for", () => {
  for (const [code, sentence] of core) assert.ok(parametersOf(sentence).length <= 3, code);
});
