import type { PosencFull } from "posenc/full";
import { rows } from "../../core/format";
import { selection } from "../../core/page-state";
import { readerWords } from "../../core/words";
import { state } from "./state";

/** A token with its three positions: time, height and width. */
export interface Token {
  readonly ids: readonly [number, number, number];
  /** The word of the text, counted from 0 without the image; or none, in the image. */
  readonly at: number | undefined;
  /** Undefined behind the last word of the sentence, and in the image. */
  readonly word: string | undefined;
}

/** Text, an image and text again, with the positions that Qwen2-VL gives them. */
export type Sequence = ReturnType<typeof sequence>;

export function sequence(pe: PosencFull) {
  const [before, after] = [state.textBefore.value, state.textAfter.value];
  const image = [state.imageRows.value, state.imageColumns.value] as const;
  const inImage = image[0] * image[1];
  const { positions, ropeDeltas } = pe.mropePositions({
    preset: "qwen2-vl",
    // Four patches make a token.
    segments: [{ text: before }, { image: [1, 2 * image[0], 2 * image[1]] }, { text: after }],
  });
  const [t, h, w] = rows(positions.data, positions.shape[1]);
  const tokens = t.map((time, token): Token => {
    const isImage = token >= before && token < before + inImage;
    const at = isImage ? undefined : token < before ? token : token - inImage;
    return { ids: [time, h[token], w[token]], at, word: at === undefined ? undefined : readerWords.value[at] };
  });
  const word = Math.min(selection.position.value, before + after - 1);
  return {
    tokens,
    /** How many tokens are before the image, and its rows and columns. */
    before,
    image,
    /** The tokens chosen: one of the text, if there is any, and one of the image. */
    chosenWord: word < 0 ? undefined : word < before ? word : word + inImage,
    chosenInImage: before + Math.min(state.imageToken.value, inImage - 1),
    ropeDelta: ropeDeltas[0],
    /** The position of the next word of the text. */
    next: tokens.length + ropeDeltas[0],
  };
}
