import { batch, type Signal, signal } from "@preact/signals-core";

/** A piece of state: a signal with a default, a key in the link, and how it is read from and written to the link. */
export interface Row<T = unknown> extends Signal<T> {
  /** Its name in the object passed to `defineState`, which sets it. */
  readonly name: string;
  readonly key: string;
  readonly initial: T;
  /** The value of `text`, or undefined if it is not valid; then the default holds. */
  parse(text: string): T | undefined;
  format(value: T): string;
}

/** The limits of a number box. */
export interface Limits {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** A row that holds a number; sliders and number boxes take their limits from here. */
export interface NumberRow extends Row<number> {
  readonly limits: Limits;
}

/** A row that holds a list of numbers of fixed length: a vector, or a matrix row by row. */
export interface NumbersRow extends Row<readonly number[]> {
  readonly limits: Limits;
}

/** The type of a row's value. */
export type Value<R> = R extends Row<infer T> ? T : never;

const row = <T, Rest extends Pick<Row<T>, "key" | "parse" | "format">>(initial: T, rest: Rest) =>
  Object.assign(signal(initial), { name: "", initial }, rest);

function readNumber(text: string, { min, max, whole }: Limits): number | undefined {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return value >= min && value <= max && (!whole || Number.isInteger(value)) ? value : undefined;
}

/** One of a few words; the first is the default. */
export function choice<const T extends string>(key: string, values: readonly T[]): Row<T> {
  const parse = (text: string) => values.find((value) => value === text);
  return row(values[0], { key, parse, format: (value: T) => value });
}

export function number(key: string, initial: number, min: number, max: number, whole = false): NumberRow {
  const limits = { min, max, whole };
  return row(initial, { key, limits, parse: (text: string) => readNumber(text, limits), format: String });
}

export function numbers(key: string, initial: readonly number[], min: number, max: number): NumbersRow {
  const limits = { min, max, whole: false };
  const parse = (text: string) => {
    const values = text.split(",").map((part) => readNumber(part, limits));
    const valid = values.length === initial.length && values.every((value) => value !== undefined);
    return valid ? values : undefined;
  };
  return row(initial, { key, limits, parse, format: (values: readonly number[]) => values.join(",") });
}

/** A row that holds text. */
export interface TextRow extends Row<string> {
  /** How many characters it may have. */
  readonly longest: number;
}

/** Any text up to a length. */
export function words(key: string, initial: string, longest: number): TextRow {
  const parse = (text: string) => (text.length <= longest ? text : undefined);
  return row(initial, { key, longest, parse, format: (text: string) => text });
}

/** The state of a panel, or of the page: its rows by name. */
export function defineState<const S extends Readonly<Record<string, Row>>>(rows: S): S {
  for (const [name, each] of Object.entries(rows)) Object.assign(each, { name });
  return rows;
}

/** Sets a row or any signal: what a handler does in one expression. */
export function put<T>(signal: { value: T }, value: NoInfer<T>): void {
  signal.value = value;
}

export function reset(rows: readonly Row[]): void {
  batch(() => {
    for (const each of rows) each.value = each.initial;
  });
}

/** Whether every one of these rows holds its default. */
export function isInitial(rows: readonly Row[]): boolean {
  return rows.every((each) => each.format(each.value) === each.format(each.initial));
}

/** Sets a row on which defaults of others depend: those that hold theirs hold the new ones then. */
export function choose<T>(row: Row<T>, value: T): void {
  const held = linked.filter((each) => each !== (row as Row) && isInitial([each]));
  batch(() => {
    row.value = value;
    reset(held);
  });
}

/** The rows that links hold, in this order; the first `common` of them are every page's. */
let linked: readonly Row[] = [];
let common = 0;

/** Links hold these rows from now on; those to other pages leave this page's `own` out. */
export function linkRows(rows: readonly Row[], own: readonly Row[]): void {
  linked = [...rows, ...own];
  common = rows.length;
}

/** The rows that links hold now. */
export const rowsOfLinks = (): readonly Row[] => linked;

/** Sets rows from the text after `#`; those missing or not valid there get their defaults. */
export function readLink(hash: string, rows = linked): void {
  const link = new URLSearchParams(hash.replace(/^#/, ""));
  batch(() => {
    for (const each of rows) {
      const text = link.get(each.key);
      const next = (text === null ? undefined : each.parse(text)) ?? each.initial;
      if (each.format(each.value) !== each.format(next)) each.value = next;
    }
  });
}

/** The text after `#` that holds the state, with `changes` by name: every row, or of these, that differs from its default. */
export function writeLink(changes: Readonly<Record<string, unknown>> = {}, rows = linked): string {
  const link = new URLSearchParams();
  for (const each of rows) {
    const text = each.format(changes[each.name] ?? each.value);
    if (text !== each.format(each.initial)) link.set(each.key, text);
  }
  return `#${link}`;
}

/** The same for another page. */
export const writeCommon = (changes: Readonly<Record<string, unknown>>): string =>
  writeLink(changes, linked.slice(0, common));
