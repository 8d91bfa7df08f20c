import { load } from "../../../dist/full.js";
import { expect, test } from "../fixtures.mjs";
import { checks, expected, firstSize } from "./checks.mjs";

// Checks of statements are computed without a page around them.

test("every seed and size gives the same verdict, or the condition that size is @all", async () => {
  const [pe, { claims, verdictOf }] = await Promise.all([load(), checks()]);
  // Here few positions, or those of training, are the condition itself.
  const bySize = { A3: { 256: "holds" } };
  for (const [id, claim] of Object.entries(claims)) {
    for (const size of claim.sizes?.choices ?? [0])
      for (const seed of claim.seeded ? [1, 2, 3] : [1])
        expect(verdictOf(claim.check(pe, { seed, size })), `${id} of size ${size}, seed ${seed}`).toBe(
          bySize[id]?.[size] ?? expected[id],
        );
  }
});

/** Trainings of an encoding that go from one perplexity to another at the longest length. */
const altered = (all) => (_, name) =>
  [1, 2, 3].map((seed) => ({ seed, tests: { [name]: [all[name][0], 0, 0, all[name][1]] } }));

test("verdicts on trainings follow from their results: alter them, and they change", async () => {
  const [pe, { claims, verdictOf }] = await Promise.all([load(), checks()]);
  const verdict = (id, results) =>
    verdictOf(claims[id].check(pe, { seed: 1, size: firstSize(claims[id]) }, results && altered(results)));
  const asStored = { sinusoid: [5, 20], learned: [6, 15], Shaw: [5, 5], RoPE: [5, 15] };
  for (const id of ["B7", "C18", "E4"]) {
    expect(verdict(id), id).toBe(expected[id]);
    expect(verdict(id, asStored), id).toBe(expected[id]);
  }
  expect(verdict("B7", { ...asStored, learned: [4, 15] })).toBe("refuted");
  expect(verdict("C18", { ...asStored, Shaw: [5, 15] })).toBe("refuted");
  expect(verdict("C18", { ...asStored, learned: [6, 6] })).toBe("refuted");
  const { numbers } = claims.C18.check(pe, { seed: 1, size: 256 }, altered({ ...asStored, RoPE: [5, 6] }));
  expect([numbers.extrapolates, numbers.all, numbers.right, numbers.RoPEFar]).toEqual([3, 4, 17, 6]);
});

test("numbers are what the posts' own arithmetic gives", async () => {
  const [pe, { claims }] = await Promise.all([load(), checks()]);
  // Every statement can be run again with another seed or size.
  for (const [id, { seeded, sizes }] of Object.entries(claims))
    expect(seeded || sizes?.choices.length > 1, id).toBe(true);
  // sin and cos of 710 = 113 * 2π + 0.00006 against those of 0, which a difference of products would round to 0.
  const nearest = 2 - 2 * Math.cos(710);
  const expectedNumbers = {
    C6: { same: 4, all: 5, broken: 1 - 7 },
    D1: { missing: 512 * 768 },
    // Only the distance 0 is right: 8 pairs of 64.
    A5: { kept: 8, right: 8, cells: 64, printed: 10000 ** ((-4 * 15) / 32) },
    A3: { narrow: nearest },
    B3: { differences: 127, all: 64 * 64 },
    C18: { learned: 4 * 64 * 256, relative: 4 * 64 * 511 },
  };
  const most = { narrow: 1e-3, printed: 1e-9 };
  for (const [id, wanted] of Object.entries(expectedNumbers)) {
    const { numbers } = claims[id].check(pe, { seed: 1, size: firstSize(claims[id]) });
    for (const [name, value] of Object.entries(wanted))
      expect(Math.abs(numbers[name] - value), `${id}, ${name}`).toBeLessThanOrEqual(
        (most[name] ?? 0) * Math.abs(value),
      );
  }
});
