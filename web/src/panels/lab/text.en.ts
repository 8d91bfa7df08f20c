import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import type { Rest } from "../../training/queue";
import { storedMean, type TaskName } from "../../training/results";
import type { View } from "./model";

export const en = {
  intro: () => html`
    <p>
      <strong>Which encodings let a model ${term("extrapolation", "read further")} than it was trained to?</strong> Here small transformers learn with each of them, on
      short sequences only: to predict the next of 32 characters, to say which of two symbols came first, or to name the
      symbol three places back. Then they are tested on sequences up to eight times as long, without any further training.
    </p>
    <p>
      The results you see first are stored: three trainings of each, made by the same library. Repeat them: all
      arithmetic is ${term("float32", "float32")} in a fixed order, so your tab should arrive at the same weights, bit for bit.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Order is not distance.</strong> Position interpolation (PI) squeezes all positions into the trained range. What came
      first still comes first; but the symbol three places back is no longer at the distance the model has learned. At 4 times
      the length a trained RoPE with PI is right in ${storedMean("order", "RoPE", 4, "RoPE, PI")} of the questions on order,
      and in ${storedMean("back", "RoPE", 4, "RoPE, PI")} of those on distance (guessing: 50 % and 6 %). Choose “order against distance” to see both.
    </p>
    <p>
      <strong>The names.</strong> PI, NTK and YaRN change a trained RoPE when it is tested. Without further training PI
      does worse than nothing (${storedMean("text", "RoPE", 8, "RoPE, PI")} at eight times the length, RoPE as it is
      ${storedMean("text", "RoPE", 8)}): the next word turns by an eighth of what the model has learned. T5 and FIRE
      learn a bias of the distance: one number per bucket, or a small network. Shaw learns a vector for each offset. FoX
      gives every token a gate, so that the words decide how fast the past fades.
    </p>
    <p>
      <strong>Where the literature disagrees.</strong> Kazemnejad et al. (2023) rank no encoding and T5's bias above ALiBi;
      these models may be too shallow for that. At the training length ALiBi, with four heads and fixed slopes, has
      ${term("perplexity", "perplexity")} ${storedMean("text", "ALiBi", 1)}, RoPE ${storedMean("text", "RoPE", 1)};
      Press et al. (2022) report no such gap. Small models show a tendency, not how far a large one extrapolates.
    </p>
    <p>
      <strong>Seeds differ.</strong> Where thin lines lie far apart,
      one training proves little.
    </p>
    <p class="note">
      The text is the First Book of Newton's <cite>Opticks</cite> (London, 1730), in the public domain; its prose as in
      Debian's package golang-1.19-src.
    </p>
  `,
  task: "Task",
  views: [
    ["text", "next character"],
    ["order", "which came first"],
    ["back", "three places back"],
    ["pair", "order against distance"],
    ["roles", "who loves whom"],
  ] as readonly (readonly [View, string])[],
  tasks: {
    text: "Next character",
    order: "Which came first",
    back: "Three places back",
    roles: "Who loves whom",
  } as Record<TaskName, string>,
  encodings: "Encodings",
  names: {
    none: "none",
    concatenated: "sinusoid, concatenated",
    "1 layer": "none, 1 layer",
    "2 layers": "none, 2 layers",
    "1 layer, no mask": "none, 1 layer, no mask",
    "2 layers, no mask": "none, 2 layers, no mask",
    "RoPE, no mask": "RoPE, 1 layer, no mask",
  } as Readonly<Record<string, string>>,
  questions: {
    text: (n: number, by: number) =>
      `Guess first: which has the lowest perplexity at ${n} characters, ${by} times the training length?`,
    order: (n: number, by: number) =>
      `Guess first: which is right most often at ${n} symbols, ${by} times the longest in training?`,
    back: (n: number, by: number) =>
      `Guess first: which is right most often at ${n} symbols, ${by} times the longest in training?`,
    roles: () =>
      "“A loves B” and “B loves A” (我爱你, 你爱我) have the same words. Without positions, which of the models can still tell who loves whom? Guess before you look. With a mask, a token sees only itself and those before it.",
    pair: (_: number, by: number) =>
      `Guess first: at ${by} times the length, which has the widest gap between order and distance?`,
  } as Record<View, (n: number, by: number) => string>,
  notRight: "That one cannot.",
  separator: "; ",
  wrong: (guess: string, rank: number, of: number) => `Your guess, ${guess}, is number ${rank} of ${of}.`,
  withValue: (name: string, value: string) => `${name} (${value})`,
  answer: (best: string) => `At the longest length ${best} is best.`,
  rightAnswers: (task: string) => `${task}: right answers`,
  learners: (names: string, share: string) =>
    `More than ${share} right: ${names}. One layer sees a bag of words, whatever its mask; with a mask, a second layer can tell positions by how much the first one saw. Without a mask no depth helps: there positions have to come from an encoding.`,
  pairAnswer: (name: string, order: string, distance: string) =>
    `${name}: order ${order}, distance ${distance}, the widest gap (guessing: 50 % and 6 %).`,
  nothingYet: "No training has finished yet.",
  covered: "your guess first",
  closed: "Past the training length nothing is shown until you have guessed.",
  lossLabel: "Loss while learning, a line for each encoding",
  lengthLabel: (task: string) => `${task}: results by length, a line for each encoding`,
  step: "step",
  loss: "loss (nats)",
  characters: "characters read",
  tokens: "length of the sequence",
  perplexity: "perplexity (lower is better)",
  accuracy: "right answers, %",
  learning: (task: string) => `${task}: while learning`,
  stretched: (task: string) => `${task}: on longer texts`,
  doublings: "Doublings of the length",
  unit: (n: string) => `→ ${n}`,
  walk: "Walk past the training length",
  readout: (task: string, what: string, n: string, by: number) =>
    by === 1
      ? `${task}: ${what}, at ${n}, the training length`
      : `${task}: ${what}, at ${n}, ${by} times the training length`,
  stored: (version: string, seeds: number) =>
    `Shown: stored results, ${seeds} trainings of each encoding (posenc ${version}).`,
  ownRuns: (count: number) => `Shown: results of this tab, ${count} trainings.`,
  length: "Training",
  stepChoices: (less: number) =>
    [
      ["full", "all steps"],
      ["short", `1/${less} of the steps`],
    ] as readonly (readonly ["full" | "short", string])[],
  seeds: "Seeds",
  cost: (count: number, gflop: number) => `${count} trainings, ${gflop} billion floating-point operations.`,
  small: (less: number) =>
    ` Small settings for this device: 1/${less} of the steps, one seed, at most two trainings at once.`,
  play: "▶ Run it yourself",
  again: "▶ Run again",
  pause: "Pause",
  resume: "Go on",
  stop: "Stop",
  showStored: "Show stored results",
  showOwn: "Show this tab's results",
  running: (count: number) => (count === 1 ? "Training…" : `${count} trainings under way…`),
  runningShort: (count: number, less: number) =>
    `${count === 1 ? "A training" : `${count} trainings`} of 1/${less} of the steps under way…`,
  remaining: (seconds: number) =>
    seconds < 90 ? `About ${seconds} s left.` : `About ${Math.round(seconds / 60)} min left.`,
  slow: (less: number, seconds: number) => `With 1/${less} of the steps it would be about ${seconds} s.`,
  over: (done: number, same: number) =>
    `Done: ${done === 1 ? "one training" : `${done} trainings`}.${same === 0 ? "" : same < done ? ` The bits of ${same} are those stored.` : " All bits are those stored."}`,
  overFailed: (done: number, failed: number) => `${done} trainings done, ${failed} failed.`,
  rests: {
    reader: "Paused by you.",
    unseen: "Paused: the figure is out of sight.",
    hidden: "Paused: this tab is hidden.",
  } as Record<Rest, string>,
  notStarted: (problem: string) => `It could not be started: ${problem}`,
  failed: "Failed:",
  waiting: "waiting",
  starting: "starting",
  testing: "being tested",
  steps: (step: number, steps: number) => `step ${step} of ${steps}`,
  runs: "Trainings in this tab",
  runColumns: ["Encoding", "Task", "Seed", "Loss", "Hash of the weights", "State"],
  same: "✓ same bits as stored",
  sameShort: "✓ same bits as the stored short run",
  differs: (stored: string, off: string) =>
    `differs from the stored ${stored}${off === "" ? "" : `; tests by up to ${off}`}`,
  noStored: "nothing stored to compare",
  noHash: "no hash: only pages from https may compute it",
  attention: "Where a head looks",
  noAttention:
    "Attention needs the trained weights, which are not stored: run it yourself, and choose a layer and a head here.",
  of: "Encoding",
  layer: "Layer",
  head: "Head",
  query: "Token that looks",
  mapLabel: (name: string, layer: number, head: number, n: number, by: number) =>
    `Attention weights, ${name}, layer ${layer}, head ${head}, for ${n} tokens, ${by === 1 ? "the training length" : `${by} times the training length`}: a row for each token that looks, a column for each that is looked at`,
  looks: (token: string, at: number, keys: string) =>
    `“${token}” at ${at} looks most at ${keys}. Row: the token that looks; column: the token looked at. Each row is coloured by its own largest weight.`,
  ownText: "A text of your own",
  ownTextHint:
    "It stays in this tab. At least 2570 characters: the last tenth is for tests, which read up to 256 of them. A longer text is read as far as the steps go.",
  paste: "Text",
  pasted: "your text",
  file: "Or a file",
  reads: (name: string, count: string) =>
    `The next training reads ${name}, ${count} characters. Nothing is stored to compare it with.`,
  readsOurs: "The next training reads the Opticks.",
  ours: "Take the Opticks again",
  code: "The same in code",
  codeOf: (name: string) => `${name}, in JavaScript`,
  describe: (o: { task: string; isStored: boolean; seeds: number }) =>
    `${o.task}. ${o.isStored ? `Stored results, ${o.seeds} trainings of each encoding` : "Results of this tab"}: thin lines single trainings, thick lines their mean.`,
};
export type Text = typeof en;
