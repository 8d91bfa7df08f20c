// Diagnoses of the core, with sentences.

import type * as t from "../types/index.js";
import type { CoreDiagnosis, CoreExplanation } from "./calls.js";
import { runs, short } from "./sentence-parts.js";
import { sentences } from "./sentences.js";

type Language = keyof typeof sentences;
type Words = (typeof sentences)[Language];

/** The remedy of all mistakes, each sentence once. */
function remedyOf(core: CoreExplanation, kind: t.Diagnosis["kind"], words: Words): t.Remedy {
  const { mistakes, dims, dimsBefore, factor, shift, scale } = core;
  const numbers = {
    ...(dims.length > 0 && (dimsBefore ? { rows: dims } : { dims })),
    ...(factor !== 1 && { factor }),
    ...(shift !== 0 && { shift }),
    ...(scale !== 1 && { scale }),
  };
  const texts = new Set<string>();
  if (dims.length > 0) texts.add(dimsBefore ? words.remedies.rows : words.remedies.dims);
  for (const mistake of mistakes) {
    const name = words.remedyOf[mistake as keyof Words["remedyOf"]];
    if (name === undefined || (name === "dims" && dims.length > 0)) continue;
    const text = words.of[kind]?.remedies[name] ?? words.remedies[name];
    texts.add(typeof text === "function" ? text({ factor, shift, scale }) : text);
  }
  return { ...numbers, text: words.joined([...texts]) };
}

/** A mistake in a sentence, with its direction where what was found tells it. */
function mistakeOf(mistake: t.Mistake, found: t.Explanation["found"], kind: t.Diagnosis["kind"], words: Words): string {
  if (mistake === "layout" && found.type === "rotary" && (found.reads === "half" || found.reads === "interleaved"))
    return words.directed[found.reads];
  if (mistake === "causal" && found.type === "bias") return words.directed[found.causal ? "causal" : "symmetric"];
  if (mistake === "padding-row" && found.type === "sinusoidal")
    return words.directed[found.paddingRow ? "row" : "no-row"];
  if (mistake === "position-scale" && found.type === "rotary" && found.positionScale === 2) return words.directed.twice;
  const pattern = words.patterns[mistake];
  if (pattern && "positions" in found && found.positions)
    return pattern({ at: words.tokensAt(runs(found.positions.tokens)), by: short(found.positions.amount) });
  return words.of[kind]?.mistakes[mistake] ?? words.mistakes[mistake as keyof Words["mistakes"]];
}

function explanationOf(
  core: CoreExplanation,
  kind: t.Diagnosis["kind"],
  isExpected: boolean,
  words: Words,
): t.Explanation {
  const { found, mistakes, ulps, units, bits } = core;
  const names = mistakes.map((mistake) => mistakeOf(mistake, found, kind, words));
  // Each kind has a function that takes its own.
  const says = words.found[found.type] as (found: t.Explanation["found"]) => string;
  return {
    found,
    mistakes,
    residual: { ulps, units },
    bits,
    remedy: isExpected && mistakes.length > 0 ? remedyOf(core, kind, words) : null,
    sentences: { found: says(found), mistakes: names },
    text: words.joined([says(found), ...names]),
  };
}

/** The diagnosis, in one language. */
export function explained(
  kind: t.Diagnosis["kind"],
  { verdict: decoded, explanations: all, next, dtype, departure, seqAxes = [] }: CoreDiagnosis,
  { isExpected, isPartial }: { isExpected: boolean; isPartial: boolean },
  language: Language,
): t.Diagnosis {
  const words = sentences[language];
  const verdict = isPartial && decoded === "certain" ? "likely" : decoded;
  const explanations = all.map((each) => explanationOf(each, kind, isExpected, words));
  const [first] = explanations;
  const { ofTokens, ...places } = departure;
  const departs = ofTokens > 0 && places.tokens.length > 0 ? places : null;
  const isRight = isExpected && first?.mistakes.length === 0;
  const isFound = verdict === "certain" || verdict === "likely";
  const parts = [
    isFound && first ? first.text : "",
    isRight && verdict === "certain" ? words.asExpected : "",
    words.verdicts[verdict]({ bits: first?.bits ?? 0, count: explanations.length }),
    seqAxes.length > 0 ? words.axis(seqAxes) : "",
    departs ? words.departs(departure) : "",
    next.length > 0 ? words.next(next) : "",
  ];
  const text = words.joined(parts.filter((part) => part !== ""));
  return { kind, verdict, explanations, next, dtype, departs, seqAxis: seqAxes[0] ?? null, text };
}
