/* Numbers and options, written in each language. */

type Value = unknown;

const isList = (value: Value): value is ArrayLike<number> => Array.isArray(value) || ArrayBuffer.isView(value);

/** The most characters in a line of numbers. */
const longestLine = 80;

/** Writes numbers in one line where they fit, else in several. */
function numbers(values: ArrayLike<number>): string {
  const lines = [""];
  for (const value of Array.from(values, String)) {
    const line = lines[lines.length - 1];
    if (line.length + value.length > longestLine) lines.push(`${value}, `);
    else lines[lines.length - 1] = `${line}${value}, `;
  }
  if (lines.length === 1) return lines[0].slice(0, -2);
  return `\n${lines.map((line) => `    ${line.trimEnd()}`).join("\n")}\n`;
}

/** `[1, 2]`, over several lines where there are many. */
export const list = (values: ArrayLike<number>): string => `[${numbers(values)}]`;

/** `[0, 1, 2]` a row: a matrix. */
export function matrix(values: ArrayLike<number>, width: number): string {
  const rows = Array.from({ length: values.length / width }, (_, row) =>
    list(Array.from(values).slice(row * width, (row + 1) * width)),
  );
  return rows.length === 1 ? `[${rows[0]}]` : `[\n${rows.map((row) => `    ${row},`).join("\n")}\n]`;
}

/** An expression of the target language among options. */
interface Raw {
  readonly text: string;
}
export const raw = (text: string): Raw => ({ text });
const isRaw = (value: Value): value is Raw => typeof value === "object" && value !== null && "text" in value;

/** The entries of an object that are not undefined. */
const given = (options: object): [string, Value][] =>
  Object.entries(options).filter(([, value]) => value !== undefined);

/** `{ dim: 64, layout: "half" }` */
export function javascript(value: Value): string {
  if (isList(value)) return list(value);
  if (isRaw(value)) return value.text;
  if (typeof value === "object" && value !== null)
    return `{ ${given(value)
      .map(([name, each]) => (isRaw(each) && each.text === name ? name : `${name}: ${javascript(each)}`))
      .join(", ")} }`;
  return JSON.stringify(value);
}

/** `dim=64, layout="half"` */
export const keywords = (options: object): string =>
  given(options)
    .map(([name, value]) => `${snake(name)}=${python(value)}`)
    .join(", ");

function python(value: Value): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return isList(value) ? list(value) : JSON.stringify(value);
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
