/** The field's terms: what each is called, and what it is in a sentence. */
export const en = {
  token: ["token", "A piece of text that the model reads as one: a word, a part of a word, or a punctuation mark."],
  embedding: [
    "embedding",
    "The vector of numbers that represents a token inside the model; it is learned in training.",
  ],
  dimension: ["dimension", "One of the numbers that a vector is made of; a vector of 128 numbers has 128 dimensions."],
  attention: [
    "attention",
    "The step in which every token gathers from all tokens it may see, itself included: the better query and key match, the more.",
  ],
  query: [
    "query",
    "The vector by which a token asks; its dot products with all keys decide to which tokens it attends.",
  ],
  key: [
    "key",
    "The vector that a token offers to be matched; the better it matches a query, the more that query attends to it.",
  ],
  value: [
    "value",
    "What a token hands over: the output of attention is a weighted mean of values. RoPE does not rotate them.",
  ],
  logit: [
    "score (logit)",
    "The dot product of a query and a key, mostly divided by √d; softmax makes attention weights of the scores.",
  ],
  softmax: [
    "softmax",
    "Turns scores into weights above 0 that add up to 1; the largest score gets the largest weight.",
  ],
  product: [
    "dot product",
    "Two vectors multiplied dimension by dimension and added up: it grows with their lengths and the more they point the same way.",
  ],
  head: ["head", "One of several attentions that run side by side in a layer, each with queries and keys of its own."],
  mask: [
    "causal mask",
    "Hides what comes later: each token attends to itself and to those before it, as in models that write.",
  ],
  sinusoid: [
    "sinusoidal encoding",
    "Waves of sine and cosine: the original Transformer (2017) gives each position the values of many waves of different frequencies.",
  ],
  wavelength: [
    "wavelength",
    "How many positions a wave needs until it repeats, which is one full rotation of its pair.",
  ],
  frequency: [
    "frequency",
    "How fast a pair of dimensions rotates, in radians per position; 2π divided by the wavelength.",
  ],
  base: [
    "base b (rope_theta)",
    "The number from which all wavelengths follow, 10000 in the paper; a larger base makes the slow pairs slower.",
  ],
  learned: [
    "learned positions",
    "A table with a trained vector for each position; positions beyond its last row have no code.",
  ],
  bias: ["relative bias", "A number added to the score of query and key that depends on how far apart the two are."],
  alibi: ["ALiBi", "Attention with linear biases: the score falls by the same amount with each position of distance."],
  t5: [
    "T5 bucket",
    "T5 sorts distances into buckets, wider ones for far distances, and learns one bias for each of them.",
  ],
  rope: [
    "RoPE",
    "Rotary position embedding: queries and keys are rotated by their position, so that positions enter a score by their distance alone.",
  ],
  mrope: [
    "M-RoPE",
    "RoPE with three positions for each token, its time, row and column; made for images and videos in text.",
  ],
  extrapolation: [
    "extrapolation",
    "Using a model, without further training, on texts longer than any in training; an encoding may allow it or break down.",
  ],
  interpolation: [
    "position interpolation",
    "Divides all positions, so that a longer text stays within those that were trained.",
  ],
  ntk: ["NTK scaling", "Raises the base for longer texts: slow pairs are stretched, the fastest is left alone."],
  yarn: [
    "YaRN",
    "Stretches slow pairs, leaves fast ones alone, goes between the two on a ramp, and sharpens attention.",
  ],
  perplexity: [
    "perplexity",
    "How many equally likely next tokens the model hesitates between, on average; lower is better.",
  ],
  float32: ["float32", "A number in 32 bits, of which 24 hold its digits: about seven decimal digits are true."],
  bfloat16: [
    "bfloat16",
    "A number in 16 bits with the range of float32 and 8 bits for digits: between two and three are true.",
  ],
  ulp: [
    "ulp",
    "Unit in the last place: the step from a floating-point number to the next; rounding is off by half at most.",
  ],
  nope: [
    "NoPE",
    "No positional encoding at all: with a causal mask a deep model can still infer order; some models leave it out in every fourth layer.",
  ],
  concatenation: [
    "concatenation",
    "Putting the position vector beside the word vector instead of adding it: nothing mixes, but every matrix that reads it grows.",
  ],
  projection: [
    "W_q, W_k, W_v",
    "Learned matrices that make a query, a key and a value of each token's vector; RoPE rotates after them.",
  ],
  cache: [
    "KV cache",
    "Keys and values of all tokens so far, kept while a model writes; with RoPE keys are usually kept rotated, each by its own position.",
  ],
  shaw: [
    "Shaw's relative positions",
    "Shaw et al. 2018: a learned vector for each offset, clipped at a largest one, is added to the keys.",
  ],
  kerple: [
    "KERPLE",
    "A bias that falls with the distance along a curve with two learned numbers, logarithmic or a power.",
  ],
  fire: ["FIRE", "A bias that a small network learns as a function of the distance relative to the query's position."],
  fox: [
    "FoX (forgetting transformer)",
    "Each token has a learned gate; the bias is the sum of the log gates between key and query, so the words decide how fast the past fades.",
  ],
  longrope: ["LongRoPE", "A divisor of its own for each pair of dimensions, found by a search for each model."],
} as const satisfies Readonly<Record<string, readonly [name: string, says: string]>>;
export type Term = keyof typeof en;
export type Glossary = Readonly<Record<Term, readonly [name: string, says: string]>>;
