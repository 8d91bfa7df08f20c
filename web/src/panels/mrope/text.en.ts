import { html } from "lit-html";

export const en = {
  intro: () => html`
    <p>
      <strong>Choose a word or a part of the image, and read its three positions.</strong> An image stands in the middle of your
      sentence: every word counts one step on in all three, while the tokens of the image share one time and count its rows
      and columns.
    </p>
  `,
  outro: () => html`
    <p>
      M-RoPE (Qwen2-VL) gives each token three positions: time, height and width. In text the three are equal, so that it is
      ordinary RoPE. Within an image time rests, height grows with each row of tokens, width starts again in each. Four patches
      make one token.
    </p>
    <p>
      <strong>The text goes on after the largest position so far.</strong> An image of 3 × 4 tokens therefore uses up four
      positions, not twelve, and long texts with images stay nearer to the lengths seen in training. What the next token's
      position and its index differ by is <code>rope_delta</code>: a model needs it to go on writing from its cache.
    </p>
  `,
  label: "Words and an image, and below each token its time, height and width as steps",
  field: "Tokens of the image: arrow keys choose one. Words are chosen in the sentence above or by a click.",
  roledescription: "tokens of text and image",
  axes: ["time t", "height h", "width w"],
  token: "token",
  before: "Words before image",
  after: "Words after it",
  none: "none",
  imageRows: "Rows of tokens",
  imageColumns: "Columns of tokens",
  tokens: "Tokens",
  next: "The next word's position",
  textToken: (word: string | undefined, token: number, id: number) =>
    `${word === undefined ? "A word to come" : `“${word}”`}, token ${token} (from 0): t = h = w = ${id}`,
  imageToken: (row: number, column: number, token: number, [t, h, w]: readonly [number, number, number]) =>
    `Image, row ${row}, column ${column}, token ${token} (all from 0): t = ${t}, h = ${h}, w = ${w}`,
  left: (words: number, tokens: number) =>
    words > tokens
      ? `The first ${tokens === 1 ? "word" : `${tokens} words`} of ${words} are here; more settings have room for up to 12 before and 12 after the image.`
      : words < tokens
        ? `The sentence has ${words === 1 ? "1 word" : `${words} words`}; a dot marks text to come.`
        : "",
  describe: (before: number, [rows, columns]: readonly [number, number], after: number, next: number) =>
    `${before} tokens of text, an image of ${rows} × ${columns} tokens, ${after} tokens of text; the text goes on at position ${next}.`,
};
