import type { PosencFull, Tensor } from "posenc/full";
import { scaled, tensor } from "../../core/arithmetic";
import type { Claim } from "../claim";
import { perplexities, stored } from "../trained";
import { gap, random, refuses } from "./arithmetic";

/** Trains values by 400 steps of Adam with a given gradient. */
function trained(pe: PosencFull, x: Tensor, gradientOf: (x: Tensor) => Float32Array, lr: number): Tensor {
  const data = x.data.slice();
  const [firstMoment, secondMoment] = [0, 0].map(() => new Float32Array(data.length));
  for (let step = 1; step <= 400; step++)
    pe.adamStep(data, { gradient: gradientOf({ data, shape: x.shape }), lr, step, firstMoment, secondMoment });
  return { data, shape: x.shape };
}

/** Trains a table to have the wanted rows, of which it sees some. */
function learnedFrom(pe: PosencFull, table: Tensor, wanted: Tensor, seen: readonly number[]): Tensor {
  const [rows] = table.shape;
  return trained(
    pe,
    table,
    (x) => {
      const missed = pe.lookupRows(pe.add(x, scaled(wanted, -1)), { ids: seen });
      return pe.rowsGradient(missed, { ids: seen, rows }).data;
    },
    0.03,
  );
}

/** Trains the weight of a linear layer on fixed codes in the same way. */
function learnedOnTop(pe: PosencFull, fixed: Tensor, wanted: Tensor, seen: readonly number[]): Tensor {
  const [, dim] = fixed.shape;
  const codes = pe.lookupRows(fixed, { ids: seen });
  const shown = pe.lookupRows(wanted, { ids: seen });
  const weight = tensor(new Float32Array(dim * dim), dim);
  return trained(
    pe,
    weight,
    (layer) => {
      const gradient = scaled(pe.add(pe.linear(codes, layer), scaled(shown, -1)), 1 / seen.length);
      return pe.linearBackward({ x: codes, weight: layer, gradient }).weight.data;
    },
    0.03,
  );
}

export const learnedPositions: Readonly<Record<"B7", Claim>> = {
  B7: {
    seeded: true,
    sizes: { of: "positions", choices: [16, 64] },
    trained: true,
    check(pe, { seed, size }, trainings = stored) {
      const dim = 8;
      const fixed = pe.sinusoidal({ length: size, dim });
      const table = () => pe.learnedTable({ length: size, dim, seed: 10 * seed + 1 });
      const all = Array.from({ length: size }, (_, p) => p);
      const even = all.filter((p) => p % 2 === 0);
      const error = (x: Tensor, wanted: Tensor) => gap(x, wanted);
      // Random vectors as the target: a learned table can approach them, a fixed one cannot.
      const wanted = random(pe, size, dim, 10 * seed);
      const start = error(table(), wanted);
      const end = error(learnedFrom(pe, table(), wanted, all), wanted);
      const isFlexible = end < error(fixed, wanted) && end < start;
      // A target that is linear in the sinusoids: from half of the positions, and from all.
      const regular = pe.linear(fixed, scaled(random(pe, dim, dim, 10 * seed + 2), 0.5));
      const fromHalf = error(learnedFrom(pe, table(), regular, even), regular);
      const fromAll = error(learnedFrom(pe, table(), regular, all), regular);
      const layer = learnedOnTop(pe, fixed, regular, even);
      const fixedFromHalf = error(pe.linear(fixed, layer), regular);
      const needsMore = fixedFromHalf < fromHalf && fromAll < fromHalf;
      // A model with the same data: is it behind with a learned table?
      const [near, far] = perplexities(trainings, "learned");
      const [fixedNear, fixedFar] = perplexities(trainings, "sinusoid");
      return {
        isTrue: isFlexible && needsMore && near > fixedNear,
        limited: refuses(() => pe.lookupRows(table(), { ids: [size] })),
        numbers: {
          start,
          end,
          fixed: error(fixed, wanted),
          parameters: table().data.length,
          rows: size,
          fromHalf,
          fromAll,
          fixedFromHalf,
          near,
          far,
          fixedNear,
          fixedFar,
          seeds: trainings("text", "learned").length,
        },
      };
    },
  },
};
