// The .wasm as the package brings it: marked as this build's, in a file of its own or as text in a module.

import { readFileSync } from "node:fs";

/** The bytes of a .wasm file and a section that has no content: its name tells which glue the .wasm belongs to. */
export const markedWasm = (file, mark) =>
  Buffer.concat([readFileSync(file), Buffer.from([0, mark.length + 1, mark.length]), Buffer.from(mark, "latin1")]);

/** The characters that a minifier has to escape in a string. */
const ESCAPED = Buffer.from("\0\x07\b\n\v\f\r\x1b\\\x7f", "latin1");

/**
 * A .wasm as text with a character a byte: of that, gzip and brotli leave a fifth less than of base64. Every ninth byte
 * is zero, and what is escaped makes the module larger; so all bytes are combined by exclusive or with the one that leaves
 * the fewest such characters. It is the text's first character, a .wasm's first byte being zero: entries/inside.ts undoes it.
 * No character is above U+00FF, with which engines would store the whole module at two bytes a character; and no
 * zero comes before a digit, since Parcel's minifier writes that as an octal escape, and refuses its own output.
 */
function textOf(wasm) {
  const times = new Uint32Array(256);
  for (const byte of wasm) ++times[byte];
  const escapes = (key) => ESCAPED.reduce((sum, character) => sum + times[character ^ key], 0);
  const text = (key) => Buffer.from(wasm.map((byte) => byte ^ key)).toString("latin1");
  // A key below 128 leaves the bytes below 128 there, which are most: UTF-8 has one byte for them.
  const keys = Array.from({ length: 128 }, (_, key) => key).sort((one, other) => escapes(one) - escapes(other));
  return keys.map(text).find((candidate) => !/\0\d/.test(candidate));
}

const ESCAPES = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\0": "\\0" };

/**
 * The text as a string in JavaScript, each line of which goes on in the next after a backslash. It is no template: those
 * lose backslashes where Parcel writes them in ASCII.
 */
export function literalOf(wasm, { lineLimit, charset }) {
  const isEscaped = (character) => charset === "ascii" && character > "~";
  const lines = [""];
  for (const character of textOf(wasm)) {
    const code = character.charCodeAt(0).toString(16).padStart(2, "0");
    const written = ESCAPES[character] ?? (isEscaped(character) ? `\\x${code}` : character);
    if (lines.at(-1).length + written.length > lineLimit) lines.push("");
    lines[lines.length - 1] += written;
  }
  return `"${lines.join("\\\n")}"`;
}
