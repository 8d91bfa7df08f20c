// Diagnoses of the core, with sentences.

import type * as t from "../types/index.js";
import type { CoreDiagnosis, CoreExplanation } from "./calls.js";
import { differing, differsSentence, foundSentence, telling } from "./found.js";
import { remedyOf, runs, short } from "./sentence-parts.js";
import { sentences } from "./sentences.js";

type Language = keyof typeof sentences;
type Words = (typeof sentences)[Language];

/** What is known of a diagnosis beside the core's answer. */
export interface Known {
  readonly kind: t.Diagnosis["kind"];
  readonly isExpected: boolean;
  readonly isPartial: boolean;
  /** The layer that was taken where none was named. */
  readonly layer: number | null;
  /** What was expected, in the words of what is found. */
  readonly expected: object | undefined;
}

/** The remedy of all mistakes, each sentence once. */
function remedyFor(core: CoreExplanation, kind: t.Diagnosis["kind"], words: Words): t.Remedy {
  const { mistakes, dims, dimsBefore, factor, shift, scale } = core;
  const numbers = {
    ...(dims.length > 0 && (dimsBefore ? { rows: dims } : { dims })),
    ...(factor !== 1 && { factor }),
    ...(shift !== 0 && { shift }),
    ...(scale !== 1 && { scale }),
  };
  const texts = new Set<string>();
  if (dims.length > 0) texts.add(dimsBefore ? words.remedies.rows : words.remedies.dims);
  for (const name of mistakes.map(remedyOf)) {
    if (name === "dims" && dims.length > 0) continue;
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
  const { tokens = [], amount = 0 } = ("positions" in found && found.positions) || {};
  const amounts = words.amounts[mistake];
  if (amounts && "positions" in found) return amounts(short(amount));
  const pattern = words.patterns[mistake];
  if (pattern && tokens.length > 0) return pattern({ at: words.tokensAt(runs(tokens)), by: short(amount) });
  return words.of[kind]?.mistakes[mistake] ?? words.mistakes[mistake as keyof Words["mistakes"]] ?? mistake;
}

function explanationOf(core: CoreExplanation, known: Known, language: Language): t.Explanation {
  const words = sentences[language];
  const { found, mistakes, ulps, units } = core;
  const isWrong = known.isExpected && mistakes.length > 0;
  const differs = isWrong && known.expected ? differing(found, known.expected) : [];
  const own = {
    found: foundSentence(found, language),
    mistakes: mistakes.map((mistake) => mistakeOf(mistake, found, known.kind, words)),
    differs: differsSentence(differs, language),
  };
  return {
    found,
    mistakes,
    differs,
    residual: { ulps, units },
    remedy: isWrong ? remedyFor(core, known.kind, words) : null,
    sentences: own,
    text: words.joined([own.found, ...own.mistakes, own.differs].filter(Boolean)),
  };
}

/** What would tell the explanations apart, in words. */
function tellsOf(kind: t.Diagnosis["kind"], { next, tells }: CoreDiagnosis, language: Language): string[] {
  const words = sentences[language];
  const isGrid = tells.includes("grid");
  const what = isGrid ? "grid" : kind === "bias" ? "distances" : "positions";
  const places = next.length > 0 ? [words.places[what](next.map(short).join(isGrid ? " × " : ", "))] : [];
  const others = tells.filter((each) => each !== "grid" || next.length === 0);
  return [...places, ...others.map((each) => telling[each][language === "en" ? 0 : 1])];
}

/** The diagnosis, in one language. */
export function explained(core: CoreDiagnosis, known: Known, language: Language): t.Diagnosis {
  const words = sentences[language];
  const { kind, isExpected, layer } = known;
  const { verdict: decoded, next, tells, readTo, dtype, departure, seqAxes = [] } = core;
  const isCut = known.isPartial && decoded === "certain";
  const verdict = isCut ? "likely" : decoded;
  // What does not explain all values is no explanation.
  const all = verdict === "none" ? [] : core.explanations;
  const explanations = all.map((each) => explanationOf(each, known, language));
  const [first] = explanations;
  const { ofTokens, ...places } = departure;
  const departs = ofTokens > 0 && places.tokens.length > 0 ? places : null;
  const isRight = isExpected && first?.mistakes.length === 0;
  const isFound = verdict === "certain" || verdict === "likely";
  const what = tellsOf(kind, core, language);
  const parts = [
    isFound && first ? first.text : "",
    isRight && verdict === "certain" ? words.asExpected : "",
    isCut ? words.partial : words.verdicts[verdict](explanations.length),
    layer === null ? "" : words.layer(layer),
    seqAxes.length > 0 ? words.axis(seqAxes) : "",
    departs ? words.departs(departure) : "",
    readTo > 0 ? words.readTo(short(readTo)) : "",
    what.length > 0 ? words.next(what) : "",
  ];
  const text = words.joined(parts.filter((part) => part !== ""));
  const seqAxis = seqAxes[0] ?? null;
  return { kind, verdict, explanations, next, tells, readTo, dtype, departs, seqAxis, layer, text };
}
