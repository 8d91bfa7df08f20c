import { computed } from "@preact/signals-core";
import { html, type TemplateResult } from "lit-html";
import type { PosencFull } from "posenc/full";
import { coded } from "../../code/figure";
import { moreSettings, rowSlider } from "../../controls";
import { fullFigure } from "../../core/figure";
import { brief, exactly, plain, significant } from "../../core/format";
import type { Frames } from "../../core/frames";
import { text } from "../../core/i18n";
import { put } from "../../core/state";
import { curvePlot } from "../../draw/curve";
import { short, shortened } from "../../draw/rounded";
import { scrollTable } from "../../draw/table";
import { computationOf } from "./computation";
import { state } from "./state";
import { firstAbove, type Survey, survey, type Way, ways } from "./survey";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

/** Milliseconds of work between two frames, and between two updates of the picture. */
const slice = 12;
const every = 150;
/** Points of the curves, at equal distances on the logarithmic axis. */
const places = 360;

/** The positions that the curves are drawn at: those surveyed so far, with the chosen one. */
function drawn(shown: Survey, chosen: number): number[] {
  const last = shown.done - 1;
  const found = new Set([1, last, Math.min(chosen, last)]);
  for (let at = 1; at < places; at++) {
    const position = Math.round((shown.length - 1) ** (at / places));
    if (position <= last) found.add(position);
  }
  return [...found].sort((a, b) => a - b);
}

function answer(words: Text, shown: Survey, way: Way): string {
  const first = firstAbove(shown, way, state.precisionLimit.value);
  if (first !== undefined) return words.from(String(first));
  const last = String(shown.done - 1);
  return shown.done < shown.length ? words.searching(last) : words.notUpTo(last);
}

/** Answers in a sentence each for what most models do. */
function headline(words: Text, shown: Survey): TemplateResult {
  const limit = plain(state.precisionLimit.value);
  const sentence = (way: Way) => {
    const first = firstAbove(shown, way, state.precisionLimit.value);
    if (first !== undefined) return words.drifts(words.ways[way], limit, first);
    const last = shown.done - 1;
    // Its length is to stay that of the answer which may follow: nothing below moves.
    const isOpen = way === "float32" && shown.done < shown.length;
    const rest = isOpen ? words.soFar : words.most(short(shown.most[way][last]));
    return `${words.holds(words.ways[way], limit, last)}${rest}`;
  };
  return html`<p class="answer" data-answer>
    <strong>${sentence("float32")}</strong>${text.value.gap}${sentence("bfloat16")}
  </p>`;
}

/** Another object when it is another survey. */
const wanted = computed(() => ({
  dim: 2 * state.precisionPairs.value,
  base: state.precisionBase.value,
  reach: state.precisionReach.value,
}));
let asked: typeof wanted.value | undefined;
let current: ReturnType<typeof survey>;
let timer = 0;
let reported = 0;

/** The survey of the state's model, carried on in slices between frames; at least its first positions are done. */
function surveyed(pe: PosencFull, frames: Frames): ReturnType<typeof survey> {
  function work(): void {
    const until = performance.now() + slice;
    let going = true;
    while (going && performance.now() < until) going = current.more();
    if (going) timer = window.setTimeout(work);
    if (going && performance.now() - reported < every) return;
    reported = performance.now();
    frames.request();
  }
  if (wanted.value !== asked) {
    clearTimeout(timer);
    if (asked) current.end();
    asked = wanted.value;
    current = survey(pe, asked.dim, asked.base, asked.reach);
    if (current.more()) timer = window.setTimeout(work);
  }
  return current;
}

function plot(words: Text, shown: Survey, width: number): TemplateResult {
  const limit = state.precisionLimit.value;
  const xs = drawn(shown, state.precisionPosition.value);
  const position = Math.min(state.precisionPosition.value, shown.done - 1);
  // A logarithmic axis has no place for an error of 0.
  const values = (way: Way) => xs.map((at) => shown.most[way][at] || Number.NaN);
  return curvePlot({
    id: "precision-curve",
    label: words.canvas,
    x: { name: words.positionAxis, low: 1, high: shown.length - 1, log: true, format: brief },
    y: {
      name: words.errorAxis,
      low: 1e-8,
      high: 4,
      log: true,
      format: (value) => value.toExponential(0).replace("-", "−").replace("e+0", ""),
    },
    xs,
    curves: [
      ...ways.map((way) => ({ name: words.ways[way], values: values(way) })),
      { name: `x = ${plain(limit)}`, values: xs.map(() => limit) },
    ],
    chosen: xs.indexOf(position),
    choose: (at) => put(state.precisionPosition, xs[at]),
    spoken: `p = ${position}${text.value.colon}${ways.map((way) => `${words.ways[way]} ${short(shown.errors[way][position])}`).join(text.value.comma)}`,
    width,
    height: 380,
  });
}

function numbers(words: Text, shown: Survey): TemplateResult {
  const position = Math.min(state.precisionPosition.value, shown.done - 1);
  const limit = plain(state.precisionLimit.value);
  return scrollTable(
    words.question(limit),
    [words.way, words.first(limit), words.errorAt(String(position)), words.pair, words.worst],
    ways.map(
      (way) => html`<tr data-way=${way}>
        <th scope="row">${words.ways[way]}</th>
        <td data-first>${answer(words, shown, way)}</td>
        <td class="weight" data-error>${shortened(shown.errors[way][position])}</td>
        <td class="weight" data-pair>${shown.pairs[way][position]}</td>
        <td class="weight" data-most>${shortened(shown.most[way][position])}</td>
      </tr>`,
    ),
  );
}

/** Shows the true angle of the chosen position in the worst float32 pair, and the error there. */
function formula(words: Text, pe: PosencFull, shown: Survey): TemplateResult {
  const dim = 2 * state.precisionPairs.value;
  const base = state.precisionBase.value;
  const position = Math.min(state.precisionPosition.value, shown.done - 1);
  const pair = shown.pairs.float32[position];
  const [angle] = pe.frequencies({ dim, base, scale: position }).data.slice(pair);
  return html`<p class="equation">
    p·ω<sub>${pair}</sub> = ${position} / ${plain(base)}<sup>${2 * pair}/${dim}</sup> =
    <output data-angle>${significant(angle, 12)}</output>${text.value.semicolon}${words.ways.float32}${text.value.colon}± ${shortened(shown.errors.float32[position])}
  </p>`;
}

export const panel = fullFigure({
  uses: Object.values(state),
  texts: { en, zh },
  model: surveyed,
  draw: (words, { result: shown }, { pe, width }) => html`${headline(words, shown)}
    <div class="precision-plot">${plot(words, shown, Math.min(width, 860))}</div>
    <div class="controls">
      ${rowSlider(state.precisionPosition, words.position, { scale: "log", span: [1, shown.length - 1] })}
      ${rowSlider(state.precisionLimit, words.limit, { scale: "log" })}
    </div>
    ${formula(words, pe, shown)}
    <p class="hint" data-done=${shown.done}>
      ${words.progress(String(shown.done), String(shown.length))}
    </p>
    <div class="tables">${numbers(words, shown)}</div>
    ${moreSettings(
      [state.precisionPairs, state.precisionBase, state.precisionReach],
      html`${rowSlider(state.precisionPairs, words.pairs)}
        ${rowSlider(state.precisionBase, words.base, { scale: "log", span: [10, 1e7] })}
        ${rowSlider(state.precisionReach, words.reach, { scale: "log" })}`,
    )}`,
  *rows({ result, more }) {
    yield ["position", ...ways.flatMap((way) => [`${way}, radians`, `${way}, pair`])];
    for (let position = 0; position < result.length; position++) {
      while (position >= result.done) more();
      yield [position, ...ways.flatMap((way) => [exactly(result.errors[way][position]), result.pairs[way][position]])];
    }
  },
  drawing: ".precision-plot svg",
  code: coded(({ result: { pairs, done } }: ReturnType<typeof survey>, pe: PosencFull) => {
    const position = Math.min(state.precisionPosition.value, done - 1);
    return computationOf(pe, position, pairs.float32[position]);
  }),
  describe: (words, { result }) =>
    words.describe({
      dims: 2 * state.precisionPairs.value,
      base: plain(state.precisionBase.value),
      reach: String(result.length - 1),
    }),
});
