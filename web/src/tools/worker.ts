import { arraysOf, ggufOf, onnxOf } from "posenc/files";
import { load, type Samples } from "posenc/tools";
import type { Language } from "../core/i18n";
import { fieldsOf } from "../core/refusal/fields";
import { codeOf } from "./answer/code";
import { pictureOf } from "./answer/evidence";
import { examples } from "./answer/examples";
import { Unreadable } from "./answer/pasted";
import { expectedOf, readSamples } from "./answer/samples";
import type { Answer, Arrays, Problem, Question, Request } from "./protocol";

/** Answers the page, in a thread of its own. */

const looked = (samples: Samples) =>
  Object.entries(samples).flatMap(([part, { shape }]) => (shape ? [{ part, shape: shape as number[] }] : []));

async function answer(question: Question, language: Language): Promise<Answer> {
  const pe = await load();
  const isExample = "example" in question;
  const example = isExample ? examples[question.example](pe) : undefined;
  const read = example ? { ...example, looked: looked(example.samples) } : await readSamples(question as never);
  const expected = isExample ? example?.expected : expectedOf(pe, question.expected);
  const { samples } = read;
  const partial = read.looked.some((each) => "of" in each);
  const diagnosis = pe.diagnose(samples, { language, partial, ...(expected && { expected }) });
  return {
    diagnosis,
    pictures: diagnosis.explanations.map(({ found }) => pictureOf(pe, samples, found, diagnosis.seqAxis)),
    codes: diagnosis.explanations.map((each) => codeOf(pe, expected, each)),
    hasExpected: expected !== undefined,
    looked: read.looked,
    tokens: "positions" in samples && Array.isArray(samples.positions) ? samples.positions.length : 0,
  };
}

/** The arrays in a file, of a graph those of nodes that rotate, if any; of a .gguf file the config that says the same, with its layout. */
async function listed(file: File): Promise<Arrays> {
  if (/\.gguf$/i.test(file.name)) {
    const { config, layout } = await ggufOf(file);
    return { listed: [], config: JSON.stringify({ ...config, ...(layout && { layout }) }, null, 1) };
  }
  const isGraph = /\.onnx$/i.test(file.name);
  const { nodes, arrays } = isGraph ? await onnxOf(file) : { nodes: [], arrays: await arraysOf(file) };
  const all = Array.from(arrays.values(), ({ name, dtype, shape }) => ({ name, dtype, shape }));
  const caches = all.filter(({ name }) => nodes.some(({ cos, sin }) => name === cos || name === sin));
  return { listed: caches.length > 0 ? caches : all };
}

function problemOf(error: unknown): Problem {
  if (error instanceof Unreadable) return error.problem;
  return { message: error instanceof Error ? error.message : String(error), refused: fieldsOf(error) };
}

addEventListener("message", async ({ data, ports: [port] }: MessageEvent<Request>) => {
  try {
    port.postMessage("list" in data ? await listed(data.list) : await answer(data.ask, data.language));
  } catch (error) {
    port.postMessage({ problem: problemOf(error) });
  }
});
