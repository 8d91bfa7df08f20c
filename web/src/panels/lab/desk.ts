import { signal } from "@preact/signals-core";
import { type Job, Queue } from "../../training/queue";
import { isSmall } from "../../training/watch";
import { shown, tasksOf } from "./model";
import { settings } from "./settings";
import { state } from "./state";

/** The state of the reader's own trainings. None of it is in the link. */
export class Desk {
  readonly queue = new Queue();
  /** Whether this tab's results are shown, and not those stored. */
  readonly isOwn = signal(false);
  /** A text of the reader's own, with its name; the problem that it has, if any. */
  readonly text = signal<{ readonly name: string; readonly text: string } | undefined>(undefined);
  readonly textProblem = signal("");
  /** The error of a training that could not be started. */
  readonly problem = signal("");
  /** The token whose attention is described; the last one at first. */
  readonly query = signal<number | undefined>(undefined);
  /** The encoding whose attention is drawn. */
  readonly mapped = signal("");

  /** Whether short runs are made: as chosen, or as suits the device. */
  get isShort(): boolean {
    const { value } = settings.labSteps;
    return value === "auto" ? isSmall() : value === "short";
  }

  get seeds(): number {
    return this.isShort ? 1 : Number(settings.labSeeds.value);
  }

  async play(): Promise<void> {
    this.problem.value = "";
    try {
      const view = state.labTask.peek();
      const text = view === "text" ? await this.textToRead() : "";
      const jobs = Array.from({ length: this.seeds }, (_, at) => at + 1).flatMap((seed) =>
        tasksOf(view).flatMap((task) =>
          shown.peek().map((name): Job => ({ task, name, seed, isShort: this.isShort, text })),
        ),
      );
      this.isOwn.value = true;
      this.queue.start(jobs);
    } catch (error) {
      this.problem.value = error instanceof Error ? error.message : String(error);
    }
  }

  private async textToRead(): Promise<string> {
    const own = this.text.peek();
    if (own) return own.text;
    const answer = await fetch("./opticks.txt");
    if (!answer.ok) throw new Error(`opticks.txt: ${answer.status} ${answer.statusText}`);
    return answer.text();
  }

  /** Takes a file as the text; undefined for the page's own again. */
  async take(file: File | undefined): Promise<void> {
    this.textProblem.value = "";
    try {
      this.text.value = file && { name: file.name, text: await file.text() };
    } catch (error) {
      this.textProblem.value = `${file?.name}: ${error instanceof Error ? error.message : error}`;
    }
  }

  type(name: string, text: string): void {
    this.textProblem.value = "";
    this.text.value = text === "" ? undefined : { name, text };
  }
}
