import type { Computation } from "../../core/computation";
import { exactly } from "../../core/format";
import type { Sequence } from "./model";

/** The figure's step: the positions of all tokens; known are those of the first and the last, and of the image's corners. */
export function computationOf({ tokens, before, image }: Sequence): Computation {
  const inImage = image[0] * image[1];
  const places = [...new Set([0, before, before + inImage - 1, tokens.length - 1])];
  return {
    steps: [{ name: "ids", does: "mrope", before, image, after: tokens.length - before - inImage }],
    known: places.flatMap((place) =>
      tokens[place].ids.map((id, axis) => ({ of: "ids", at: [axis, place], is: exactly(id) })),
    ),
  };
}
