import { inputsFirst } from "../base/call.js";
import * as is from "../base/kinds.js";
import { dtypeOption } from "../base/stored.js";
import type * as t from "../types/index.js";
import { layout, rotaryFields } from "./rotary.js";

const planFields = { ...rotaryFields, layout: is.optional(layout) } satisfies is.FieldsOf<t.CertifiedPlan>;

export const certifiedPlan = is.group<t.CertifiedPlan, typeof planFields>(planFields, "");

const number = is.optional(is.number);

const limitFields = { angle: number, cosine: number, dimension: number, score: number } satisfies is.FieldsOf<
  Partial<t.Certified<number>>
>;

export const limits = is.group<Partial<t.Certified<number>>, typeof limitFields>(limitFields);

const bound = (bound: number, pair: number, from: number): t.CertifiedBound =>
  Number.isNaN(from) ? { bound, pair } : { bound, pair, from };

export const certify = inputsFirst(
  {
    name: "certify",
    inputs: { plan: certifiedPlan },
    options: {
      length: is.whole,
      arithmetic: is.word(),
      dtype: dtypeOption,
      queryNorm: number,
      keyNorm: number,
      scale: number,
      exceeds: is.optional(limits),
    } satisfies is.FieldsOf<t.CertifyOptions>,
    answers: [
      "angle",
      "anglePair",
      "angleFrom",
      "cosine",
      "cosinePair",
      "cosineFrom",
      "dimension",
      "dimPair",
      "dimFrom",
      "score",
      "scorePair",
      "scoreFrom",
    ],
  },
  () => {},
  (made): t.Certificate => ({
    angle: bound(made.angle, made.anglePair, made.angleFrom),
    cosine: bound(made.cosine, made.cosinePair, made.cosineFrom),
    dimension: bound(made.dimension, made.dimPair, made.dimFrom),
    score: bound(made.score, made.scorePair, made.scoreFrom),
  }),
);
