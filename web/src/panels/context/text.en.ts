import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { math, sub } from "../../draw/math";

export const en = {
  intro: () => html`
    <p>
      Each line is a rule for longer texts, with the wavelength that it gives to every pair; where a line runs through the shaded
      area, pairs meet angles that they never had in training. Point at a pair, or use the arrow keys.
    </p>
  `,
  outro: () => html`
    <p>
      Can a model read further than it was trained? With RoPE the question is one of wavelengths. A pair that completed many
      rotations in training has shown the model all its angles. A pair whose wavelength is longer than the training text never
      completed one; further on, it reaches angles that the model has not seen. The rules slow pairs down so that a longer text
      stays within known angles, and each draws the line between fast and slow pairs in its own way.
    </p>
    <p>
      <strong>What to look for.</strong> Linear ${term("interpolation", "interpolation")} moves the whole curve up: neighbours come closer together in every
      pair. ${term("ntk", "NTK")} tilts it about its first point. ${term("yarn", "YaRN")} and Llama 3's rule leave alone the pairs that complete many rotations
      within the training length and slow down those that never complete one, with a ramp between them. All of them give the
      last pair the same wavelength, f times as long.
    </p>
    <p>
      YaRN and LongRoPE also multiply cosines and sines by an attention factor, which sharpens the softmax. Whether a model
      then copes is not settled by arithmetic: most need some training with the new frequencies. The next figure tries linear
      interpolation and NTK on small models, without any.
    </p>
  `,
  rule: "Rule",
  names: {
    default: "none",
    linear: "linear",
    ntk: "NTK",
    yarn: "YaRN",
    longrope: "LongRoPE",
    llama3: "Llama 3",
  },
  rules: {
    default: "Every pair keeps its wavelength.",
    linear: html`Position interpolation: ${math(sub("ω", "i"), "/", "f")} for every pair.`,
    ntk: html`The base becomes b · f^(d/(d − 2)): the first pair stays, the last is divided by f.`,
    yarn: html`Pairs with more than 32 rotations in the training length stay, those with less than 1 are divided by f,
      with a ramp over the index between them.`,
    longrope: html`Every pair has a divisor of its own. Published ones are searched for each model; here they are a ramp from
      1 to f at equal ratios, for want of a model. The config figure has those of Phi-3.`,
    llama3: html`Pairs with at least 4 rotations in the training length stay, those with at most 1 are divided by f, and
      those between are blended by their number of rotations.`,
  },
  factor: "Scaling factor f",
  trained: "Training length",
  base: "Base b",
  pairs: "Pairs, d/2",
  trainedLine: (length: string) => `trained to ${length}`,
  reachLine: (length: string) => `extended to ${length}`,
  unseen: (length: string) => `angles never seen in training, up to position ${length}`,
  afterRule: (rule: string) => `λ′ with this rule: ${rule}`,
  surprised: (length: string) => `Pairs that meet unseen angles within ${length} positions`,
  stretch: "Slowed down by ω / ω′",
  rotations: "Rotations in the training length",
  attentionFactor: "Attention factor",
  chart: {
    label: "Wavelength of each pair before and after the rule. Left and right arrow keys choose a pair.",
    roledescription: "chart",
    pair: "pair i",
    wavelength: "wavelength (positions)",
    before: "λ without a rule",
  },
  describe: (rule: string, pairs: number, unfinished: number, trained: string, surprised: number, reach: string) =>
    `Rule: ${rule}, the thick line; thin ones are the other rules. ${unfinished} of ${pairs} pairs do not complete a rotation within ${trained} positions; ${surprised} of them meet unseen angles before position ${reach}, those in the shaded area.`,
};
