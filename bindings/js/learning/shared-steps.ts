// Steps that several workers share: each makes the gradients of some shards, gives them to all others, and makes the update
// of all, in order. So each has the same model after each step, with the bits of one that trains alone.

import type * as t from "../types/index.js";

/** Shards of a step with their places, from one worker. */
type Part = [shard: number, gradient: t.ShardGradient][];

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

/** Makes a step of `training` together with those at the other ends of `ports`; this worker's number is `place`. */
export function sharedSteps(training: t.Training, place: number, ports: readonly MessagePort[]) {
  const peers = ports.map((port) => new Peer(port));
  return async (): Promise<t.StepReport> => {
    const own: Part = [];
    for (let shard = place; shard < training.shards; shard += peers.length + 1)
      own.push([shard, training.shardGradient(shard)]);
    for (const peer of peers) peer.give(own);
    const shards: t.ShardGradient[] = [];
    const parts = [own, ...(await Promise.all(peers.map((peer) => peer.take())))];
    for (const [shard, gradient] of parts.flat()) shards[shard] = gradient;
    return training.update(shards);
  };
}
