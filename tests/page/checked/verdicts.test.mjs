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

test("every statement can be run again with another seed or size", async () => {
  const { claims } = await checks();
  const fixed = Object.entries(claims).filter(([, { seeded, sizes }]) => !seeded && !(sizes?.choices.length > 1));
  expect(fixed.map(([id]) => id)).toEqual([]);
});

test("numbers are what the posts' own arithmetic gives", async () => {
  const [pe, { claims }] = await Promise.all([load(), checks()]);
  const numbers = (id, size = firstSize(claims[id])) => claims[id].check(pe, { seed: 1, size }).numbers;
  expect([numbers("C6").same, numbers("C6").all, numbers("C6").broken]).toEqual([4, 5, 1 - 7]);
  expect(numbers("D1").missing).toBe(512 * 768);
  expect(numbers("A5").kept).toBe(8);
  // Only the distance 0 is right: 8 pairs of 64.
  expect([numbers("A5").right, numbers("A5").cells]).toEqual([8, 64]);
  // sin and cos of 710 = 113 * 2π + 0.00006 against those of 0, which a difference of products would round to 0.
  const nearest = 2 - 2 * Math.cos(710);
  expect(Math.abs(numbers("A3").narrow / nearest - 1), `${numbers("A3").narrow} for ${nearest}`).toBeLessThan(1e-3);
  expect([numbers("B3").differences, numbers("B3").all]).toEqual([127, 64 * 64]);
  expect([numbers("C14").parameters, numbers("C14").learned]).toEqual([0, 64 * 512]);
  expect([numbers("C18").learned, numbers("C18").relative]).toEqual([4 * 64 * 256, 4 * 64 * 511]);
  expect(Math.abs(numbers("A5").printed / 10000 ** ((-4 * 15) / 32) - 1)).toBeLessThan(1e-9);
  expect(Math.abs(numbers("E2").a - Math.sin(1)) < 1e-7 && Math.abs(numbers("E2").b - Math.cos(1)) < 1e-7).toBeTruthy();
  expect(Math.abs(numbers("C4").longest / (2 * Math.PI * 10000 ** (510 / 512)) - 1)).toBeLessThan(1e-6);
  // Σ cos(ω_i) over the 64 frequencies of 128 dimensions.
  const neighbours = Array.from({ length: 64 }, (_, i) => Math.cos(10000 ** (-i / 64))).reduce((a, b) => a + b);
  expect(Math.abs(numbers("B1").near - neighbours)).toBeLessThan(1e-4);
  // Post C's three tokens: the weight that tests of the core compute in another way.
  expect(Math.abs(numbers("C11").w0 - 0.109)).toBeLessThan(1e-3);
});
