import { html } from "lit-html";
import { term } from "../../core/glossary/term";

export const en = {
  intro: () => html`
    <p>
      Paste a model's <code>config.json</code> and see what it does with positions: how many dimensions rotate, in which pairs,
      and at which ${term("frequency", "frequencies", ".")} The text stays in your browser.
    </p>
  `,
  outro: () => html`
    <p>
      Files as Hugging Face has them are read, the old way (<code>rope_scaling</code>) and the new one
      (<code>rope_parameters</code>), for each kind of layer: how many dimensions rotate, which of them are pairs, the
      frequencies after scaling, the attention factor. Unusual settings and common mistakes are named, and two models are
      compared.
    </p>
    <p>
      <strong>What is assumed is listed as assumed.</strong> Keys of the rope dictionaries that have no effect are
      listed. A model type
      whose layout the library does not know leaves the layout open, since the wrong one gives wrong scores and no error.
      Invalid values are rejected, with the path of the key.
    </p>
  `,
  examples: "Example",
  own: "My own",
  paste: "config.json: paste it, or drop the file here",
  tooLarge: (pairs: string) => `At most 4096 pairs of dimensions can be drawn here; this config has ${pairs}.`,
  notInLink: (length: string, most: string) =>
    `All ${length} characters are read, but links to this page leave them out: a link keeps at most ${most}.`,
  plans: "What each kind of layer does",
  columns: [
    "Dimensions that rotate",
    "Layout",
    "Base",
    "Rule",
    "Attention factor",
    "Highest frequency ω′",
    "Lowest frequency ω′",
    "Longest wavelength",
  ],
  allLayers: "all layers",
  explained: "What the model does with positions",
  kinds: {
    risk: "What can go wrong",
    unusual: "Where ports go wrong",
    does: "What it does",
    evidence: "How this is known",
  },
  frequencies: "Its frequencies",
  none: "nothing",
  compare: "What differs between the two",
  compareWith: "Compare with",
  pasteOther: "The other config.json: paste it, or drop the file here",
  same: "Nothing differs.",
  layerCounts: (a: number, b: number) =>
    `The first has ${a} layers, the other ${b}; those that both have are compared.`,
  differing: (layers: string) => `What differs in layers ${layers}`,
  differenceColumns: ["", "this model", "the other"],
  noEffect:
    "One of the two does not rotate here, other dimensions do, or it rotates the other way: angles cannot be compared.",
  effect: "How far it takes queries and keys apart, at most over all pairs",
  effectColumns: ["Distance", "angle (radians)", "cosine", "score of vectors of length 1"],
  traits: {
    encoding: "encoding",
    base: "base",
    scaling: "rule",
    attentionFactor: "attention factor",
    layout: "layout",
    inverse: "opposite direction",
    mrope: "pairs of each axis",
    dims: "dimensions that rotate",
    mask: "direction of attention",
    reach: "keys that a query reaches",
    temperature: "temperature of queries",
    scale: "scale of scores",
    norm: "normalization of queries and keys",
    softcap: "cap of scores",
    sinks: "attention sinks",
    indexer: "indexer",
    compression: "positions of a compressed key",
    rotatesOutputs: "outputs rotated back",
    secondEncodings: "second encodings",
  },
  engines: {
    title: "What an engine is given",
    engine: "Engine",
    none: "none",
    tokens: "Tokens to read",
    status: {
      "as-is": "It does what the model does, with the config as it is.",
      write: "It does what the model does with this.",
      cannot: "It cannot do what the model does.",
      "not known": "Not known: its source was not read for this model, or no rule is known for this length.",
    },
    rule: (length: string, rule: string, factor: string, original: string) =>
      `For ${length} tokens: ${rule}, factor ${factor}${original && ` over ${original}`}.`,
    config: "Keys of config.json",
    gguf: "Keys of the GGUF file",
    flags: "Flags",
    departs: "Where it departs from the model",
    cache: "Kept keys and values",
    cacheColumns: ["Layers", "What is kept", "bytes a token and layer", "tokens at most"],
    kinds: {
      "keys-values": "keys and values",
      latent: "latent vectors",
      state: "a state, not counted",
      shared: "shared",
    },
    total: (length: string, bytes: number) =>
      `One sequence of ${length} tokens: ${(bytes / 2 ** 30).toPrecision(3)} GiB.`,
    missing: (key: string) => `How much is kept is not known: ${key} is missing.`,
  },
  settings: "The rule's settings:",
  length: "Length of the text",
  trained: (length: string) => `trained to ${length}`,
  chart: {
    label: "Wavelength of each pair before and after scaling. Left and right arrow keys choose a pair.",
    pair: "pair i",
    wavelength: "wavelength (positions)",
    before: "λ from the base alone",
    after: "λ′ in this model",
  },
  nothing: "There is no config that can be read.",
  describe: (plans: number, layers: string, rotated: number, longest: number) =>
    `${plans === 1 ? "" : `${plans} plans. Shown: `}${layers}: ${rotated} dimensions rotate, the slowest pair once in ${longest < 1e6 ? Math.round(longest) : `about ${(longest / 1e6).toPrecision(3)} million`} positions.`,
};

export type Text = typeof en;
