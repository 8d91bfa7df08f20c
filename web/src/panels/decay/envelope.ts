/** What a curve does at large: around each distance its lowest, its highest and its mean value. */
export interface Envelope {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly mean: Float64Array;
}

/** A distance's neighbours are those up to so many times as far, and down to as small a part. */
export const reachOfMean = 1.25;

/** The envelope of values at ascending distances, over the neighbours of each. */
export function envelope(distances: readonly number[], values: ArrayLike<number>): Envelope {
  const count = distances.length;
  const [low, high, mean] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  let first = 0;
  let end = 0;
  for (let at = 0; at < count; at++) {
    while (distances[first] * reachOfMean < distances[at]) first++;
    while (end < count && distances[end] <= distances[at] * reachOfMean) end++;
    let sum = 0;
    low[at] = values[at];
    high[at] = values[at];
    for (let near = first; near < end; near++) {
      sum += values[near];
      low[at] = Math.min(low[at], values[near]);
      high[at] = Math.max(high[at], values[near]);
    }
    mean[at] = sum / (end - first);
  }
  return { low, high, mean };
}
