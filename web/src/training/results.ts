import type { EncodingOptions, TrainingOptions } from "posenc/lab";
import { fixed } from "../core/format";
import stored from "./results.json";

/** The results of trainings: those stored with the page, and those that the reader's tab repeats. */

export type TaskName = keyof typeof stored.tasks;

/** A scaling rule that a trained RoPE is tested with; its factor is the stretch. */
export type Rule = "linear" | "ntk" | "yarn";

/** One training: losses at evenly spaced steps, and the results of each test at each stretch. */
export interface Result {
  readonly seed: number;
  /** The first 16 hexadecimal digits of the SHA-256 of the weights; nothing where a page may not compute it. */
  readonly hash: string | undefined;
  readonly losses: Float32Array;
  /** Name → at each stretch the perplexity of a text, or the share of right answers. */
  readonly tests: Readonly<Record<string, readonly number[]>>;
}

/** How an encoding is trained, and its results. */
export interface Trained {
  readonly encoding: EncodingOptions;
  /** Options of its model that differ from those of the others. */
  readonly model?: TrainingOptions["model"];
  /** Further rules that it is tested with, by name. */
  readonly tested: Readonly<Record<string, Rule>>;
  readonly gflop: number;
  /** The hash of the short run, whose seed is 1. */
  readonly short: string;
  readonly results: readonly Result[];
}

export interface Task {
  readonly name: TaskName;
  readonly options: Pick<TrainingOptions, "task" | "model"> & {
    readonly optimizer: { readonly steps: number; readonly batch: number; readonly rate: number };
  };
  /** Whether a test gives perplexity, of which less is better, and not the share of right answers. */
  readonly isText: boolean;
  /** The longest length trained on. */
  readonly longest: number;
  /** Lengths are tested at so many times the longest. */
  readonly stretches: readonly number[];
  readonly encodings: Readonly<Record<string, Trained>>;
}

/** The file, as `npm run lab -- --store` writes it. */
interface File {
  readonly posenc: string;
  readonly text: string;
  readonly less: number;
  readonly tasks: Readonly<Record<string, FiledTask>>;
}
type FiledTask = Omit<Task, "name" | "encodings"> & { readonly encodings: Readonly<Record<string, Filed>> };
type Filed = Omit<Trained, "tested" | "results"> & {
  readonly tested?: Readonly<Record<string, Rule>>;
  readonly runs: readonly (readonly [hash: string, losses: string, tests: readonly number[][]])[];
};

/** The upper halves of float32 in base64, least significant byte first. */
function unpacked(text: string): Float32Array {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const halves = new DataView(bytes.buffer);
  const bits = Uint32Array.from({ length: bytes.length / 2 }, (_, at) => halves.getUint16(2 * at, true) << 16);
  return new Float32Array(bits.buffer);
}

function trained(name: string, { runs, tested = {}, ...rest }: Filed): Trained {
  const names = [name, ...Object.keys(tested)];
  const results = runs.map(([hash, losses, tests], at) => ({
    seed: at + 1,
    hash,
    losses: unpacked(losses),
    tests: Object.fromEntries(names.map((each, row) => [each, tests[row]])),
  }));
  return { ...rest, tested, results };
}

/** The tasks of such a file. */
export const read = ({ tasks }: File): Readonly<Record<TaskName, Task>> =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, { encodings, ...task }]) => [
      name,
      {
        ...task,
        name,
        encodings: Object.fromEntries(Object.entries(encodings).map(([each, filed]) => [each, trained(each, filed)])),
      },
    ]),
  ) as unknown as Record<TaskName, Task>;

const file = stored as unknown as File;

export const tasks = read(file);
/** A short run has this many times fewer steps. */
export const { less } = file;
/** The version of the library that made them, and the hash of the text. */
export const made = { version: file.posenc, text: file.text };

/** The results stored of an encoding. */
export const storedResults = (task: TaskName, name: string): readonly Result[] =>
  tasks[task].encodings[name]?.results ?? [];

export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean of a test over seeds, at each stretch. */
export const means = (results: readonly Result[], test: string): number[] =>
  results[0].tests[test].map((_, at) => mean(results.map(({ tests }) => tests[test][at])));

/** Formats a perplexity, or the share of right answers in %. */
export const formatted = (value: number, isText: boolean, decimals = 1) =>
  isText ? fixed(value, decimals) : `${fixed(100 * value, 0)}%`;

/** The options of such a rule for a model that was trained to `longest`. */
export const scalingOf = (type: Rule, factor: number, longest: number) =>
  type === "yarn" ? { type, factor, originalLength: longest } : { type, factor };

/** The mean of a stored test over seeds. */
export const storedValue = (task: TaskName, name: string, stretch: number, test = name): number =>
  means(storedResults(task, name), test)[tasks[task].stretches.indexOf(stretch)];

/** The same, formatted for sentences. */
export const storedMean = (task: TaskName, name: string, stretch: number, test = name, decimals = 1): string =>
  formatted(storedValue(task, name, stretch, test), tasks[task].isText, decimals);
