import type { Computation, Places, Step } from "../core/computation";

/** Extents of the results of a computation, by name. */
export type Shapes = ReadonlyMap<string, readonly number[]>;

const countOf = (places: Places) => ("count" in places ? places.count : places.length);

function shapeOf(step: Step, known: Shapes): readonly number[] {
  const of = (name: string) => known.get(name) as readonly number[];
  switch (step.does) {
    case "sinusoid":
      return [countOf(step.positions), step.dim];
    case "values":
      return [step.data.length / step.width, step.width];
    case "add":
      return of(step.of[0]);
    case "scale":
    case "rotate":
    case "rotate-points":
      return of(step.of);
    case "product":
      return [of(step.of[0])[0], of(step.of[1])[0]];
    case "attention":
      return [of(step.query)[0], of(step.key)[0]];
    case "relative":
      return [...(step.rule.type === "alibi" ? [step.rule.heads] : []), step.size, step.size];
    case "frequencies":
      return [step.dim / 2];
    case "bound":
      return [step.distances.length];
    case "mrope":
      return [3, step.before + step.image[0] * step.image[1] + step.after];
    case "angles":
      return [2, step.dim / 2];
  }
}

export function shapesOf({ steps }: Computation): Shapes {
  const known = new Map<string, readonly number[]>();
  for (const step of steps) {
    known.set(step.name, shapeOf(step, known));
    if (step.does === "attention" && step.output)
      known.set(step.output, [
        ...(known.get(step.query) as number[]).slice(0, 1),
        ...(known.get(step.value) as number[]).slice(1),
      ]);
  }
  return known;
}

/** Where a number stands in row-major order: `3 * 128 + 4`. */
export function flat(at: readonly number[], shape: readonly number[]): string {
  return at.reduce((index, each, axis) => {
    if (axis === 0) return `${each}`;
    const row = index.includes("+") ? `(${index})` : index;
    return index === "0" ? `${each}` : `${row} * ${shape[axis]} + ${each}`;
  }, "");
}

/** How far a result may be from what the library has: roundings of float32, in sums of such terms. */
export function toleranceOf({ size = 1 }: Computation): string {
  return (1e-6 * Math.max(1, size)).toExponential(0);
}
