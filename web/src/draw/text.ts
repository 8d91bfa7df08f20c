import { labelOf, shortened } from "../core/words";

/** About how wide a text is drawn, in CSS pixels: Chinese characters are nearly twice as wide as letters. */
export const widthOf = (text: string, letter = 8) =>
  [...text].reduce((sum, sign) => sum + (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(sign) ? 1.8 : 1) * letter, 0);

/** The reader's word at a position, as short as narrow places need it. */
export function nameOf(position: number): string | undefined {
  const word = labelOf(position);
  return word === undefined ? undefined : shortened(word, 7);
}
