import { computed } from "@preact/signals-core";
import type { Progress } from "../../training/queue";
import { mean, type Result, storedResults, type TaskName, tasks } from "../../training/results";
import { state } from "./state";

/** The tasks, encodings and results that are shown, and how they compare. */

/** A task, or order and back beside each other. */
export type View = (typeof state.labTask)["value"];

export const tasksOf = (view: View): readonly TaskName[] => (view === "pair" ? ["order", "back"] : [view]);

/** The encodings that a view can show, and those that it shows at first. */
export const encodingsOf = (view: View): readonly string[] => Object.keys(tasks[tasksOf(view)[0]].encodings);
const first: Readonly<Record<View, readonly string[]>> = {
  text: ["none", "sinusoid", "RoPE", "ALiBi", "T5", "FoX"],
  order: ["none", "sinusoid", "RoPE", "ALiBi", "Shaw", "FIRE"],
  back: ["none", "sinusoid", "RoPE", "ALiBi", "Shaw", "FIRE"],
  pair: ["none", "RoPE", "ALiBi", "Shaw", "FIRE"],
  roles: encodingsOf("roles"),
};

const separator = ".";

export const shown = computed((): readonly string[] => {
  const view = state.labTask.value;
  if (state.labShown.value === "") return first[view];
  const asked = state.labShown.value.split(separator);
  return encodingsOf(view).filter((name) => asked.includes(name));
});

/** Shows an encoding or hides it. */
export function toggle(name: string): void {
  const view = state.labTask.value;
  const next = encodingsOf(view).filter((each) => shown.value.includes(each) !== (each === name));
  state.labShown.value = next.join() === first[view].join() ? "" : next.join(separator) || separator;
}

/** How often each encoding of a view was trained for what is stored. */
export const seedsStored = (view: View) => Object.values(tasks[tasksOf(view)[0]].encodings)[0].results.length;

/** An encoding's tests: as it was trained, and with other rules. */
export const testsOf = (task: TaskName, name: string): readonly string[] => [
  name,
  ...Object.keys(tasks[task].encodings[name].tested),
];

export const testsShown = (task: TaskName) => shown.value.flatMap((name) => testsOf(task, name));

/** Losses of a training, at evenly spaced steps. */
export interface Losses {
  readonly every: number;
  readonly steps: number;
  readonly values: ArrayLike<number>;
}

/** The losses and results of an encoding. */
export interface EncodingResults {
  readonly name: string;
  readonly losses: readonly Losses[];
  readonly results: readonly Result[];
}

/** The results of a task that are stored, or those of this tab. */
export function resultsOf(task: TaskName, runs: readonly Progress[] | undefined): readonly EncodingResults[] {
  const { steps } = tasks[task].options.optimizer;
  return shown.value.map((name) => {
    if (!runs) {
      const results = storedResults(task, name);
      const losses = results.map(({ losses: values }) => ({ values, steps, every: steps / values.length }));
      return { name, results, losses };
    }
    const own = runs.filter(({ job }) => job.task === task && job.name === name);
    return {
      name,
      results: own.flatMap(({ result }) => result ?? []),
      losses: own.map(({ every, steps: all, losses: values }) => ({ every, steps: all, values })),
    };
  });
}

/** The results of a test at a stretch, over seeds. */
export type TestMean = ReturnType<typeof testMeans>[number];

export function testMeans(task: TaskName, all: readonly EncodingResults[], stretch: number) {
  return all.flatMap(({ name, results }) =>
    testsOf(task, name).flatMap((test) => {
      const values = results.map(({ tests }) => tests[test][stretch]);
      if (values.length === 0) return [];
      return { test, mean: mean(values), least: Math.min(...values), most: Math.max(...values), seeds: values.length };
    }),
  );
}

/**
 * Ranks tests by their results at the longest length, the best first; those of the pair by order minus distance.
 */
export function ranked(view: View, of: (task: TaskName) => readonly EncodingResults[]): readonly TestMean[] {
  const [task, other] = tasksOf(view);
  const last = tasks[task].stretches.length - 1;
  const all = testMeans(task, of(task), last);
  if (!other) return [...all].sort((a, b) => (tasks[task].isText ? a.mean - b.mean : b.mean - a.mean));
  const others = new Map(testMeans(other, of(other), last).map((each) => [each.test, each.mean]));
  const apart = ({ test, mean: value }: TestMean) => value - (others.get(test) ?? 0);
  return [...all].sort((a, b) => apart(b) - apart(a));
}

/** The guess at this view: a test's name, "-" for none, or undefined while there is none. */
export const guess = computed(() => {
  const [view, name] = state.labGuess.value.split(":");
  return view === state.labTask.value && name ? name : undefined;
});

/** Sets the reader's guess; an empty name takes it back. */
export function setGuess(name: string): void {
  state.labGuess.value = name ? `${state.labTask.value}:${name}` : "";
}
