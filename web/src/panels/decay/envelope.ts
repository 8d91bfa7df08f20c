/** The trend of a curve: its mean around each distance, and lines along its troughs and its peaks. */
export interface Envelope {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly mean: Float64Array;
}

/** The neighbours of a distance reach from it divided by this to it times this. */
export const reachOfMean = 1.25;

/**
 * Straight lines from one extreme to the next, within the lowest and highest values around each distance: where a curve only
 * falls, two extremes may be far apart.
 */
function along(values: ArrayLike<number>, extremes: readonly number[], low: Float64Array, high: Float64Array) {
  const line = Float64Array.from(values);
  for (let which = 1; which < extremes.length; which++) {
    const [from, to] = [extremes[which - 1], extremes[which]];
    for (let at = from; at < to; at++) {
      const share = (at - from) / (to - from);
      const straight = (1 - share) * values[from] + share * values[to];
      line[at] = Math.max(low[at], Math.min(high[at], straight));
    }
  }
  return line;
}

/** The envelope of values at ascending distances; an extreme is one among the neighbours of its distance. */
export function envelope(distances: readonly number[], values: ArrayLike<number>): Envelope {
  const count = distances.length;
  const [low, high, mean] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const [troughs, peaks] = [[0], [0]];
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
    if (values[at] === low[at] || at === count - 1) troughs.push(at);
    if (values[at] === high[at] || at === count - 1) peaks.push(at);
  }
  const own = Float64Array.from(values);
  return { low: along(values, troughs, low, own), high: along(values, peaks, own, high), mean };
}
