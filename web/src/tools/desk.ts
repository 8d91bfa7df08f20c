import { signal } from "@preact/signals-core";
import { configOf } from "posenc/files";
import type { ErrorFields } from "posenc/tools";
import { language } from "../core/i18n";
import { reset } from "../core/state";
import { ask, Ended, endWorker, listArrays, Refused } from "./ask";
import type { Answer, Expected, Given, Kind, Problem, Question } from "./protocol";
import { assign, kindOf, slots } from "./slots";
import { state } from "./state";

/* The reader's numbers and files, and their diagnosis. Only the rows of `state` are in the link. */

/** An array that was dropped. */
export interface Found {
  /** The name by which parts are recognised. */
  readonly name: string;
  /** The label for the reader: file, array, type and shape. */
  readonly label: string;
  readonly given: Given;
}

export const found = signal<readonly Found[]>([]);
/** The array chosen or the text typed for each part, by kind and part. */
export const picks = signal<Readonly<Record<string, number>>>({});
export const typed = signal<Readonly<Record<string, string>>>({});

export type Outcome =
  | { readonly answer: Answer; readonly question: Question }
  | { readonly problem: Problem }
  | "stopped";
export const outcome = signal<Outcome | undefined>(undefined);
/** Seconds since the current question was asked. */
export const waiting = signal<number | undefined>(undefined);
/** A file that cannot be read, with the reason and, for JSON, its text. */
export interface Unread {
  readonly file: string;
  readonly message: string;
  readonly text?: string;
  /** The fields of the library's error. */
  readonly refused?: ErrorFields;
}

/** The outcome of the last dropped files: the number of arrays, or the files that could not be read. */
export const filed = signal<{ readonly count: number; readonly problems: readonly Unread[] } | undefined>(undefined);

export const keyOf = (kind: Kind, part: string) => `${kind}.${part}`;

let timer = 0;
let asked = 0;

function settle(next: Outcome | undefined): void {
  clearInterval(timer);
  waiting.value = undefined;
  if (next !== undefined) outcome.value = next;
}

/** Chooses the best explanation and the most informative pair for the next answer. */
export const first = () => reset([state.explanation, state.drawnPair]);

/** Asks a question and drops an earlier one that is not answered yet. */
export async function run(question: Question): Promise<void> {
  const mine = ++asked;
  if (waiting.peek() !== undefined) endWorker();
  clearInterval(timer);
  waiting.value = 0;
  timer = window.setInterval(() => {
    waiting.value = (waiting.peek() ?? 0) + 1;
  }, 1000);
  try {
    const answer = await ask(question, language.peek());
    if (mine === asked) settle({ answer, question });
  } catch (error) {
    if (mine !== asked || error instanceof Ended) return;
    settle({ problem: error instanceof Refused ? error.problem : { message: String(error) } });
  }
}

export function stop(): void {
  asked++;
  endWorker();
  settle("stopped");
}

/** Removes the answer of an example. */
export function clear(): void {
  const last = outcome.peek();
  if (waiting.peek() !== undefined) endWorker();
  asked++;
  settle(undefined);
  if (typeof last === "object" && "question" in last && "example" in last.question) outcome.value = undefined;
}

/** Asks the last question again, for its sentences in another language. */
export function again(): void {
  const last = outcome.peek();
  if (typeof last === "object" && "question" in last) run(last.question);
}

function expected(): Expected {
  if (state.expectation.value === "config")
    return {
      kind: "config",
      text: state.expectedConfig.value,
      layer: state.expectedLayer.value,
      length: state.expectedLength.value,
    };
  if (state.expectation.value === "none") return { kind: "none" };
  const dim = state.expectedDim.value;
  const rotaryDim = Math.min(dim, state.expectedRotated.value);
  const layout = state.expectedLayout.value;
  const plan = { dim, rotaryDim, layout, base: state.expectedBase.value };
  return { kind: "plan", plan, bias: state.expectedBias.value, preset: state.expectedIds.value };
}

/** The numbers given for each part, if any. */
export function parts(kind: Kind): Readonly<Record<string, Given>> {
  const given: Record<string, Given> = {};
  for (const { name } of slots[kind]) {
    const key = keyOf(kind, name);
    const pick = found.value[picks.value[key]];
    const text = typed.value[key] ?? "";
    if (pick) given[name] = pick.given;
    else if (text.trim() !== "") given[name] = { text };
  }
  return given;
}

export const isComplete = (kind: Kind): boolean => {
  const given = parts(kind);
  return slots[kind].every(({ name, optional }) => optional || name === "positions" || name in given);
};

export function runOwn(): void {
  const kind = state.kind.value;
  first();
  const stated = { dtype: state.dtype.value, quantized: state.quantized.value, seqAxis: state.seqAxis.value };
  run({ kind, parts: parts(kind), stated, expected: expected() });
}

/** A name as the library's messages show it: nothing in it ends a line, or turns the direction of what follows. */
const visible = (name: string): string =>
  name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

function fromJson(file: string, text: string): Found[] {
  const read: unknown = configOf(text);
  if (Array.isArray(read)) return [{ name: file, label: visible(file), given: { text } }];
  if (typeof read !== "object" || read === null) return [];
  if ("model_type" in read || "rope_theta" in read || "hidden_size" in read) {
    state.expectedConfig.value = state.expectedConfig.parse(text) ?? JSON.stringify(read);
    state.expectation.value = "config";
    return [];
  }
  return Object.entries(read)
    .filter(([, each]) => Array.isArray(each))
    .map(([name, each]) => ({ name, label: visible(`${file}: ${name}`), given: { text: JSON.stringify(each) } }));
}

async function arraysIn(file: File): Promise<Found[]> {
  if (/\.json$/i.test(file.name)) return fromJson(file.name, await file.text());
  const { listed, config } = await listArrays(file);
  if (config !== undefined) return fromJson(file.name, config);
  return listed.map(({ name, dtype, shape }) => ({
    name: name || file.name,
    label: `${visible(name ? `${file.name}: ${name}` : file.name)} (${dtype} [${shape.join(", ")}])`,
    given: { file, array: name },
  }));
}

/** Adds files: names the arrays in them, assigns them to parts by their names, and asks if no part is missing. */
export async function addFiles(files: Iterable<File>): Promise<void> {
  state.sample.value = "own";
  const added: Found[] = [];
  const problems: Unread[] = [];

  for (const file of files) {
    try {
      const arrays = await arraysIn(file);
      added.push(...arrays);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const refused = error instanceof Refused ? error.problem.refused : undefined;
      const text = error instanceof SyntaxError ? await file.text() : undefined;
      problems.push({
        file: visible(file.name),
        message,
        ...(refused && { refused }),
        ...(text !== undefined && { text }),
      });
    }
  }
  filed.value = { count: added.length, problems };
  if (added.length === 0) return;
  const all = [...found.value, ...added];
  found.value = all;
  const names = all.map(({ name }) => name);
  state.kind.value = kindOf(names) ?? state.kind.value;
  const kind = state.kind.value;
  const chosen = Object.entries(assign(kind, names)).map(([part, index]) => [keyOf(kind, part), index]);
  picks.value = { ...picks.value, ...Object.fromEntries(chosen) };
  if (isComplete(kind) && problems.length === 0) runOwn();
}

export function forget(): void {
  found.value = [];
  picks.value = {};
  filed.value = undefined;
}
