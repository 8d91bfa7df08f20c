import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
import type { Tensor, TrainingRun } from "posenc/lab";
import { less, type Result, type Rule, scalingOf, type TaskName, tasks } from "./results";
import { isHidden } from "./watch";

/** A training to be repeated in this tab. */
export interface Job {
  readonly task: TaskName;
  readonly name: string;
  readonly seed: number;
  /** Whether it has so many times fewer steps (results.ts). */
  readonly isShort: boolean;
  /** The text of a text task. */
  readonly text: string;
}

/** The progress of a training. */
export interface Progress {
  readonly job: Job;
  readonly status: "waiting" | "running" | "testing" | "done" | "failed";
  readonly steps: number;
  /** Steps made, and a loss for each `every` of them. */
  readonly step: number;
  readonly every: number;
  readonly losses: readonly number[];
  /** Seconds that its steps have taken, and those that are left. */
  readonly seconds: number;
  readonly remaining: number;
  readonly result?: Result;
  /** Weights of attention at each stretch, [layers, heads, tokens, tokens], of the tokens named. */
  readonly maps?: readonly AttentionMap[];
  readonly failure?: unknown;
}

export interface AttentionMap {
  readonly tokens: readonly string[];
  readonly weights: Tensor;
}

/** The reason why trainings rest. */
export type Rest = "reader" | "unseen" | "hidden";

/** Losses kept of a run. */
export const points = 25;

/** As many at once as there are processors, within reason; of short ones, which phones make, fewer. */
const atOnce = (jobs: readonly Job[]) =>
  Math.min(jobs.length, jobs.some(({ isShort }) => isShort) ? 2 : 4, Math.max(1, navigator.hardwareConcurrency));

async function hashOf(values: Float32Array): Promise<string | undefined> {
  // Browsers have it only for pages from https or from this machine.
  if (!globalThis.crypto?.subtle) return undefined;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Trainings, several at once, that rest while nobody sees them. */
export class Queue {
  readonly runs: Signal<readonly Progress[]> = signal([]);
  /** Set by whoever shows them. */
  readonly isSeen = signal(true);
  private readonly isPaused = signal(false);
  private readonly active = new Set<TrainingRun>();
  private generation = 0;

  readonly isOver = computed(() => this.runs.value.every(({ status }) => status === "done" || status === "failed"));

  readonly rest: ReadonlySignal<Rest | undefined> = computed(() => {
    if (this.isOver.value) return undefined;
    if (this.isPaused.value) return "reader";
    if (isHidden.value) return "hidden";
    return this.isSeen.value ? undefined : "unseen";
  });

  /** Seconds until all are over, from those that run. */
  readonly remaining = computed(() => {
    const open = this.runs.value.filter(({ status }) => status === "running" || status === "waiting");
    const running = open.filter(({ step }) => step > 0);
    if (running.length === 0) return undefined;
    const whole = (run: Progress) => run.seconds + run.remaining;
    const usual = running.reduce((sum, run) => sum + whole(run), 0) / running.length;
    const left = open.reduce((sum, run) => sum + (run.step > 0 ? run.remaining : usual), 0);
    return left / atOnce(open.map(({ job }) => job));
  });

  constructor() {
    effect(() => {
      const isResting = this.rest.value !== undefined;
      for (const run of this.active) {
        if (isResting) run.pause();
        else run.resume();
      }
    });
  }

  /** Ends what is under way and starts these. */
  start(jobs: readonly Job[]): void {
    this.stop();
    const mine = this.generation;
    batch(() => {
      this.isPaused.value = false;
      this.runs.value = jobs.map((job) => {
        const { steps } = tasks[job.task].options.optimizer;
        const whole = job.isShort ? steps / less : steps;
        const none = { losses: [], seconds: 0, remaining: 0, step: 0 };
        return { job, status: "waiting", steps: whole, every: whole / points, ...none };
      });
    });
    for (let at = 0; at < atOnce(jobs); at++) this.work(mine);
  }

  pause(): void {
    this.isPaused.value = true;
  }

  resume(): void {
    this.isPaused.value = false;
  }

  /** Ends what is under way; what is done stays. */
  stop(): void {
    this.generation++;
    for (const run of this.active) run.dispose();
    this.active.clear();
    this.runs.value = this.runs.value.filter(({ status }) => status === "done" || status === "failed");
  }

  private change(job: Job, next: Partial<Progress>): void {
    this.runs.value = this.runs.value.map((run) => (run.job === job ? { ...run, ...next } : run));
  }

  /** Takes one job after the other until there are none. */
  private async work(mine: number): Promise<void> {
    for (;;) {
      const next = this.runs.value.find(({ status }) => status === "waiting");
      if (!next || mine !== this.generation) return;
      this.change(next.job, { status: "running" });
      try {
        await this.run(next, mine);
      } catch (error) {
        if (mine !== this.generation) return;
        this.change(next.job, { status: "failed", failure: error });
      }
    }
  }

  private async run({ job, steps, every }: Progress, mine: number): Promise<void> {
    const { options, isText, longest, stretches, encodings } = tasks[job.task];
    const { encoding, model, tested } = encodings[job.name];
    const task = isText ? { ...options.task, text: job.text } : options.task;
    const optimizer = { ...options.optimizer, steps };
    // Fetched when the first one starts: many readers look at stored results alone.
    const { train } = await import("./train");
    const run = await train({
      task,
      model: { ...options.model, ...model },
      optimizer,
      encoding,
      seed: job.seed,
      every,
      lengths: [],
    });
    if (mine !== this.generation) {
      run.dispose();
      return;
    }
    this.active.add(run);
    if (this.rest.peek()) run.pause();
    try {
      const losses: number[] = [];
      for await (const { step, loss, seconds, remaining = 0 } of run) {
        if (loss !== undefined) losses.push(loss);
        this.change(job, { step, seconds, remaining, losses: losses.slice() });
      }
      if (mine !== this.generation) return;
      this.change(job, { status: "testing" });
      const lengths = stretches.map((factor) => factor * longest);
      const test = async (type?: Rule) => {
        const scaled = type && ((factor: number) => ({ ...encoding, scaling: scalingOf(type, factor, longest) }));
        const given = await run.stretch({ lengths, ...(scaled && { encoding: scaled }) });
        return given.map(({ perplexity, accuracy }) => Math.fround(isText ? perplexity : accuracy));
      };
      const tests: Record<string, number[]> = { [job.name]: await test() };
      for (const [name, rule] of Object.entries(tested)) tests[name] = await test(rule);
      const hash = await hashOf(await run.values());
      const maps = job.seed === 1 ? await this.look(run, job) : [];
      const result = { seed: job.seed, hash, losses: Float32Array.from(losses), tests };
      this.change(job, { status: "done", result, maps });
    } finally {
      this.active.delete(run);
      run.dispose();
    }
  }

  /** The attention maps of an example at each stretch. */
  private async look(run: TrainingRun, { task }: Job): Promise<AttentionMap[]> {
    const [{ words }, { exampleOf }] = await Promise.all([run.ready, import("./example")]);
    const maps: AttentionMap[] = [];
    for (const factor of tasks[task].stretches) {
      const tokens = exampleOf(task, words, factor * tasks[task].longest);
      maps.push({ tokens: tokens.map((token) => words[token]), weights: await run.attention(tokens) });
    }
    return maps;
  }
}
