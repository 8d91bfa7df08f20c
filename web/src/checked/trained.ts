import { means, type Result, storedResults, type TaskName, tasks } from "../training/results";

/* The results of trainings: those stored with the page, or those of the reader's tab. */

/** Returns the results of an encoding on a task. */
export type Trainings = (task: TaskName, name: string) => readonly Result[];
export const stored: Trainings = storedResults;

const last = tasks.text.stretches.length - 1;

/** A model reads on if its perplexity at the longest length is at most this many times that at the training length. */
export const bearable = 1.25;

/** Whether every training with this encoding reads on, on the text. */
export function readsOn(trainings: Trainings, name: string): boolean {
  const results = trainings("text", name);
  return results.length > 0 && results.every(({ tests }) => tests[name][last] <= bearable * tests[name][0]);
}

/** Mean perplexities at the training length and at the longest. */
export function perplexities(trainings: Trainings, name: string): readonly [number, number] {
  const all = means(trainings("text", name), name);
  return [all[0], all[last]];
}
