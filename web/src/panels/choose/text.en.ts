import { html } from "lit-html";
import { term } from "../../core/glossary/term";
import { storedMean } from "../../training/results";
import type { Purpose } from "./model";

export const en = {
  intro: () => html`
    <p>
      <strong>One row is one model, one mark is one of its layers;</strong> small marks see a window alone. Say what you
      want: models built for it stay dark.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Start with RoPE for a new text model,</strong> and keep what a trained model has: its weights fit no other
      encoding. Within the training length good encodings differ by a few per cent, and their order changes with the set-up:
      ALiBi 17.6, T5 18.0, RoPE 18.6 in <a href="https://arxiv.org/abs/2108.12409">Press et al. 2022</a> (perplexity, 247M
      parameters), RoPE 8.78, T5 9.23, learned 9.39 at <a href="https://blog.eleuther.ai/rotary-embeddings/">EleutherAI</a>
      (1.4B).
    </p>
    <p>
      <strong>Why RoPE, when ALiBi and T5 read on further?</strong> In the lab untouched RoPE fails
      (${storedMean("text", "RoPE", 8)} at eight times the length, T5 ${storedMean("text", "T5", 8)}). But RoPE changes queries and
      keys alone: attention itself stays as it is, fast kernels fit, and keys can be ${term("cache", "cached")} rotated. A bias enters every
      score: Press et al. trained T5 at 4,300 words a second, RoPE at 11,500 (ALiBi, which learns no bias, at 15,500). And
      RoPE can be stretched later. That this explains its spread is an inference; habit plays its part.
    </p>
    <p>
      <strong>What is changing.</strong> Many models now mix layers that rotate (SmolLM3; in chunks alone: Llama 4) with
      layers ${term("nope", "without positions")} that see everything. Jamba, Nemotron 3 and Kimi K3 rotate nowhere:
      recurrent layers carry the order. In 2026 mostly a part of a head rotates, as in GPT-J.
    </p>
    <p>
      <strong>A long context is a setting, not an ability.</strong> ALiBi's perplexity stays low far out; yet at twice the
      training length it found none of several needles, a model without positions 36 %
      (<a href="https://arxiv.org/abs/2512.12167">Gelberg et al. 2026</a>, DroPE, 0.5B parameters).
    </p>
    <p class="note">
      Models whose config was found: a sample, no census. Values: copies of configs, quotations, or defaults of
      transformers; years: of publication.
    </p>
  `,
  purpose: "I want",
  purposes: {
    all: "all models",
    short: "a new model, short texts",
    long: "a new model, long texts",
    extend: "to extend a model",
    untrained: "to read on untrained",
    encoder: "an encoder",
  },
  advice: {
    short: [
      "RoPE in every layer.",
      "Fast kernels have it, nothing is stored, and a later extension is well trodden. Raise the base with the length: a rough bound for 32K is 640,000 (Men et al. 2024).",
    ],
    long: [
      "Few layers see everything, most a window.",
      "Windows bound the cache and keep RoPE within distances that it has learned; layers that see everything take a large base, or no positions.",
    ],
    extend: [
      "YaRN or Llama 3's rule, then some training.",
      "They slow the slow pairs alone, so neighbours stay apart. PI slows all pairs and needs the training even more.",
    ],
    untrained: [
      "A bias by distance: ALiBi or T5.",
      "Every distance has a bias, ALiBi's ever lower, T5's one for all far words: the model reads on, nearsighted.",
    ],
    encoder: [
      "RoPE with windows; for 512 words a table will do.",
      "Both directions are seen, so that the encoding alone tells before from after: without a mask a model needs one.",
    ],
  } as Readonly<Record<Purpose, readonly [use: string, why: string]>>,
  marks: {
    rotates: "RoPE",
    part: "RoPE on a part of the head",
    none: "no positions",
    recurrent: "recurrent",
    bias: "a bias: ALiBi, T5",
    added: "added before the first layer",
  },
  chart: "What the first twelve layers of each model do about positions, by year",
  layers: "first 12 layers",
  base: "base",
  context: "context",
  any: "any",
  window: (size: string) => `window ${size}`,
  rules: { linear: "PI", yarn: "YaRN", llama3: "Llama 3's rule" } as Readonly<Record<string, string>>,
  describe: (chosen: number, all: number, names: readonly string[]) =>
    chosen === all
      ? `${all} models as the library reads their config.json.`
      : `${chosen} of ${all} models: ${names.join(", ")}.`,
};
