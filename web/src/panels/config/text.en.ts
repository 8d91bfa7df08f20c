import { html } from "lit-html";

export const en = {
  intro: () => html`
    <p>
      How does your model rotate? Paste its <code>config.json</code> as Hugging Face has it, the old way
      (<code>rope_scaling</code>) or the new one (<code>rope_parameters</code>). The library reads from it what each kind of layer
      does: how many lanes rotate, which of them are pairs, the frequencies after scaling, the attention factor. The text
      stays in your browser; it is kept in the link if it has at most 8000 characters.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Read this way, nothing is guessed.</strong> Keys of the rope dictionaries that have no effect are
      listed. A model type
      whose layout the library does not know leaves the layout open, since the wrong one gives wrong scores and no error.
      Values that cannot be right are refused, with the path of the key.
    </p>
  `,
  examples: "Example",
  own: "My own",
  paste: "config.json",
  "no-json": "This is not JSON:",
  refused: "The library refuses this:",
  "too-large": "At most 4096 pairs of lanes can be drawn here; this config has:",
  plans: "What each kind of layer does",
  columns: [
    "Layers",
    "Lanes that rotate",
    "Layout",
    "Base",
    "Rule",
    "Attention factor",
    "Frequencies ω′, first … last",
    "Longest wavelength",
  ],
  allLayers: "all layers",
  warnings: "Worth knowing",
  noWarnings: "Nothing out of the ordinary.",
  noLayout: "The layout of this model type is not known. It has to be named: “half” or “interleaved”.",
  partial: (rotated: number, dim: number) => `Only ${rotated} of ${dim} lanes rotate, the others pass through.`,
  needsLength: "The frequencies depend on the length of the text. Set it below.",
  sections: (sections: string) => `Positions have three parts: time, height and width rotate ${sections} pairs.`,
  factor: (factor: string) => `Cosines and sines are multiplied by ${factor}, so scores by its square.`,
  unknown: (keys: string) => `Keys that were not used: ${keys}.`,
  settings: "The rule's settings:",
  length: "Length of the text",
  trained: (length: string) => `trained to ${length}`,
  chart: {
    label: "Wavelength of each pair before and after scaling. Left and right arrow keys choose a pair.",
    roledescription: "chart",
    pair: "pair i",
    wavelength: "wavelength (positions)",
    before: "λ from the base alone",
    after: "λ′ in this model",
  },
  nothing: "No plan: there is no config that can be read.",
  describe: (plans: number, layers: string, rotated: number, longest: string) =>
    `${plans === 1 ? "One plan" : `${plans} plans`}. Shown: ${layers}, ${rotated} rotating lanes, longest wavelength ${longest} positions.`,
};
