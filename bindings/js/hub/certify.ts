// Certificates of a whole model: one for each plan and scale of scores.

import type { Module } from "../base/module.js";
import { certify as certifyPlan } from "../rotary/certificate.js";
import type * as t from "../types/index.js";
import { knownModel } from "./model.js";
import { placesOf } from "./places.js";

export function certify(
  module: Module,
  given: t.CertifiedPlan | t.Model,
  options: t.CertifyOptions,
): t.Certificate | t.ModelCertificate[] {
  const model = knownModel(given);
  if (!model) return certifyPlan(module, given, options);
  const certificates: t.ModelCertificate[] = [];
  for (const [index, { rotary }] of model.plans.entries()) {
    const runs = model.layers.filter(({ plan }) => plan === index);
    // Without layers the scale is that of heads of the plan's dimensions.
    const scales = runs.length > 0 ? [...new Set(runs.map(({ scale }) => scale))] : [null];
    for (const scale of scales) {
      const layers = placesOf(model, (run) => run.plan === index && run.scale === scale);
      const made = certifyPlan(module, rotary, { ...(scale !== null && { scale }), ...options }) as t.Certificate;
      certificates.push({ plan: index, layers, ...made });
    }
  }
  return certificates;
}
