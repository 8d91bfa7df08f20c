import type { QueryTemperature } from "./attention.js";
import type { DType, Float16Data, HalfDType, NumberList, Shaped } from "./base.js";
import type { Positions } from "./frequencies.js";
import type { GridPoints, GridRotaryOptions, MropeOptions, MropeSegment, SinusoidalGridOptions } from "./grid.js";
import type { Model } from "./hub.js";
import type { AlibiOptions, SwinBiasOptions, SwinWindow, T5Options } from "./relative.js";
import type { Layout, RotaryOptions } from "./rotary.js";
import type { PaddedSinusoidalOptions, SinusoidOptions } from "./sinusoidal.js";

/** Numbers as given: JavaScript's arrays, or 16 bits with their `dtype`. */
export type SampleValues = readonly number[] | Float32Array | Float64Array | Float16Data | Uint16Array;

/** A tensor from elsewhere, row-major. */
export interface SampleTensor {
  /** Its values, in order; the bits of float16 and bfloat16. */
  data: SampleValues;
  /** Its extents. */
  shape: readonly number[];
  /** The type that the values were rounded to; by default that of `data`, of an array float32 if all values are. */
  dtype?: DType | "float64";
  /** The quantization that they went through: ggml's blocks of 32, or 8 bits with one scale a tensor. */
  quantized?: "q8_0" | "fp8-e4m3" | "fp8-e5m2";
}

/** Ids, or positions, of the tokens of one sequence: any numbers, [tokens], [axes, tokens] or [axes, 1, tokens]. */
export type SampleIds = Shaped<NumberList>;

/** Samples of exactly one kind. */
export type Samples =
  /** Vectors before and after a rotation, axes in any order. `positions` one number a token, or ids of several axes. */
  | {
      before: SampleTensor;
      after: SampleTensor;
      /** An expected grid states them itself. */
      positions?: NumberList | SampleIds;
      /** The axis of the sequence. Without it, where two axes are as long as there are positions, nothing is certain. */
      seqAxis?: number;
      dimAxis?: number;
    }
  /** Two implementations' outputs for one input: `before`, or what `expected` makes of `a` undone. */
  | {
      a: SampleTensor;
      b: SampleTensor;
      before?: SampleTensor;
      positions: NumberList | SampleIds;
      seqAxis?: number;
      dimAxis?: number;
    }
  /** A cache: cosines and sines of one shape each, in any form. */
  | { cos: SampleTensor; sin: SampleTensor; positions?: NumberList | SampleIds }
  /** Both in one array: complex numbers, or sines behind cosines. */
  | { cosSin: SampleTensor; positions?: NumberList | SampleIds }
  /** A sinusoidal table, [positions, dim]. */
  | { table: SampleTensor; positions?: NumberList }
  /** Frequencies, their reciprocals, or wavelengths. */
  | { frequencies: SampleTensor | SampleValues }
  /** A bias, [heads, queries, keys] or [queries, keys]. */
  | { bias: SampleTensor; firstQuery?: number }
  /** Ids of a sequence, [axes, tokens], and what it is made of. */
  | { ids: SampleIds; segments: readonly MropeSegment[]; mergeSize?: number; tokensPerSecond?: number }
  /** Ids of the pairs of a window, [tokens, tokens]. */
  | { ids: SampleIds };

/** An expectation: a plan of `rotary` with what surrounds it, a layer of a model, or options of another encoding. */
export type ExpectedPlan =
  | (Omit<RotaryOptions, "layout"> & {
      /** The pairs of dimensions; caches, tables and frequencies do not show them. */
      layout?: Layout;
      /** The arithmetic of the angles; without it exact and float32 angles are both right. */
      arithmetic?: ExpectedArithmetic;
      /** Angles are those of `positionScale` · position + `offset`; 0 and 1 by default. */
      offset?: number;
      positionScale?: number;
      /** The first rotated dimension, 0 by default. */
      firstDim?: number;
      /** Whether it rotates back. */
      inverse?: boolean;
      /** Plans of the model's other layers. */
      others?: readonly RotaryOptions[];
      /** Sections and their order, if positions have several axes. */
      mrope?: Pick<MropeOptions, "sections" | "order">;
      /** Vectors are queries, multiplied by the temperature of their position (positions of one axis). */
      temperature?: QueryTemperature;
      /** Vectors are multiplied by this as well: the scale of scores, where queries have it. */
      scoreScale?: number;
    })
  | {
      model: Model;
      /** Has to be named where layers rotate in different ways. In one that does not rotate, vectors stay as they are. */
      layer?: number;
      layout?: Layout;
      /** How many positions it reads: rules that depend on it must have it. */
      length?: number;
      arithmetic?: ExpectedArithmetic;
      offset?: number;
      /** Vectors are queries, which have the layer's temperature. */
      queries?: boolean;
      scoreScale?: number;
    }
  | ({ type: "sinusoidal"; arithmetic?: ExpectedArithmetic } & SinusoidOptions &
      Partial<Positions> &
      Pick<PaddedSinusoidalOptions, "paddingIdx">)
  | ({ type: "alibi" } & Partial<Pick<AlibiOptions, "slopes" | "steepness" | "distance">> & {
        /** The heads of the model, where the bias has a part of them. */
        heads?: number;
        /** The head of the model that is the first of the bias, 0 by default. */
        firstHead?: number;
        /** Whether keys after the query are masked. */
        causal?: boolean;
      })
  /** With its `table`, all values are compared with the bias that `t5` makes of these options. */
  | ({ type: "t5"; causal?: boolean } & Partial<Omit<T5Options, "out">>)
  /** A table of `sinusoidalGrid`: its options. */
  | ({ type: "sinusoidalGrid" } & SinusoidalGridOptions)
  /** Vectors or a cache of `rotaryGrid`: its options, the grid, and the tokens around that are not rotated. */
  | ({ type: "rotaryGrid"; grid: readonly number[]; inverse?: boolean } & GridRotaryOptions &
      Pick<GridPoints, "prefixTokens" | "suffixTokens">)
  /** Ids of `swinIndex`, or a bias of `swinBias`; of three dimensions with their `depth`. */
  | ({ type: "swinIndex"; depth?: number } & SwinWindow)
  | ({ type: "swinBias"; depth?: number } & Omit<SwinBiasOptions, "out">)
  | {
      type: "ids";
      preset: string;
      /** The rule of times, the preset's by default. */
      time?: string;
      /** The rule of where ids go on behind an image or a video; without it that of any version of transformers. */
      next?: string;
    };

/** The arithmetic of angles: `"exact"`, that of an implementation as `certify` names it, or of a type. */
export type ExpectedArithmetic = "exact" | "transformers" | "ggml" | "float32" | "float16" | "bfloat16";

/** Options of `diagnose`. */
export interface DiagnoseOptions {
  /** The plan that was meant, where it is known: mistakes are then named. */
  expected?: ExpectedPlan;
  /** The samples are a part of what they were taken from: nothing is certain then. */
  partial?: boolean;
  /** The language of the sentences: English by default. */
  language?: "en" | "zh";
}

/** Conventions that are applied wrongly with no error; the core's list (src/posenc/diagnosis/mistake.hpp). */
export type Mistake = string;

/** A mistake that is known by name. */
export interface KnownMistake {
  /** Its name. */
  mistake: Mistake;
  /** Its meaning, in a sentence. */
  text: string;
}

/** Options of `mistakes`. */
export interface MistakeOptions {
  /** The language of the sentences: English by default. */
  language?: "en" | "zh";
}

/** A change that mends a mistake. */
export interface Remedy {
  /** Where the output was rotated rightly and written elsewhere: dimension i of it has to be what is dimension `dims[i]` now. */
  dims?: number[];
  /** Where other pairs were rotated: row i of each head of W_q and W_k has to be what is row `rows[i]` now. */
  rows?: number[];
  /** The factor that mends the output. */
  factor?: number;
  /** The number to add to the positions. */
  shift?: number;
  /** Positions are to be multiplied by this. */
  scale?: number;
  /** The remedy in words. */
  text: string;
}

/** The positions of tokens where they are not those given, and where their pattern shows. */
export interface FoundPositions {
  /** The position of each token, axis after axis. */
  values: number[];
  /** The tokens at which the pattern shows: where documents begin, where padding ends, from which on an offset is added. */
  tokens: number[];
  /** The modulus, the bound, the offset, or the one position of all; else 0. */
  amount: number;
}

/** An option whose value is not the one that was expected. */
export interface OptionDifference {
  /** The option's name: `"base"`, `"scaling.originalLength"`. */
  option: string;
  /** Its value as found. */
  found: unknown;
  /** The expected value; undefined where none was expected. */
  expected: unknown;
}

/** A plan, and how the angles depart from what it can express. */
export interface FoundAngles {
  /** The frequencies, as `rotary` takes them. */
  plan: RotaryOptions;
  /** The number added to positions. */
  offset: number;
  /** The number by which positions are multiplied. */
  positionScale: number;
  /** The sines are negated. */
  inverse: boolean;
  /** Wavelengths are taken for frequencies. */
  reciprocal: boolean;
  /** The arithmetic of the angles. */
  arithmetic: string;
  /** The type that stored frequencies were rounded to. */
  frequencies?: HalfDType;
  /** The type that cosines and sines were rounded to. */
  cosines?: HalfDType;
  /** The sines are those of so many rows on. */
  sineRows?: number;
  /** The positions found, if they are not those given. */
  positions?: FoundPositions;
}

/** One explanation of what was given. */
export interface Explanation {
  /** The computation found, as options that the library runs, and the steps that these cannot express. */
  found:
    | (FoundAngles & {
        type: "rotary";
        firstDim: number;
        /** Not of a cache, which does not show it. */
        reads?: Layout;
        writes?: Layout;
        factor: number;
        exchanged: boolean;
        mrope?: { sections: number[]; order: string };
        axisOfPair?: number[];
        form?: string;
      })
    | (FoundAngles & {
        type: "sinusoidal";
        arrangement: string;
        amplitude: number;
        paddingRow: boolean;
        /** The last of an odd number of columns is zeros. */
        zeroColumn: boolean;
      })
    | { type: "frequencies"; plan: RotaryOptions; unit: string; inverse: boolean }
    | {
        type: "bias";
        bias: string;
        causal: boolean;
        /** It is so up to a constant of each row, which softmax does not see. */
        upToRows: boolean;
        firstQuery: number;
        negative: boolean;
        slopes?: number[];
        distance?: string;
        parameters?: number[];
        bidirectional?: boolean;
        slopeRule?: string;
        ruleHeads?: number;
        ruleFirst?: number;
        /** After how many heads slopes begin again; 0: they do not. */
        rulePeriod?: number;
        steepness?: number;
        factor?: number;
      }
    | {
        type: "ids";
        preset: string;
        time: string;
        next: string;
        tokensPerSecond?: number;
        offset: number;
        axes: number[];
        positions?: FoundPositions;
      }
    | {
        /** Numbers of a grid, a window or T5's table: the library's function, and the options by which it makes them. */
        type: "made";
        function: string;
        options: Readonly<Record<string, unknown>>;
      };
  /** The known mistakes by which it differs from what was expected, or from the positions given. */
  mistakes: Mistake[];
  /** The options of what was found that are not those expected, where mistakes were made. */
  differs: OptionDifference[];
  /** The largest residual: in units in the last place, and in units of what the arithmetic found could cause. */
  residual: { ulps: number; units: number };
  /** The remedy, where something was expected and is not what was found. */
  remedy: Remedy | null;
  /** The explanation in sentences: what was found, each mistake, and what differs (empty where nothing does). */
  sentences: { found: string; mistakes: string[]; differs: string };
  /** All of them together. */
  text: string;
}

/** A diagnosis: what the numbers are. */
export interface Diagnosis {
  /** The kind of the samples. */
  kind: "rotation" | "cache" | "sinusoidal" | "frequencies" | "bias" | "ids" | "made";
  /**
   * `"certain"`: of all that is listed, alone and in pairs, one explanation is left for all values; `"likely"`: its
   * numbers were estimated, no list has them, or the samples are `partial`; `"ambiguous"`: others explain the values as
   * well; `"too-little"`: the values say nothing, as zeros do; `"none"`: nothing known here explains them.
   */
  verdict: "certain" | "likely" | "ambiguous" | "too-little" | "none";
  /** Explanations, the best first; empty where nothing explains all values. */
  explanations: Explanation[];
  /** Positions that would tell the explanations apart: distances, of a bias; with `"grid"` in `tells` a grid's extents. */
  next: number[];
  /** What else would: positions whose axes differ, inputs that are not zeros, `seqAxis`, `dimAxis`, keys after the query, … */
  tells: (
    | "axes"
    | "inputs"
    | "sequence-axis"
    | "dim-axis"
    | "length"
    | "dtype"
    | "keys"
    | "grid"
    | "segments"
    | "table"
  )[];
  /** Where positions were read back from the values: those up to this one were looked for, of either sign; else 0. */
  readTo: number;
  /** The type that the values are stored in, as given or found. */
  dtype: DType | "float64";
  /**
   * Where vectors that no one rotation explains are not what was expected: indices of tokens, heads and pairs of
   * dimensions; null where nothing was expected, where one rotation explains them, or where all departs.
   */
  departs: { tokens: number[]; heads: number[]; pairs: number[] } | null;
  /** The axis that was taken for the sequence, in vectors of three axes or more; null for other samples. */
  seqAxis: number | null;
  /** The layer that was taken, where a model has layers that are not alike and none was named; else null. */
  layer: number | null;
  /**
   * For two outputs: which departs from what was expected, and a diagnosis of each, that of `a` where there was an input
   * to compare it with. The diagnosis itself is that of the wrong one, or of `b` where it is not known or both are. Without
   * the input `b` is compared with `a` as if that were right: which is wrong is not known, and nothing is certain.
   */
  outputs?: { wrong: "neither" | "a" | "b" | "both" | "unknown"; a: Diagnosis | null; b: Diagnosis };
  /** The verdict in a sentence. */
  text: string;
}
