import { arraysOf, ggufOf, onnxOf } from "posenc/files";
import { type ExpectedPlan, load, type PosencTools, type Samples } from "posenc/tools";
import type { Language } from "../core/i18n";
import { fieldsOf } from "../core/refusal/fields";
import { pictureOf } from "./answer/evidence";
import { examples } from "./answer/examples";
import { expectedOf } from "./answer/expected";
import { Unreadable } from "./answer/pasted";
import { rightOf } from "./answer/right";
import { type Read, readSamples } from "./answer/samples";
import type { Answer, Listed, Question, Request, Response } from "./protocol";

/** Answers the page, in a thread of its own. */

interface Asked extends Read {
  readonly expected: ExpectedPlan | undefined;
}

const shapes = (samples: Samples) =>
  Object.entries(samples).flatMap(([part, each]) =>
    part !== "positions" && typeof each === "object" && "shape" in each
      ? [{ part, shape: each.shape as number[] }]
      : [],
  );

async function asked(pe: PosencTools, question: Question): Promise<Asked> {
  if ("example" in question) {
    const { samples, expected } = examples[question.example](pe);
    const positions = "positions" in samples && Array.isArray(samples.positions) ? (samples.positions as number[]) : [];
    return { samples, expected, positions, looked: shapes(samples) };
  }
  const read = await readSamples(question.kind, question.parts, question.stated);
  return { ...read, expected: expectedOf(pe, question.expected, question.kind) };
}

async function answer(question: Question, language: Language): Promise<Answer> {
  const pe = await load();
  const { samples, expected, looked, positions } = await asked(pe, question);
  const partial = looked.some(({ of }) => of !== undefined);
  const diagnosis = pe.diagnose(samples, { language, partial, ...(expected && { expected }) });
  return {
    diagnosis,
    pictures: diagnosis.explanations.map((each) => pictureOf(pe, samples, each)),
    rights: diagnosis.explanations.map((each) => rightOf(pe, expected, each, diagnosis.kind)),
    hasExpected: expected !== undefined,
    looked,
    positions,
  };
}

/** The arrays in a file, of a graph those of nodes that rotate, if any; of a .gguf file the config that says the same, with its layout. */
async function listed(file: File): Promise<{ listed: Listed[]; config?: string }> {
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

function problem(error: unknown) {
  if (error instanceof Unreadable) {
    const { fault, message, part, text } = error;
    return { fault, message, ...(part !== undefined && { part }), ...(text !== undefined && { text }) };
  }
  const refused = fieldsOf(error);
  return { message: error instanceof Error ? error.message : String(error), ...(refused && { refused }) };
}

const send = (response: Response) => postMessage(response);

addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  const { id } = data;
  try {
    if ("list" in data) send({ id, ...(await listed(data.list)) });
    else send({ id, answer: await answer(data.ask, data.language) });
  } catch (error) {
    send({ id, problem: problem(error) });
  }
});
