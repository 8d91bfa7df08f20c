import { signal } from "@preact/signals-core";
import { configOf } from "posenc/files";
import { language } from "../core/i18n";
import { put, reset } from "../core/state";
import { ask, Ended, endWorker, listArrays, Refused } from "./ask";
import type { Answer, Given, Own, Problem, Question } from "./protocol";
import { assign, kindOf, slots } from "./slots";
import { optionsOf, state } from "./state";

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
/** The array chosen or the text typed for each part. */
export const picks = signal<Readonly<Record<string, number>>>({});
export const typed = signal<Readonly<Record<string, string>>>({});
/** The outcome of the last dropped files: the number of arrays, and the files that could not be read. */
export const filed = signal<{ count: number; problems: readonly (readonly [file: string, problem: Problem])[] }>();

export const outcome = signal<Answer | { readonly problem: Problem } | "stopped">();
/** Seconds since the current question was asked. */
export const waiting = signal<number>();

let asked: Question | undefined;
let timer = 0;

function wait(seconds?: number): void {
  clearInterval(timer);
  waiting.value = seconds;
  if (seconds === undefined) return;
  timer = window.setInterval(() => put(waiting, (waiting.peek() ?? 0) + 1), 1000);
}

/** Ends a question that is not answered yet. */
function end(): void {
  if (waiting.peek() !== undefined) endWorker();
  asked = undefined;
  wait();
}

/** Chooses the best explanation and the most informative pair for the next answer. */
export const first = () => reset([state.explanation, state.drawnPair]);

/** Asks a question in place of an earlier one. */
export async function run(question: Question): Promise<void> {
  end();
  asked = question;
  wait(0);
  try {
    outcome.value = await ask(question, language.peek());
  } catch (error) {
    if (error instanceof Ended) return;
    outcome.value = { problem: error instanceof Refused ? error.problem : { message: String(error) } };
  }
  wait();
}

export function stop(): void {
  end();
  outcome.value = "stopped";
}

/** Asks about the reader's own numbers again, for sentences in another language; an example's answer goes. */
export function again(): void {
  if (asked && "kind" in asked) run(asked);
  else if (asked) {
    end();
    outcome.value = undefined;
  }
}

function expected(): Own["expected"] {
  if (state.expectation.value === "none") return undefined;
  if (state.expectation.value === "config") return { config: state.config.value, ...optionsOf("config") };
  const plan = optionsOf("plan");
  const { dim, rotaryDim } = plan;
  // Of tables and ids the kind says what is meant, of biases a field.
  const type = { table: "sinusoidal", ids: "ids" }[state.kind.value as string];
  return { ...(type && { type }), ...plan, ...(rotaryDim > dim && { rotaryDim: dim }) };
}

/** The numbers given for each part, if any. */
function parts(): Own["parts"] {
  const given: Record<string, Given> = {};
  for (const { name } of slots[state.kind.value]) {
    const text = typed.value[name] ?? "";
    const pick = found.value[picks.value[name]];
    if (pick) given[name] = pick.given;
    else if (text.trim() !== "") given[name] = { text };
  }
  return given;
}

export function runOwn(): void {
  first();
  const [values, samples] = [optionsOf("values"), optionsOf("samples")];
  run({ kind: state.kind.value, parts: parts(), values, samples, expected: expected() });
}

/** A name as the library's messages show it: nothing in it ends a line, or turns the direction of what follows. */
const visible = (name: string): string =>
  name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

function fromJson(file: string, text: string): Found[] {
  const read: unknown = configOf(text);
  if (Array.isArray(read)) return [{ name: file, label: visible(file), given: { text } }];
  if (typeof read !== "object" || read === null) return [];
  if ("model_type" in read || "rope_theta" in read || "hidden_size" in read) {
    state.config.value = state.config.parse(text) ?? JSON.stringify(read);
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
  const all = [...found.value];
  const problems: [string, Problem][] = [];
  for (const file of files) {
    try {
      all.push(...(await arraysIn(file)));
    } catch (error) {
      const isJson = error instanceof SyntaxError && { fault: "no-json" as const, text: await file.text() };
      const { message } = error as Error;
      const problem = error instanceof Refused ? error.problem : { message, ...isJson };
      problems.push([visible(file.name), problem]);
    }
  }
  const count = all.length - found.value.length;
  filed.value = { count, problems };
  if (count === 0) return;
  found.value = all;
  const names = all.map(({ name }) => name);
  const kind = kindOf(names) ?? state.kind.value;
  state.kind.value = kind;
  picks.value = { ...picks.value, ...assign(kind, names) };
  const given = parts();
  const isWhole = slots[kind].every(({ name, optional }) => optional || name === "positions" || name in given);
  if (isWhole && problems.length === 0) runOwn();
}

export function forget(): void {
  found.value = [];
  picks.value = {};
  filed.value = undefined;
}
