import type { DType, Float16Data } from "./base.js";
import type { Positions } from "./frequencies.js";
import type { MropeOptions, MropeSegment } from "./grid.js";
import type { Model } from "./hub.js";
import type { AlibiOptions, Ids, T5Buckets } from "./relative.js";
import type { Layout, RotaryOptions } from "./rotary.js";
import type { PaddedSinusoidalOptions, SinusoidOptions } from "./sinusoidal.js";

/** Numbers as they came: JavaScript's arrays, or 16 bits with their `dtype`. */
export type SampleValues = readonly number[] | Float32Array | Float64Array | Float16Data | Uint16Array;

/** A tensor that came from elsewhere, row-major. */
export interface SampleTensor {
  /** Its values, in order; of float16 and bfloat16 the bits. */
  data: SampleValues;
  /** Its extents. */
  shape: readonly number[];
  /** What the values are stored in; without it the smallest type that holds them all is taken. */
  dtype?: DType | "float64";
}

/** What may be looked at; exactly one kind. */
export type Samples =
  /** Vectors before and after a rotation, axes in any order. `positions` one number a token, or ids of several axes. */
  | {
      before: SampleTensor;
      after: SampleTensor;
      positions: readonly number[] | Ids;
      seqAxis?: number;
      dimAxis?: number;
    }
  /** Two implementations' outputs for one input: `before`, or what `expected` makes of `a` undone. */
  | {
      a: SampleTensor;
      b: SampleTensor;
      before?: SampleTensor;
      positions: readonly number[] | Ids;
      seqAxis?: number;
      dimAxis?: number;
    }
  /** A cache: cosines and sines of one shape each, in any form. */
  | { cos: SampleTensor; sin: SampleTensor; positions?: readonly number[] | Ids }
  /** Both in one array: complex numbers, or sines behind cosines. */
  | { cosSin: SampleTensor; positions?: readonly number[] | Ids }
  /** A sinusoidal table, [positions, dim]. */
  | { table: SampleTensor; positions?: readonly number[] }
  /** Frequencies, their reciprocals, or wavelengths. */
  | { frequencies: SampleTensor | SampleValues }
  /** A bias, [heads, queries, keys] or [queries, keys]. */
  | { bias: SampleTensor; firstQuery?: number }
  /** Ids of a sequence, [axes, tokens], and what it is made of. */
  | { ids: Ids; segments: readonly MropeSegment[]; mergeSize?: number; tokensPerSecond?: number };

/** What was meant: a plan of `rotary` with what surrounds it, a layer of a model, or options of another encoding. */
export type ExpectedPlan =
  | (RotaryOptions & {
      /** Where the rotated dimensions start, 0 by default. */
      firstDim?: number;
      /** Whether it rotates back. */
      inverse?: boolean;
      /** Plans of the model's other layers. */
      others?: readonly RotaryOptions[];
      /** Where positions have several axes. */
      mrope?: Pick<MropeOptions, "sections" | "order">;
    })
  | { model: Model; layer?: number; layout?: Layout; length?: number }
  | ({ type: "sinusoidal" } & SinusoidOptions & Partial<Positions> & Pick<PaddedSinusoidalOptions, "paddingIdx">)
  | ({ type: "alibi" } & Partial<Pick<AlibiOptions, "slopes" | "steepness" | "distance">> & {
        /** Of the model, where the bias has a part of them. */
        heads?: number;
        /** Which of them is the first of the bias, 0 by default. */
        firstHead?: number;
        /** Whether keys after the query are masked. */
        causal?: boolean;
      })
  | ({ type: "t5" } & Partial<T5Buckets> & { causal?: boolean })
  | { type: "ids"; preset: string };

/** How it is to be told. */
export interface DiagnoseOptions {
  /** What should have been done, if that is known: mistakes are then named. */
  expected?: ExpectedPlan;
  /** Of the sentences: English by default. */
  language?: "en" | "zh";
}

/** Conventions that are applied wrongly with no error; the core's list (src/posenc/diagnosis/mistake.hpp). */
export type Mistake = string;

/** A mistake that is known by name. */
export interface KnownMistake {
  /** Its name. */
  mistake: Mistake;
  /** What it means, in a sentence. */
  text: string;
}

/** In which language mistakes are told. */
export interface MistakeOptions {
  /** Of the sentences: English by default. */
  language?: "en" | "zh";
}

/** What to do about it. */
export interface Remedy {
  /** Of the output, where it was rotated rightly and written elsewhere: dimension i of it has to be what is dimension `dims[i]` now. */
  dims?: number[];
  /** Of each head of W_q and W_k, where other pairs were rotated: row i has to be what is row `rows[i]` now. */
  rows?: number[];
  /** What the output is to be multiplied by. */
  factor?: number;
  /** What is to be added to the positions. */
  shift?: number;
  /** In words. */
  text: string;
}

/** One explanation of what was given. */
export interface Explanation {
  /**
   * What was found, with options that the library runs. Of a rotation: those of `rotary`, and how it departs from what
   * these can say.
   */
  found:
    | {
        type: "rotary";
        plan: RotaryOptions;
        firstDim: number;
        reads: Layout;
        writes: Layout;
        factor: number;
        offset: number;
        positionScale: number;
        inverse: boolean;
        exchanged: boolean;
        reciprocal: boolean;
        arithmetic: string;
        mrope?: { sections: number[]; order: string };
        axisOfPair?: number[];
        form?: string;
      }
    | {
        type: "sinusoidal";
        plan: RotaryOptions;
        arrangement: string;
        amplitude: number;
        offset: number;
        positionScale: number;
        paddingRow: boolean;
        arithmetic: string;
      }
    | { type: "frequencies"; plan: RotaryOptions; unit: string }
    | {
        type: "bias";
        bias: string;
        causal: boolean;
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
        departs?: number;
      };
  /** Known mistakes by which it differs from what was expected; none where nothing was. */
  mistakes: Mistake[];
  /** The largest residual: in units in the last place, and in what the arithmetic found could cause. */
  residual: { ulps: number; units: number };
  /** Bits of evidence over the next explanation. */
  bits: number;
  /** What to do, where something was expected and is not what was found. */
  remedy: Remedy | null;
  /** All of it in a sentence. */
  text: string;
}

/** What the numbers are. */
export interface Diagnosis {
  /** What they were taken for. */
  kind: "rotation" | "cache" | "sinusoidal" | "frequencies" | "bias" | "ids";
  /**
   * `"certain"`: the first explanation explains all values, by 20 bits better than any other; `"likely"`: better than
   * the others; `"ambiguous"`: others explain them as well; `"none"`: nothing known here does.
   */
  verdict: "certain" | "likely" | "ambiguous" | "none";
  /** The best first. */
  explanations: Explanation[];
  /** Positions to sample next, where more are needed. */
  next: number[];
  /** The type that the values are stored in, as told or found. */
  dtype: DType | "float64";
  /** Where not all values were looked at: how many tokens and heads were, of how many. */
  sampled: { tokens: [number, number]; heads: [number, number] } | null;
  /**
   * Of two outputs: which departs from what was expected, and a diagnosis of each, that of `a` where there was an input
   * to hold it against. The diagnosis itself is that of the wrong one, of `b` where it is not known or both are.
   */
  outputs?: { wrong: "neither" | "a" | "b" | "both" | "unknown"; a: Diagnosis | null; b: Diagnosis };
  /** The verdict in a sentence. */
  text: string;
}
