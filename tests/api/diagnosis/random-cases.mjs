// node tests/api/diagnosis/random-cases.mjs [seed] [count]: samples of all kinds with random mistakes, positions, mixtures,
// damage and rounding. An answer is wrong if it says "as expected" of what is not, or is certain of an explanation that
// does not make the numbers again, computed here from what it says; or if it throws, or speaks of NaN. Prints a table,
// how often what was done is named first, and the wrong cases with the state of chance that makes them again.

import { load } from "posenc/tools";
import { Chance, damages } from "./random/chance.mjs";
import { biasTables, gridTables, outputs, windows } from "./random/grids.mjs";
import { biases, frequencies, ids, tables } from "./random/lists.mjs";
import { caches, mrope, names, vectors } from "./random/vectors.mjs";

const [seed = 1, count = 1000] = process.argv.slice(2).map(Number);
const pe = await load();
const chance = new Chance(seed);

/** Kinds as often as they are here: vectors are what most people have, and take longest. */
const kinds = { vectors, caches, mrope, tables, frequencies, biases, ids, outputs, gridTables, biasTables, windows };
const often = ["vectors", "vectors", "vectors", "vectors", "caches", "caches", ...Object.keys(kinds)];

const table = {};
const wrong = [];
let [named, nameable, again] = [0, 0, 0];

/** Whether what was done has the names that it may have, or fewer where one mistake hides another. */
function isNamed(made, said) {
  const wanted = made.map((name) => names[name] ?? [name]).filter((each) => each.length > 0);
  const hits = wanted.filter((any) => any.some((name) => said.includes(name))).length;
  return said.length <= wanted.length && hits >= said.length - 1;
}

for (let n = 0; n < count; ++n) {
  const { state } = chance;
  const kind = chance.pick(often);
  const made = kinds[kind](chance, pe);
  if (!made) continue;
  const damage = chance.rarely(4) ? chance.pick(Object.keys(damages)) : "none";
  damages[damage](made.damaged, chance.below(made.damaged.length), made.width, chance);
  const note = (what, more = {}) => wrong.push({ what, state, kind, made: made.made, damage, ...more, ...made.about });
  let answer;
  try {
    answer = pe.diagnose(made.samples, { expected: made.expected });
  } catch (error) {
    if (!(error instanceof RangeError) || damage !== "not a number") note(error.message);
    continue;
  }
  const { verdict, explanations, text } = answer;
  const [first] = explanations;
  const isRight = verdict === "certain" && first.mistakes.length === 0;
  const key = `${kind}, ${damage === "none" ? "whole" : "damaged"}`;
  table[key] ??= { cases: 0, certain: 0, "as expected": 0, likely: 0, ambiguous: 0, none: 0, "too-little": 0 };
  table[key].cases += 1;
  table[key][isRight ? "as expected" : verdict] += 1;
  const more = { mistakes: first?.mistakes, units: first?.residual.units };
  if (/NaN|undefined|\b0 bits/.test(text)) note("a sentence of nothing", { text });
  if (damage === "not a number" && kind !== "ids") note("NaN is taken", more);
  const by = isRight ? made.departs(first) : verdict === "certain" ? made.remade(first) : undefined;
  if (by !== undefined) again += 1;
  if (by > 1)
    note(isRight ? "called as expected" : "certain of what does not make the numbers", {
      ...more,
      by: String(by),
      found: first.sentences.found,
    });
  const isWhole = damage === "none" && (made.mixture ?? "none") === "none";
  if (kind !== "vectors" || !isWhole || !["certain", "likely"].includes(verdict)) continue;
  nameable += 1;
  if (isNamed(made.made, first.mistakes)) named += 1;
}
console.log(`seed ${seed}, ${count} cases: ${wrong.length} wrong; ${again} certain ones computed again`);
console.log(`of ${nameable} whole vectors with an answer, ${named} named as made or by a shorter name`);
console.table(table);
for (const each of wrong.slice(0, 20)) console.log(JSON.stringify(each));
process.exitCode = wrong.length === 0 ? 0 : 1;
