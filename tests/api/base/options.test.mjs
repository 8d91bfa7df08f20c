// Each option reaches the core, under its own name and at its own place: what a function gives with each, one by one, is
// stored in the first digits of a digest. That the numbers are right is proven in core.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { load as loadSmall } from "posenc";
import { whole } from "../testing/calls/calls.mjs";
import { digests } from "../testing/calls/digests.mjs";
import { ofObjects, options, variantsOf } from "../testing/calls/options.mjs";
import { Inputs } from "../testing/inputs.mjs";
import { addTo } from "../testing/testing.mjs";
import { load } from "../testing/whole-library.mjs";

const pe = await load();
const makers = { ...whole.makers, ...whole.others, ...ofObjects };

/** A digest of what a call gives, and of the caller's arrays, or of its error; none where it has no such option. */
function digestOf(call, more, { arrays }) {
  const hash = createHash("sha256");
  try {
    addTo(hash, [call(more), arrays]);
  } catch ({ code, message }) {
    if (code === "option") return undefined;
    addTo(hash, message);
  }
  return hash.digest("hex").slice(0, 4);
}

/** The digests of a call as it is, and with each option by its name. */
function digestsOf(library, name) {
  const inputs = new Inputs();
  const call = makers[name](library, inputs);
  const variants = [["", {}], ...variantsOf(options[name])];
  return variants.map(([option, more]) => [option, digestOf(call, more, inputs.again())]);
}

const found = Object.keys(options).map((name) => [name, digestsOf(pe, name)]);

if (process.env.POSENC_WRITE) {
  // As the formatter has it: a name in quotes and a line of its own for the digests only where they are needed.
  const lines = found.map(([name, made]) => {
    const key = `  ${/^\w+$/.test(name) ? name : JSON.stringify(name)}:`;
    digests[name] = made.map(([, digest]) => digest).join(" ");
    const fits = `${key} "${digests[name]}",`.length <= 120;
    return `${key}${fits ? " " : "\n    "}"${digests[name]}",\n`;
  });
  const text = "// Written by base/options.test.mjs with POSENC_WRITE=1: each line that differs needs a reason.\n";
  const file = new URL("../testing/calls/digests.mjs", import.meta.url);
  writeFileSync(file, `${text}\nexport const digests = {\n${lines.join("")}};\n`);
}

for (const [name, made] of found)
  test(`${name}: ${Object.keys(options[name]).join(" ")}`, () => {
    const stored = digests[name]?.split(" ") ?? [];
    for (const [i, [option, digest]] of made.entries())
      assert.equal(
        digest,
        stored[i],
        `${name}, ${option}: POSENC_WRITE=1 node --test this file writes the digests anew`,
      );
    const [[, plain], ...others] = made;
    for (const [option, digest] of others) assert.notEqual(digest, plain, `${option} changes nothing`);
  });

const small = await loadSmall();
const both = ["sinusoidal", "sinusoidalPlan", "frequencies", "add", "linear", "attention"];

for (const name of [
  ...both,
  ...[" of options", " of rules", ".cache", ".apply", ".step of options"].map((end) => `rotary${end}`),
])
  test(`posenc: ${name} is as in posenc/full, with the options that it has`, () => {
    const whole = Object.fromEntries(digestsOf(pe, name));
    const own = digestsOf(small, name).filter(([, digest]) => digest !== undefined);
    assert.deepEqual(
      own,
      own.map(([option]) => [option, whole[option]]),
    );
  });
