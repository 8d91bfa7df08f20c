/** The field's terms: what each is called, and what it is in a sentence. */
export const en = {
  token: ["token", "A piece of text that the model reads as one: a word, a part of a word, or a punctuation mark."],
  embedding: [
    "embedding",
    "The vector of numbers that stands for a token inside the model; it is learned in training.",
  ],
  dimension: ["dimension", "One of the numbers that a vector is made of; a vector of 128 numbers has 128 dimensions."],
  attention: [
    "attention",
    "The step in which every token gathers from the others, from each as much as their vectors match.",
  ],
  query: ["query", "The vector by which a token asks; its dot products with all keys decide where the token looks."],
  key: [
    "key",
    "The vector by which a token is found; the better it matches a query, the more that query attends to it.",
  ],
  value: ["value", "The vector that a token hands over: what attention gives is a weighted mean of values."],
  logit: [
    "score (logit)",
    "The dot product of a query and a key, before softmax makes attention weights of all scores.",
  ],
  softmax: [
    "softmax",
    "Turns scores into weights above 0 that add up to 1; the largest score gets the largest weight.",
  ],
  product: [
    "dot product",
    "Two vectors multiplied dimension by dimension and added up: large where they point the same way.",
  ],
  head: ["head", "One of several attentions that run side by side in a layer, each with queries and keys of its own."],
  mask: [
    "causal mask",
    "Hides what comes later: each token attends to itself and to those before it, as in models that write.",
  ],
  sinusoid: [
    "sinusoid",
    "A wave of sine and cosine; the 2017 encoding gives each position the values of many such waves.",
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
    "base θ",
    "The number that spreads the wavelengths, 10,000 at first; a larger base makes the slow pairs slower.",
  ],
  learned: [
    "learned positions",
    "A table with a trained vector for each position; beyond its last row it has nothing to say.",
  ],
  bias: ["relative bias", "A number added to the score of query and key that depends on how far apart the two are."],
  alibi: ["ALiBi", "Attention with linear biases: the score falls by the same amount with each position of distance."],
  t5: [
    "T5 bucket",
    "T5 sorts distances into buckets, wider ones for far distances, and learns one bias for each of them.",
  ],
  rope: [
    "RoPE",
    "Rotary position embedding: queries and keys are rotated by their position, so that scores depend on distance.",
  ],
  mrope: [
    "M-RoPE",
    "RoPE with three positions for each token, its time, row and column; made for images and videos in text.",
  ],
  extrapolation: [
    "extrapolation",
    "Reading texts longer than any in training; an encoding may allow it or break down.",
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
} as const satisfies Readonly<Record<string, readonly [name: string, says: string]>>;
export type Term = keyof typeof en;
export type Glossary = Readonly<Record<Term, readonly [name: string, says: string]>>;
