// Steps that several workers share: each makes the gradients of some shards, gives them to all others, and makes the update
// of all, in order. So each has the same model after each step, with the bits of one that trains alone.

import type * as t from "../types/index.js";

/** Shards of a step with their indices, from one worker. */
type Part = [shard: number, gradient: t.ShardGradient][];

/** Gives a worker's part of a step, counted from 0, to all others, and takes theirs. */
interface Exchange {
  /** The buffer for a shard's gradient, where there is one. */
  buffer?(step: number, shard: number): Float32Array;
  give(step: number, part: Part): void;
  take(step: number): Promise<Part[]>;
}

/** Another worker. It is at most a step ahead, since it needs this worker's part. */
class Peer {
  readonly #port: MessagePort;
  readonly #parts: Part[] = [];
  #arrived = () => {};

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }) => {
      this.#parts.push(data);
      this.#arrived();
    };
  }

  give(part: Part): void {
    this.#port.postMessage(part);
  }

  async take(): Promise<Part> {
    while (this.#parts.length === 0) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
    return this.#parts.shift() as Part;
  }
}

/** An exchange by messages, which every page has. */
function messages(ports: readonly MessagePort[]): Exchange {
  const peers = ports.map((port) => new Peer(port));
  return {
    give: (_, part) => {
      for (const peer of peers) peer.give(part);
    },
    take: () => Promise.all(peers.map((peer) => peer.take())),
  };
}

/** The numbers of a shard's report. */
const reported = ["loss", "asked", "correct"] as const;

/** Milliseconds that a worker polls for another's part: to be woken takes longer than most waits. */
const spinTime = 0.3;

/** Milliseconds that it then waits at a time, before it receives its own messages. */
const waitTime = 5;

/**
 * An exchange by shared memory, which takes a fraction of the time: how many steps each worker has given, then reports and
 * gradients of two steps. One worker may be a step ahead of another, which still reads the step before.
 */
class SharedMemory implements Exchange {
  readonly #given: Int32Array;
  readonly #reports: Float64Array;
  /** Gradients of the shards of two steps. */
  readonly #gradients: Float32Array[] = [];

  constructor(
    memory: SharedArrayBuffer,
    readonly index: number,
    readonly workers: number,
    readonly shards: number,
    size: number,
  ) {
    const layout = layoutOf(workers, shards, size);
    this.#given = new Int32Array(memory, 0, workers);
    this.#reports = new Float64Array(memory, layout.reports, 2 * shards * reported.length);
    for (let at = 0; at < 2 * shards; ++at)
      this.#gradients.push(new Float32Array(memory, layout.gradients + at * size * 4, size));
  }

  /** The index of a shard of a step among those of two steps. */
  #at(step: number, shard: number): number {
    return (step % 2) * this.shards + shard;
  }

  buffer(step: number, shard: number): Float32Array {
    return this.#gradients[this.#at(step, shard)] as Float32Array;
  }

  give(step: number, part: Part): void {
    for (const [shard, report] of part)
      for (const [i, name] of reported.entries())
        this.#reports[this.#at(step, shard) * reported.length + i] = report[name];
    Atomics.store(this.#given, this.index, step + 1);
    Atomics.notify(this.#given, this.index);
  }

  async take(step: number): Promise<Part[]> {
    const parts: Part[] = [];
    for (let peer = 0; peer < this.workers; ++peer) {
      if (peer === this.index) continue;
      await this.#arrival(peer, step);
      const part: Part = [];
      for (let shard = peer; shard < this.shards; shard += this.workers)
        part.push([shard, this.#gradientOf(step, shard)]);
      parts.push(part);
    }
    return parts;
  }

  async #arrival(peer: number, step: number): Promise<void> {
    const given = () => Atomics.load(this.#given, peer);
    for (const end = performance.now() + spinTime; given() <= step && performance.now() < end; );
    for (let count = given(); count <= step; count = given())
      if (Atomics.wait(this.#given, peer, count, waitTime) === "timed-out") await new Promise((go) => setTimeout(go));
  }

  #gradientOf(step: number, shard: number): t.ShardGradient {
    const at = this.#at(step, shard) * reported.length;
    const [loss, asked, correct] = this.#reports.subarray(at) as unknown as [number, number, number];
    return { gradient: this.buffer(step, shard), loss, asked, correct };
  }
}

/** The layout of the shared memory: offsets in bytes. */
function layoutOf(workers: number, shards: number, size: number) {
  const reports = Math.ceil(workers / 2) * 8;
  const gradients = reports + 2 * shards * reported.length * 8;
  return { reports, gradients, end: gradients + 2 * shards * size * 4 };
}

const sizeOf = (parameters: readonly t.TrainingParameter[]) =>
  parameters.reduce((sum, { shape: [rows, columns] }) => sum + rows * columns, 0);

/** Shared memory for so many workers, if there is any: pages need to be isolated from other origins. */
export function sharedMemory(workers: number, { shards, parameters }: t.TrainingFacts): SharedArrayBuffer | undefined {
  if (typeof SharedArrayBuffer !== "function") return undefined;
  return new SharedArrayBuffer(layoutOf(workers, shards, sizeOf(parameters)).end);
}

/** Makes steps of `training` together with the workers at the other ends of `ports`; this one is number `index`. */
export function sharedSteps(
  training: t.Training,
  index: number,
  ports: readonly MessagePort[],
  memory: SharedArrayBuffer | undefined,
) {
  const { shards, parameters } = training;
  const workers = ports.length + 1;
  const exchange = memory ? new SharedMemory(memory, index, workers, shards, sizeOf(parameters)) : messages(ports);
  const outOf = (step: number, shard: number) => {
    const gradient = exchange.buffer?.(step, shard);
    return gradient && { out: { gradient } };
  };
  return async (): Promise<t.StepReport> => {
    const step = training.steps;
    const own: Part = [];
    for (let shard = index; shard < shards; shard += workers)
      own.push([shard, training.shardGradient(shard, outOf(step, shard))]);
    exchange.give(step, own);
    const all: t.ShardGradient[] = [];
    for (const [shard, gradient] of [own, ...(await exchange.take(step))].flat()) all[shard] = gradient;
    return training.update(all);
  };
}
