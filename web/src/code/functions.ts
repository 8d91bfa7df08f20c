/*
 * Selects functions from the files of functions/. A function's comment is directly above it.
 * No step of a figure's computation may have the name of a function.
 */

interface Block {
  readonly name: string;
  readonly text: string;
}

const nameOf = /^(?:export )?(?:def|function) (\w+)\(/m;

/** Splits a file into its functions. A blank line inside of one is followed by an indented line. */
const blocksOf = (file: string): Block[] =>
  file
    .trim()
    .split(/\n{2,}(?=\S)/)
    .map((text) => ({ name: text.match(nameOf)?.[1] ?? "", text }));

const calls = (text: string, name: string) => new RegExp(`(?<![.\\w])${name}\\(`).test(text);

/** The functions that a program calls, directly or through others, in the file's order. */
export function functionsFor(program: string, file: string): string[] {
  const blocks = blocksOf(file).filter(({ name }) => name !== "");
  const used = new Set<Block>();
  const use = (text: string): void => {
    for (const block of blocks)
      if (!used.has(block) && calls(text, block.name)) {
        used.add(block);
        use(block.text);
      }
  };
  use(program);
  return blocks.filter((block) => used.has(block)).map(({ text }) => text);
}
