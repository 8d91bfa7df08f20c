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

const quantities = ["angle", "cosine", "dimension", "score"] as const;

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
    answers: quantities.flatMap((name) => [name, `${name}Pair`, `${name}From`] as const),
  },
  () => {},
  (made) =>
    Object.fromEntries(
      quantities.map((name) => [name, bound(made[name], made[`${name}Pair`], made[`${name}From`])]),
    ) as unknown as t.Certificate,
);
