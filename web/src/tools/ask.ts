import type { Language } from "../core/i18n";
import type { Answer, Listed, Problem, Question, Request, Response } from "./protocol";

/* The worker, and the questions that it was asked. */

/** An error in a question. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** The reader stopped it, or asked another question. */
export class Ended extends Error {}

type Unnumbered = { list: File } | { ask: Question; language: Language };

interface Waiting {
  done(response: Response): void;
  fail(error: Error): void;
}

let worker: Worker | undefined;
let last = 0;
const waiting = new Map<number, Waiting>();

function failAll(error: Error): void {
  for (const { fail } of waiting.values()) fail(error);
  waiting.clear();
}

function start(): Worker {
  const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<Response>) => {
    waiting.get(data.id)?.done(data);
    waiting.delete(data.id);
  });
  started.addEventListener("error", (event) => {
    event.preventDefault();
    worker = undefined;
    started.terminate();
    failAll(new Refused({ message: event.message || "worker" }));
  });
  return started;
}

function send(request: Unnumbered): Promise<Response> {
  worker ??= start();
  const id = ++last;
  return new Promise((done, fail) => {
    waiting.set(id, { done, fail });
    worker?.postMessage({ ...request, id } satisfies Request);
  });
}

/** Ends the worker and the question it works on. The next question starts another one. */
export function endWorker(): void {
  worker?.terminate();
  worker = undefined;
  failAll(new Ended());
}

/** Lists the arrays of a file, or the config of the model that it is. */
export async function listArrays(file: File): Promise<{ listed: readonly Listed[]; config?: string }> {
  const response = await send({ list: file });
  if ("problem" in response) throw new Refused(response.problem);
  return "listed" in response ? response : { listed: [] };
}

/** Diagnoses numbers. */
export async function ask(question: Question, language: Language): Promise<Answer> {
  const response = await send({ ask: question, language });
  if ("problem" in response) throw new Refused(response.problem);
  if (!("answer" in response)) throw new Ended();
  return response.answer;
}
