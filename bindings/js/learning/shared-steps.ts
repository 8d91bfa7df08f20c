// Steps that several workers share: each makes the gradients of some shards, gives them to all others, and makes the update
// of all, in order. So each has the same model after each step, with the bits of one that trains alone.

import type * as t from "../types/index.js";

/** Shards of a step with their places, from one worker. */
type Part = [shard: number, gradient: t.ShardGradient][];

/** How a worker gives its part of a step, counted from 0, to all others, and takes theirs. */
interface Exchange {
  /** Where a shard's gradient is best written, if that matters. */
  room?(step: number, shard: number): Float32Array;
  give(step: number, part: Part): void;
  take(step: number): Promise<Part[]>;
}

/** Another worker. It is at most a step ahead, since it needs what is made here. */
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

/** By messages, which every page has. */
function messages(ports: readonly MessagePort[]): Exchange {
  const peers = ports.map((port) => new Peer(port));
  return {
    give: (_, part) => {
      for (const peer of peers) peer.give(part);
    },
    take: () => Promise.all(peers.map((peer) => peer.take())),
  };
}

/** What is said of a shard besides its gradient. */
const reported = ["loss", "asked", "correct"] as const;

/** For so many milliseconds a worker asks for another's part again and again: to be woken takes longer than most waits. */
const eagerness = 0.3;

/** So many it then waits before it hears its own messages. */
const patience = 5;

/**
 * By memory that all workers see, which takes a fraction of the time: how many steps each worker has given, then reports and
 * gradients of two steps. One worker may be a step ahead of another, which still reads the step before.
 */
class SharedMemory implements Exchange {
  readonly #given: Int32Array;
  readonly #reports: Float64Array;
  /** Of two steps. */
  readonly #gradients: Float32Array[] = [];

  constructor(
    memory: SharedArrayBuffer,
    readonly place: number,
    readonly workers: number,
    readonly shards: number,
    size: number,
  ) {
    const rooms = roomsOf(workers, shards, size);
    this.#given = new Int32Array(memory, 0, workers);
    this.#reports = new Float64Array(memory, rooms.reports, 2 * shards * reported.length);
    for (let at = 0; at < 2 * shards; ++at)
      this.#gradients.push(new Float32Array(memory, rooms.gradients + at * size * 4, size));
  }

  /** Where a shard of a step stands, in shards. */
  #at(step: number, shard: number): number {
    return (step % 2) * this.shards + shard;
  }

  room(step: number, shard: number): Float32Array {
    return this.#gradients[this.#at(step, shard)] as Float32Array;
  }

  give(step: number, part: Part): void {
    for (const [shard, report] of part)
      for (const [i, name] of reported.entries())
        this.#reports[this.#at(step, shard) * reported.length + i] = report[name];
    Atomics.store(this.#given, this.place, step + 1);
    Atomics.notify(this.#given, this.place);
  }

  async take(step: number): Promise<Part[]> {
    const parts: Part[] = [];
    for (let peer = 0; peer < this.workers; ++peer) {
      if (peer === this.place) continue;
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
    for (const end = performance.now() + eagerness; given() <= step && performance.now() < end; );
    for (let count = given(); count <= step; count = given())
      if (Atomics.wait(this.#given, peer, count, patience) === "timed-out") await new Promise((go) => setTimeout(go));
  }

  #gradientOf(step: number, shard: number): t.ShardGradient {
    const at = this.#at(step, shard) * reported.length;
    const [loss, asked, correct] = this.#reports.subarray(at) as unknown as [number, number, number];
    return { gradient: this.room(step, shard), loss, asked, correct };
  }
}

/** Where in the shared memory what begins, in bytes. */
function roomsOf(workers: number, shards: number, size: number) {
  const reports = Math.ceil(workers / 2) * 8;
  const gradients = reports + 2 * shards * reported.length * 8;
  return { reports, gradients, end: gradients + 2 * shards * size * 4 };
}

const sizeOf = (parameters: readonly t.TrainingParameter[]) =>
  parameters.reduce((sum, { shape: [rows, columns] }) => sum + rows * columns, 0);

/** Memory for the steps of so many workers, where there is such memory: pages need to be isolated from other origins. */
export function sharedMemory(workers: number, { shards, parameters }: t.TrainingFacts): SharedArrayBuffer | undefined {
  if (typeof SharedArrayBuffer !== "function") return undefined;
  return new SharedArrayBuffer(roomsOf(workers, shards, sizeOf(parameters)).end);
}

/** Makes a step of `training` together with those at the other ends of `ports`; this worker's number is `place`. */
export function sharedSteps(
  training: t.Training,
  place: number,
  ports: readonly MessagePort[],
  memory: SharedArrayBuffer | undefined,
) {
  const { shards, parameters } = training;
  const workers = ports.length + 1;
  const exchange = memory ? new SharedMemory(memory, place, workers, shards, sizeOf(parameters)) : messages(ports);
  const outOf = (step: number, shard: number) => {
    const gradient = exchange.room?.(step, shard);
    return gradient && { out: { gradient } };
  };
  return async (): Promise<t.StepReport> => {
    const step = training.steps;
    const own: Part = [];
    for (let shard = place; shard < shards; shard += workers)
      own.push([shard, training.shardGradient(shard, outOf(step, shard))]);
    exchange.give(step, own);
    const all: t.ShardGradient[] = [];
    for (const [shard, gradient] of [own, ...(await exchange.take(step))].flat()) all[shard] = gradient;
    return training.update(all);
  };
}
