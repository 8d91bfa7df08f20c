import { html } from "lit-html";
import { term } from "../../core/glossary/term";

export const en = {
  intro: () => html`
    <p>
      From BERT and GPT-2 on: what the library reads of published <code>config.json</code> files. Since 2023 almost all are
      ${term("rope", "RoPE", ";")} what changed is the ${term("base", "base", ",")} the rule for longer texts, and how much of it is kept in the cache.
    </p>
  `,
  outro: () => html`
    <p>
      <strong>Base.</strong> The longer the text, the larger: with 10000 the slowest pairs had no rotation to spare; 500000 or
      1000000 slow them down before training, so that a later extension has less to change.
    </p>
    <p>
      <strong>What a ${term("cache", "KV cache")} holds.</strong> A key and a value of every token, in every layer. A key is rotated by its own
      position, which never changes, so that it can be kept rotated; the query, which is new, is rotated when it is used.
      The last column is the room that one token takes in bfloat16, with all of its past kept. Layers that see only a window keep no
      more than that.
    </p>
    <p>
      Years are those of publication. BLOOM names no length in its config; T5's is its <code>n_positions</code>, which the model
      in transformers does not read: the bias sets no limit. Values are from copies of the configs on Hugging Face, from
      quotations of them, or defaults of transformers, reduced to what decides positions; DeepSeek's attention keeps one vector for all heads from which keys and values are made.
    </p>
  `,
  by: "Sort by",
  orders: { year: "year", base: "base", context: "context", cache: "cache" },
  table: "Positions in published models",
  columns: {
    year: "Year",
    name: "Model",
    encoding: "Encoding",
    base: "Base",
    rule: "Rule",
    context: "Context",
    cache: "Cache per token",
  },
  encodings: {
    rotary: "RoPE",
    learned: "learned",
    alibi: "ALiBi",
    t5: "T5 bias",
    sinusoidal: "sinusoid",
    none: "none",
    unknown: "not known",
  } as Readonly<Record<string, string>>,
  notNamed: "not named",
  axes: {
    year: "context in config.json (positions, logarithmic)",
    context: "context in config.json (positions, logarithmic)",
    base: "base, the largest of a model (logarithmic)",
    cache: "cache for each token, bfloat16 (logarithmic)",
  },
  describe: (count: number, rotary: number, longest: string, context: string) =>
    `${count} models, ${rotary} of them with RoPE, whose bars are purple. The longest context is that of ${longest}, ${context} positions.`,
};
