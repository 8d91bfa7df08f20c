import type { Language } from "../core/i18n";
import type { Answer, Arrays, Problem, Question, Request } from "./protocol";

/* The worker, and the questions that it was asked. */

/** An error in a question. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** The reader stopped it, or asked another question. */
export class Ended extends Error {}

let running: { readonly worker: Worker; readonly ended: Promise<never>; fail(error: Error): void } | undefined;

/** Ends the worker and the questions it works on. The next question starts another one. */
export function endWorker(error: Error = new Ended()): void {
  running?.worker.terminate();
  running?.fail(error);
  running = undefined;
}

function start() {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    endWorker(new Refused({ message: event.message || "worker" }));
  });
  let fail: (error: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    fail = reject;
  });
  ended.catch(() => {}); // also where nothing is asked
  return { worker, ended, fail };
}

/** Each question has a channel of its own for its answer. */
async function send<Reply extends object>(request: Request): Promise<Reply> {
  running ??= start();
  const { worker, ended } = running;
  const { port1, port2 } = new MessageChannel();
  const reply = new Promise<Reply | { readonly problem: Problem }>((done) => {
    port1.onmessage = ({ data }) => done(data);
  });
  worker.postMessage(request, [port2]);
  const response = await Promise.race([reply, ended]).finally(() => port1.close());
  if ("problem" in response) throw new Refused(response.problem);
  return response;
}

/** Lists the arrays of a file, or the config of the model that it is. */
export const listArrays = (file: File) => send<Arrays>({ list: file });

/** Diagnoses numbers. */
export const ask = (question: Question, language: Language) => send<Answer>({ ask: question, language });
