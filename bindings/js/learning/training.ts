// A training of the core: its handle, a copy of what never changes, and its methods.

import { type Owned, owned, Releasing } from "../base/buffer.js";
import { define } from "../base/call.js";
import { options as checkOptions, isArray, plain, wrongType, wrongValue } from "../base/check.js";
import { taken } from "../base/json.js";
import * as is from "../base/kinds.js";
import { typeOf, type View } from "../base/view.js";
import type * as t from "../types/index.js";
import { readStretch, runTests, testsOf } from "./stretch.js";
import { encoding, trainingFields } from "./training-options.js";

/** The core's answer when it has made a training. */
interface MadeTraining {
  handle: number;
  /** How many numbers are learned. */
  size: number;
  layers: number;
  heads: number;
}

const handle = is.handle<MadeTraining>();

/** A list of tokens. */
const tokens: is.Kind<ArrayLike<number>, View<Int32Array>> = {
  ...is.ids,
  read(argument, value) {
    if (!isArray(value) && !typeOf(value)) throw wrongType(argument, value, "an array of numbers");
    return is.ids.read(argument, value);
  },
};

export const training = define(
  {
    name: "trainingMake",
    where: "training",
    options: trainingFields,
    answers: ["handle", "size", "layers", "heads"],
  },
  () => {},
  (made, { task }, module): t.Training => {
    const of = owned(module, "training", made);
    try {
      return new ModuleTraining(of, task.text);
    } catch (error) {
      of.delete();
      throw error;
    }
  },
);

/** The facts of a training, as the core returns them. */
interface CoreFacts {
  options: t.CompleteTrainingOptions;
  words: string[];
  parameters: t.TrainingParameter[];
}

export const readFacts = define(
  { name: "trainingFacts", inputs: { training: handle }, answers: ["handle", "address", "size"] },
  () => {},
  (answers, _, module) => taken(answers, module)() as CoreFacts,
);

export const progressOf = define(
  { name: "trainingProgress", inputs: { training: handle }, answers: ["steps", "operations"] },
  () => {},
);

export const makeSteps = define(
  {
    name: "trainingStep",
    where: "step",
    inputs: { training: handle, count: is.whole },
    answers: ["step", "loss", "accuracy", "rate", "norm"],
  },
  () => {},
);

const evaluationFields = {
  n: is.optional(is.whole),
  sequences: is.optional(is.whole),
  encoding: is.optional(encoding),
} satisfies is.FieldsOf<t.EvaluationOptions>;

export const evaluate = define(
  {
    name: "trainingEvaluate",
    where: "evaluate",
    inputs: { training: handle },
    options: evaluationFields,
    answers: ["loss", "accuracy", "perplexity", "asked"],
  },
  () => {},
);

export const attend = define(
  { name: "trainingAttention", where: "attention", inputs: { training: handle, tokens }, results: Float32Array },
  ({ training, tokens: { length } }) => ({
    shape: [training.made.layers, training.made.heads, length, length],
    what: "layers * heads * tokens * tokens",
  }),
);

const generateFields = {
  count: is.count,
  window: is.optional(is.whole),
  temperature: is.optional(is.number),
  seed: is.optional(is.count),
} satisfies is.FieldsOf<t.GenerateOptions>;

const generateNames = Object.keys(generateFields) as (keyof t.GenerateOptions)[];

export const generate = define(
  {
    name: "trainingGenerate",
    where: "generate",
    inputs: { training: handle, prompt: tokens },
    options: generateFields,
    results: Int32Array,
  },
  ({ count }) => ({ shape: [count], what: "count" }),
  ({ data }) => Array.from(data),
);

export const takeValues = define(
  { name: "trainingValues", where: "values", inputs: { training: handle }, results: Float32Array },
  ({ training }) => ({ shape: [training.made.size], what: "values" }),
  ({ data }) => data,
);

/** Adds the text, which the core does not return. */
function factsOf(of: Owned<MadeTraining>, text: string | undefined): t.TrainingFacts {
  const { options, words, parameters } = readFacts(of.module, {}, { training: of });
  const { text: _, ...task } = options.task;
  const whole = { ...options, task: text === undefined ? task : { ...task, text } };
  return { options: whole, words, parameters };
}

/** The word of characters that are too rare in a text for a token of their own. */
const unknown = "\uFFFD";

class ModuleTraining extends Releasing implements t.Training {
  declare readonly options: t.CompleteTrainingOptions;
  declare readonly words: string[];
  declare readonly parameters: t.TrainingParameter[];
  readonly #owned: Owned<MadeTraining>;
  readonly #isText: boolean;
  readonly #words: readonly string[];
  readonly #tokens = new Map<string, number>();

  constructor(of: Owned<MadeTraining>, text: string | undefined) {
    super();
    const facts = factsOf(of, text);
    const { words } = facts;
    Object.assign(this, { ...facts, words: words.slice() });
    this.#owned = of;
    this.#isText = facts.options.task.type === "text";
    this.#words = words;
    for (let token = 0; token < words.length; ++token) this.#tokens.set(words[token] as string, token);
  }

  get steps(): number {
    return this.#progress().steps;
  }

  get operations(): number {
    return this.#progress().operations;
  }

  #progress() {
    return progressOf(this.#owned.module, {}, { training: this.#owned });
  }

  step(count = 1): t.StepReport {
    return makeSteps(this.#owned.module, {}, { training: this.#owned, count });
  }

  evaluate(options: t.EvaluationOptions = {}): t.Evaluation {
    return evaluate(this.#owned.module, options, { training: this.#owned });
  }

  stretch(options: t.StretchOptions = {}): t.LengthEvaluation[] {
    // The caller may have changed those that it sees.
    return runTests(this, testsOf(readStretch(options), factsOf(this.#owned, undefined).options));
  }

  attention(tokens: ArrayLike<number>, options: t.OutOption = {}): t.TensorResult {
    return attend(this.#owned.module, options, { training: this.#owned, tokens });
  }

  generate(prompt: ArrayLike<number>, options: t.GenerateOptions): number[] {
    const given = checkOptions(options, generateNames, "generate");
    return generate(this.#owned.module, given, { training: this.#owned, prompt });
  }

  encode(text: string): number[] {
    if (typeof text !== "string") throw wrongType("text", text, "a string");
    const words = this.#isText ? Array.from(text) : text.split(" ").filter((word) => word !== "");
    return words.map((word) => {
      const token = this.#tokens.get(word) ?? (this.#isText ? this.#tokens.get(unknown) : undefined);
      if (token === undefined) throw wrongValue("text", word, "what there is in words");
      return token;
    });
  }

  decode(tokens: ArrayLike<number>): string {
    const { values, length } = is.numbers.read("tokens", plain(tokens));
    const words = Array.from({ length }, (_, i) => {
      const word = this.#words[values[i] as number];
      if (word === undefined) throw wrongValue(`tokens[${i}]`, values[i], `a whole number below ${this.#words.length}`);
      return word;
    });
    return words.join(this.#isText ? "" : " ");
  }

  values(options: t.OutOption = {}): Float32Array {
    return takeValues(this.#owned.module, options, { training: this.#owned });
  }

  delete(): void {
    this.#owned.delete();
  }
}
