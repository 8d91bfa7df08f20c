// Jupyter's file format: reading it, and what a cell gave, without what differs from run to run.
import { readFileSync } from "node:fs";

export const readNotebook = (file) => JSON.parse(readFileSync(file, "utf8"));

export const codeCells = (notebook) => notebook.cells.filter((cell) => cell.cell_type === "code");

/** Multi-line text is a list of lines in a file and may be one string in a message. */
export const joined = (text) => (Array.isArray(text) ? text.join("") : text);

const plain = ({ output_type, name, text, data, ename, evalue }) => {
  if (output_type === "error") return { output_type, ename, evalue };
  if (output_type === "stream") return { output_type, name, text: joined(text) };
  return { output_type, data: Object.fromEntries(Object.entries(data).map(([type, value]) => [type, joined(value)])) };
};

/** A cell's outputs, their texts whole; stream texts that follow each other are one. */
export function outputsOf(cell) {
  const outputs = [];
  for (const output of cell.outputs.map(plain)) {
    const last = outputs.at(-1);
    if (output.output_type === "stream" && last?.name === output.name) last.text += output.text;
    else outputs.push(output);
  }
  return outputs;
}

/** The outputs that are stored in a notebook file, a list for each code cell. */
export const storedOutputs = (file) => codeCells(readNotebook(file)).map(outputsOf);

/** The rows of a Markdown table, each a list of its cells' texts, without the header. */
export const tableRows = (markdown) =>
  markdown
    .trim()
    .split("\n")
    .slice(2)
    .map((line) => line.slice(2, -2).split(" | "));
