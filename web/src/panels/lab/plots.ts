import type { TemplateResult } from "lit-html";
import { plain } from "../../core/format";
import { mean, type TaskName, tasks } from "../../training/results";
import { linePlot, type Point, type Series } from "./line-plot";
import { type EncodingResults, testsOf } from "./model";
import type { Text } from "./text.en";

/** The plots of a task: losses while it is learned, and results by length. */

/** The mean of lines, as far as all of them go. */
function meanOf(lines: readonly (readonly Point[])[]): Point[] {
  if (lines.length === 0) return [];
  const length = Math.min(...lines.map((points) => points.length));
  return lines[0].slice(0, length).map(([x], at) => [x, mean(lines.map((points) => points[at][1]))]);
}

const series = (words: Text, name: string, seeds: readonly (readonly Point[])[]): Series => ({
  name,
  label: words.names[name] ?? name,
  seeds,
  mean: meanOf(seeds),
});

export function lossPlot(words: Text, all: readonly EncodingResults[], width: number): TemplateResult {
  const drawn = all.map(({ name, losses }) =>
    series(
      words,
      name,
      losses.map(({ every, values }) => Array.from(values, (loss, at): Point => [(at + 1) * every, loss])),
    ),
  );
  const steps = Math.max(1, ...all.flatMap(({ losses }) => losses.map((each) => each.steps)));
  const highest = Math.max(0.5, ...drawn.flatMap(({ seeds }) => seeds.flat().map(([, loss]) => loss)));
  return linePlot({
    label: words.lossLabel,
    x: { name: words.step, low: 0, high: steps, whole: true },
    y: { name: words.loss, low: 0, high: 1.05 * highest },
    series: drawn,
    width,
  });
}

/** At each stretch, which the axis counts in doublings; past the first only when `isOpen`. */
export function lengthPlot(
  words: Text,
  task: TaskName,
  all: readonly EncodingResults[],
  options: { readonly isOpen: boolean; readonly doublings: number; readonly width: number },
): TemplateResult {
  const { isText, longest, stretches } = tasks[task];
  const by = isText ? 1 : 100;
  const drawn = all.flatMap(({ name, results }) =>
    testsOf(task, name).map((test) =>
      series(
        words,
        test,
        results.map(({ tests }) => tests[test].map((value, at): Point => [Math.log2(stretches[at]), by * value])),
      ),
    ),
  );
  const values = drawn.flatMap(({ seeds }) => seeds.flat().map(([, value]) => value));
  return linePlot({
    label: words.lengthLabel(words.tasks[task]),
    x: {
      name: isText ? words.characters : words.tokens,
      low: 0,
      high: Math.log2(stretches[stretches.length - 1]),
      whole: true,
      format: (doublings) => plain(longest * 2 ** doublings),
    },
    // While results are covered, the axis must not show how bad they get.
    y: isText
      ? { name: words.perplexity, low: 0, high: options.isOpen ? 1.05 * Math.max(10, ...values) : 30 }
      : { name: words.accuracy, low: 0, high: 105 },
    series: drawn,
    ...(options.isOpen
      ? { mark: options.doublings, named: true }
      : { covered: { from: 0.12, text: words.covered }, named: true }),
    width: options.width,
  });
}
