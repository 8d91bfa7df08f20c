import type { ClaimId } from "./claim";

/** The statement of the post, in other words, and what was found, with these numbers of six digits. */
type Statement = (n: Readonly<Record<string, string>>) => readonly [statement: string, found: string];
export type Statements = Readonly<Record<ClaimId, Statement>>;

export const statements: Statements = {
  A1: (n) => [
    "The sinusoid table for 8 positions and 32 dimensions.",
    `${n.rows} rows against the browser's own sine and cosine in double precision: largest difference ${n.off}, at most the rounding to float32.`,
  ],
  A2: (n) => [
    "The encoding captures relative positions.",
    `One matrix, made of k = ${n.by} alone, takes all ${n.rows} rows ${n.by} positions on: largest difference ${n.off}.`,
  ],
  A3: (n) => [
    "Every position gets a code of its own.",
    `Among ${n.rows} positions ${n.exact === "0" ? "no float32 row repeats" : `${n.exact} float32 rows repeat`}. Rounded to bfloat16, ${n.lost} of the rows with 2 dimensions repeat an earlier one, and ${n.kept} of those with 32. Squared distance from row 0 to the nearest: ${n.narrow} with 2 dimensions, ${n.wide} with 32.`,
  ],
  A4: (n) => [
    "The relative code for 8 words has shape (8, 8, 32) and depends on j − i.",
    `${n.queries} × ${n.keys} × ${n.width} = ${n.entries} numbers; each row against the encoding of its j − i: largest difference ${n.off}.`,
  ],
  A5: (n) => [
    "The class in the post builds that relative code.",
    `Run as printed, its constructor raises an error: torch.sin is given a Python float. With that mended, two mistakes are left. Its index i already steps by two, so the exponent doubles: its lowest frequency is ${n.printed}, the formula's ${n.lowest}. And a negative column counts from the end: of ${n.offsets} distances ${n.kept} columns remain, ${n.lost} are overwritten. Of ${n.cells} pairs of words ${n.right} get the right code. (The lookup then wants a two-dimensional table and raises another error.)`,
  ],
  A6: (n) => [
    "rotate_every_two, with x cos + rotate_every_two(x) sin, rotates every pair of dimensions.",
    `With ${n.dim} dimensions and angles listed once and then again, it is RoPE, off by ${n.off}: dimension 0 is paired with ${n.partner}, and so on (the half layout). With each angle twice in a row, for the neighbours that “every two” suggests, it is off by ${n.neighbours}. The post does not say how cos and sin are laid out.`,
  ],
  A7: (n) => [
    "After rotation Q shows periodic patterns.",
    `A constant Q with ${n.dim} dimensions returns to itself in each plane after one wavelength, from ${n.shortest} to ${n.longest} positions: largest difference ${n.off}. After half a wavelength it points the opposite way, off by ${n.half}.`,
  ],
  B1: (n) => [
    "In long sequences the codes become alike.",
    `The dot product of neighbours is ${n.near} at position 0 and ${n.far} at position ${n.position}: a change of ${n.growth}. It depends on the distance alone.`,
  ],
  B2: (n) => [
    "Relative positions enter as a matrix R: softmax((QKᵀ + R) / √d) V.",
    `With R added before the division, step by step against the library's attention, ${n.n} words: largest difference ${n.inside}. But published methods do not divide their bias (ALiBi adds it to scores divided already, T5 divides nothing): added after the division, the same R gives outputs that differ by up to ${n.alibi} with ALiBi, ${n.t5} with T5's buckets, ${n.learned} with a learned R. The formula holds if R is understood as √d times such a bias.`,
  ],
  B3: (n) => [
    "All possible differences of positions have to be computed and stored beforehand.",
    `${n.n} words make ${n.all} pairs, but only ${n.differences} differences. A line of that many values (${n.line} bytes) gives the whole matrix (${n.pairs} bytes), off by ${n.off}. So it is: each difference is needed, once.`,
  ],
  B4: (n) => [
    "Dividing by √d keeps the softmax from saturating.",
    `For ${n.dim} dimensions the mean square of q·k is ${n.variance}. The largest of 128 weights is ${n.bare} on average without the division and ${n.divided} with it (all equal: ${n.even}).`,
  ],
  B5: (n) => [
    "Multi-head attention with W^Q, W^K, W^V and W^O.",
    `${n.heads} heads for ${n.n} words, each with a bias of its own, in one call and put together by hand: largest difference ${n.off}.`,
  ],
  B6: (n) => [
    "X = Embedding + PE, with dropout 0.1 and max_len 5000.",
    `Evaluation adds exactly (difference ${n.evaluated}). In training ${(100 * Number(n.dropped)).toFixed(1)}% of the numbers become 0 and the mean goes from ${n.before} to ${n.after}.`,
  ],
  B7: (n) => [
    "Learned positions are more flexible, and need more data.",
    `Flexible: asked to take on ${n.rows} random vectors, a learned table of ${n.parameters} parameters goes from an error of ${n.start} to ${n.end} in 400 steps of Adam; fixed sinusoids are off by ${n.fixed}. More data: shown every other row of a table that is linear in the sinusoids, it is wrong by up to ${n.fromHalf} elsewhere, a linear layer on sinusoids by ${n.fixedFromHalf}; shown all rows, by ${n.fromAll}. Small language models after the same number of steps on the same text (${n.seeds} trainings of each): perplexity ${n.near} with a learned table and ${n.fixedNear} with sinusoids at the training length, ${n.far} and ${n.fixedFar} at 8 times that. The condition: a table ends with its last row (here ${n.rows} rows, positions 0 to ${Number(n.rows) - 1}; those of the language models have a row for every position that is tested, of which training used the first eighth).`,
  ],
  C1: (n) => [
    "Without positions “The cat sat on the mat.” and “On mat the sat cat the.” are the same to attention.",
    `Largest difference of a word's output between the two sentences: ${n.off}. With sinusoids added: ${n.coded}.`,
  ],
  C2: (n) => [
    "Both “the” have one vector; with positions they differ.",
    `Largest difference of their dimensions: ${n.before} before, ${n.after} after.`,
  ],
  C3: (n) => [
    "Positions 0 to 5 are given as 0.99 0.01 0.98 … and added to the words.",
    `The sums are right within their two decimals (${n.off}). The positions are not the formula's: for ${n.dim} dimensions position 0 is ${n.a}, ${n.b}, ${n.c}; they are off by up to ${n.codesOff}. Of ${n.settings} settings of the library, other bases, orders and implementations, the nearest is off by ${n.nearestOff}.`,
  ],
  C4: (n) => [
    "Low dimensions change fast, high ones slowly.",
    `With ${n.dim} dimensions the wavelengths grow from ${n.shortest} to ${n.longest} positions, without exception.`,
  ],
  C5: (n) => [
    "In “On the mat, the cat sat” the words of the first sentence are at 5 6 7 1 2 3.",
    `Read back from the codes that the library adds to words numbered from 1, the comma being token ${n.comma}: largest difference from the post's row ${n.off}. Without a token for the comma the first three would be one position earlier.${n.before === "0" ? "" : ` The ${n.before} words before the sentence move all of them by ${n.before}.`}`,
  ],
  C6: (n) => [
    "The relative offsets of both sentences are all +1: exactly the same.",
    `${n.same} of ${n.all} are +1 in the second sentence${n.before === "0" ? "" : `, with ${n.before} words before it`}; sat→on is ${n.broken}.`,
  ],
  C7: (n) => [
    "Under RoPE a score depends on m − n alone.",
    `At (7, 3): ${n.here}; both ${n.by} positions on: ${n.there}, a difference of ${n.off}. At (8, 3): ${n.other}.`,
  ],
  C8: (n) => [
    "A = (Q′W_q)(K′W_k)ᵀ: first rotate, then project.",
    `At (7, 3): ${n.here}; both ${n.by} positions on: ${n.there}, a difference of ${n.off}. Rotation has to come after the projection.`,
  ],
  C9: (n) => [
    "Q′·K′ = cos(θ_i − θ_j) (Q·K).",
    `The dot product after rotation is ${n.true}, the formula gives ${n.stated}: off by ${n.off}. The missing term is ${n.missing}; with it ${n.whole} is left. For parallel vectors the difference is ${n.parallel}.`,
  ],
  C10: (n) => [
    "The post's PyTorch function is RoPE.",
    `It takes the pairs apart (all firsts, then all seconds), which does not change scores. But its dim is half of the dimensions, so the exponent doubles: with ${n.dim} dimensions it is off by ${n.off}, its scores by ${n.scores}. With the exponent doubled the library agrees within ${n.doubled}. (In the post's example 10 positions meet 256 frequencies on one axis: it stops with an error.)`,
  ],
  C11: (n) => [
    "Three tokens, W_q and W_k, rotated by 10°, 20° and 30°.",
    `${n.seed === "1" ? "" : `With tokens, weights and angles of seed ${n.seed} instead. `}Against the post's code in double precision: ${n.off}. The first token's weights are ${n.w0}, ${n.w1}, ${n.w2}, its output (${n.x}, ${n.y}).`,
  ],
  C12: (n) => [
    "Twelve dimensions of 5 at positions 0, 1, 2, 5 and 10, in six planes.",
    `With ${n.dim} dimensions, against the post's code in double precision: ${n.off}. At position 10 the first plane is at (${n.a}, ${n.b}), the last at (${n.c}, ${n.d}).`,
  ],
  C13: (n) => [
    "R is block-diagonal, and the score is xᵀ W_qᵀ R W_k y with the difference of positions.",
    `Largest entry outside the blocks, of ${n.dim} × ${n.dim}: ${n.outside}. Rotated at 9 and 4: ${n.left}; by the matrix of −5: ${n.right}; difference ${n.off}.`,
  ],
  C14: (n) => [
    "Rotation needs no parameters and keeps lengths.",
    `The squared length of a vector of ${n.dim} dimensions is ${n.before} before and ${n.after} after position 1000: a relative change of ${n.change}. Made twice, rotations differ in ${n.parameters} of ${n.cosines} cosines: their formula leaves nothing to train. Learned tables for as many positions, drawn twice, differ in ${n.learned} numbers.`,
  ],
  C15: (n) => [
    "Rotation makes relevance decay with distance.",
    `Equal vectors of ${n.dim} dimensions: the mean share is ${n.near} at distances up to 64 and ${n.far} at the last 64 of ${n.length}. But on the way the curve rises at ${n.rises} of these distances.`,
  ],
  C16: (n) => [
    "2-D RoPE depends on (Δx, Δy).",
    `Patches (2, 3) and (5, 1): ${n.here}; both moved by (20, 10): ${n.there}, a difference of ${n.off}. One patch moved alone: ${n.other}.`,
  ],
  C17: (n) => [
    "RoPE can be used with linear attention.",
    `The linear form and the quadratic one agree within ${n.off} for ${n.n} words. But the denominator stays unrotated: weights can be negative (least ${n.least}) and a row need not sum to 1 (the last: ${n.sum}).`,
  ],
  C18: (n) => [
    "The comparison table: what is trained, extrapolates, encodes relative positions; its cost, O(n) or O(n²), and its storage.",
    `Of ${n.cells} cells ${n.right} are right, by column: trained ${n.trained} of ${n.all}, extrapolates ${n.extrapolates}, relative ${n.isRelative}, cost ${n.cost}, storage ${n.storage}. Cost and storage are counted, for ${n.n} tokens and for twice as many. Sinusoids do carry relative positions (A2), and relative positions need no n² vectors: ${n.relative} bytes hold all distances, where pairs would take ${n.pairs}; a learned table has ${n.learned}. Extrapolation is what grows by at most a quarter when small language models (${n.seeds} trainings of each) read at 8 times their training length: perplexity goes from ${n.sinusoidNear} to ${n.sinusoidFar} with sinusoids, ${n.learnedNear} to ${n.learnedFar} with a learned table, ${n.ShawNear} to ${n.ShawFar} with Shaw's relative positions, ${n.RoPENear} to ${n.RoPEFar} with RoPE.`,
  ],
  D1: (n) => [
    "BERT uses sine and cosine.",
    `The published model of width ${n.width} has ${n.published} parameters. All its layers without positions have ${n.without}; ${n.missing} are missing. Its config.json, as the library reads it, has a learned table of ${n.rows} rows: ${n.learned} numbers. Sinusoids would explain none of them. Devlin et al. 2019.`,
  ],
  D2: (n) => [
    "Absolute encodings need the same length in training and inference; for another, codes are computed anew or the model is trained again.",
    `The sinusoid at position ${n.position} is off by ${n.off} from the browser's own sine: any position can be computed, and nothing has to be trained again for that. A learned table does not need equal lengths either: shorter texts use its first rows; it only ends, here after ${n.rows} rows, the last of which is position ${Number(n.rows) - 1}. But a model does worse at lengths that it was not trained on: perplexity ${n.near} within, ${n.longest} at 8 times the length.`,
  ],
  D3: (n) => [
    "The module returns encoding[:seq_len], of shape (seq_len, d).",
    `${n.rows} × ${n.dimensions}, the same bits as those rows of the whole table; off by ${n.off} from the browser's own sine and cosine.`,
  ],
  D4: (n) => [
    "A rotary class for x of shape [seq, batch, heads, d] with cached cosines and sines.",
    `Against its formula in double precision, ${n.n} tokens: ${n.off}. The ${n.kept} cached values are the first of a longer cache, bit for bit.`,
  ],
  D5: (n) => [
    "RoPE rotates position vectors.",
    `The position vector of 0, rotated to the position p, is the sinusoid of p (off by ${n.off}): added to words, that is the sinusoidal encoding, and the score at (7, 3) changes by ${n.added} when both move ${n.by} positions on. RoPE rotates queries and keys: the same score changes by ${n.rotated}.`,
  ],
  E1: (n) => [
    "Six words, W + P = X in two dimensions.",
    `All sums in the post are right: largest difference ${n.off}. Six words drawn at random and the formula's positions, against sums in double precision: ${n.drawn}.`,
  ],
  E2: (n) => [
    "P_0 to P_5 “can be calculated” by the formula; those that the post goes on with are supposed (“假设”).",
    `${n.right} of ${n.all} is what the formula gives for the first two of ${n.dim} dimensions. P_1 would be (${n.a}, ${n.b}); the largest difference is ${n.codesOff}. Of ${n.settings} settings of the library, other bases, orders and implementations, the nearest is off by ${n.nearestOff}.`,
  ],
  E3: (n) => [
    "Every position has a vector unlike the others.",
    `The six position vectors of the post are all different: the two nearest differ by ${n.printed}. So are the formula's for ${n.positions} positions: by ${n.formula} at least. A remark on the sums, of which the post does not say this: “the” and “mat” both come to (${n.x}, ${n.y}), since their words differ by as much as their positions.`,
  ],
  E4: (n) => [
    "Being periodic it copes with sequences longer than those of training.",
    `It can be computed at position ${n.position} (off by ${n.off}). The slowest of its waves has a wavelength of ${n.wavelength} positions, so most of it is never seen in training on ${n.trained}: it can be computed, but a model has not learned it. A linear layer trained to name those positions is wrong by ${n.inside} of them on average (root mean square), and by ${n.beyond} on the next ${n.trained}. Small language models go from perplexity ${n.near} at their training length to ${n.longest} at 8 times that.`,
  ],
  E5: (n) => [
    "The module adds pe[:, :seq_len, :] to x.",
    `A batch of 2 × ${n.n} words: difference ${n.off}. More than max_len words are refused.`,
  ],
  E6: (n) => [
    "Positions tell a model that “苹果” is an apple in one sentence and the company in another.",
    `In the post's two sentences “苹果” is at positions ${n.first} and ${n.second} (a character is a token here), so its inputs differ, by ${n.inPost}. But “苹果很好吃” (apples taste good) has it at position ${n.second} too, as the company's sentence has: there the inputs differ by ${n.same}. What tells the senses apart are the words around: after one attention without any positions the two differ by ${n.context}.`,
  ],
};
