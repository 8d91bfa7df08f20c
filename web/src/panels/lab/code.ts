import { effect } from "@preact/signals-core";
import type { TemplateResult } from "lit-html";
import { copied, copyBox } from "../../core/below/copy-box";
import { type TaskName, tasks } from "../../training/results";
import type { Text } from "./text.en";

const written = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/"(\w+)":/g, "$1: ")
    .replaceAll(",", ", ")
    .replace(/^\{/, "{ ")
    .replace(/\}$/, " }");

/** Writes this training in JavaScript, with the package. */
function code(task: TaskName, name: string): string {
  const { options, isText, longest, stretches, encodings } = tasks[task];
  const { encoding, model, tested } = encodings[name];
  const [rule] = Object.entries(tested);
  const made = [
    `  task: ${isText ? '{ type: "text", text }' : written(options.task)},`,
    `  encoding: ${written(encoding)},`,
    `  model: ${written({ ...options.model, ...model })},`,
    `  optimizer: ${written(options.optimizer)},`,
    "  seed: 1,",
  ];
  const lengths = `lengths: [${stretches.map((stretch) => stretch * longest).join(", ")}]`;
  return [
    'import { load } from "posenc/lab";',
    "",
    "const lab = await load();",
    ...(isText ? ['const text = await (await fetch("opticks.txt")).text();'] : []),
    "const run = lab.train({",
    ...made,
    "});",
    "for await (const { step, loss } of run) console.log(step, loss);",
    `console.log(await run.stretch({ ${lengths} }));`,
    ...(rule
      ? [
          `// ${rule[0]}`,
          `const encoding = (factor) => ({ ...${written(encoding)}, scaling: { type: "${rule[1]}", factor } });`,
          `console.log(await run.stretch({ ${lengths}, encoding }));`,
        ]
      : []),
    "await run.dispose();",
  ].join("\n");
}

/** Calls `redraw` when the button's text changes. */
export const followCopies = (redraw: () => void) =>
  effect(() => {
    void copied.value;
    redraw();
  });

export const codeBox = (words: Text, task: TaskName, name: string): TemplateResult =>
  copyBox("lab-code", words.codeOf(words.names[name] ?? name), code(task, name));
