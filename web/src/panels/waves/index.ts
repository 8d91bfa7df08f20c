import { html, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import { coded } from "../../code/figure";
import { answerRow, moreSettings, player, question, rowSlider, textBox } from "../../controls";
import { wavelength } from "../../core/arithmetic";
import { figure } from "../../core/figure";
import { fixed, matrixLines, plain } from "../../core/format";
import { reader, selection } from "../../core/page-state";
import type { Question } from "../../core/panel";
import { moved, pointIn, speak, within } from "../../draw/cursor";
import { short, shortened } from "../../draw/rounded";
import { computationOf } from "./computation";
import { pairAt, wavesAcross, wavesDrawing } from "./drawing";
import { type Model, model } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

/** Writes the formula of the chosen pair with its numbers in one line. */
function sentence(shown: Model): string {
  const { dim, base, position } = shown;
  const { pair, sin } = shown.waves[shown.chosen];
  return `sin(p·ω) = sin(${position} / ${plain(base)}^(${2 * pair}/${dim})) = ${fixed(sin, 3)}`;
}

function readout({ dim, base, position, waves, chosen }: Model): TemplateResult {
  const wave = waves[chosen];
  const exponent = html`${plain(base)}<sup>${2 * wave.pair}/${dim}</sup>`;
  return html`<p class="equation">
    p·ω = ${position} / ${exponent} = <output data-value="radians">${shortened(wave.radians)}</output>,
    λ = 2π · ${exponent} = <output data-value="lambda">${shortened(wave.lambda)}</output>
  </p>`;
}

function choose(shown: Model, position: number, pair: number): void {
  selection.position.value = within(position, shown.length);
  selection.pair.value = within(pair, Math.ceil(shown.dim / 2));
}

function point(event: PointerEvent, shown: Model): void {
  const at = pointIn(event);
  if (!at) return;
  const place = wavesAcross((event.currentTarget as SVGSVGElement).viewBox.baseVal.width, shown.length);
  const part = (at.x - place.from) / (place.to - place.from);
  choose(shown, Math.floor(part * shown.length), pairAt(at.y, shown));
}

function press(event: KeyboardEvent, pe: Posenc): void {
  const shown = model(pe);
  const { pair } = shown.waves[shown.chosen];
  const next = moved(event, { row: pair, column: shown.position }, Math.ceil(shown.dim / 2), shown.length);
  if (!next) return;
  choose(shown, next.column, next.row);
  speak(event, () => sentence(model(pe)));
}

const guess = answerRow("more", "same", "fewer");

/** A question: how many hands go around with a larger base? */
function asked(words: Text, pe: Posenc): Question {
  const { dim, base, length } = model(pe);
  const larger = 100 * base;
  const [before, after] = [base, larger].map(
    (each) => pe.frequencies({ dim, base: each }).data.filter((omega) => wavelength(omega) <= length).length,
  );
  return {
    prompt: words.prompt(plain(base), plain(larger), length),
    answers: Object.entries(words.answers),
    right: after > before ? "more" : after < before ? "fewer" : "same",
    why: words.why(before, after, Math.ceil(dim / 2)),
  };
}

export const panel = figure({
  uses: [...Object.values(state), reader.sentence, selection.pair, selection.position, guess],
  texts: { en, zh },
  model,
  draw(words: Text, shown, { pe, width }) {
    return html`${question(guess, asked(words, pe))}
      <div class="controls">
        ${rowSlider(selection.position, words.position, { id: "waves-position", last: shown.length - 1 })}
        ${player(selection.position, words.position, { span: [0, shown.length - 1], interval: 200 })}
        ${rowSlider(state.waveBase, words.base, { scale: "log", span: [1, 1e6] })}
      </div>
      <div class="waves-field" tabindex="0" role="application" aria-roledescription=${words.roledescription}
        aria-label=${words.canvas} @keydown=${(event: KeyboardEvent) => press(event, pe)}>
        ${wavesDrawing(pe, shown, width, words, (event) => point(event, shown))}
      </div>
      <p class="live visually-hidden" aria-live="polite"></p>
      ${readout(shown)}
      ${moreSettings(
        [state.waveLength, state.waveDim, state.wavePairs],
        html`${rowSlider(state.waveLength, words.length, { scale: "log" })} ${rowSlider(state.waveDim, words.dim, { scale: "log" })}
          ${textBox(state.wavePairs, words.pairs)}`,
      )}`;
  },
  rows: ({ table, dim }) => matrixLines("position", table, dim),
  drawing: ".waves-drawing",
  asks: asked,
  code: coded(computationOf),
  describe: (words, shown) =>
    words.describe({
      length: shown.length,
      dim: shown.dim,
      position: shown.position,
      ladder: words.ladder(shown.finished, shown.dim / 2, short(shown.slowest)),
    }),
});
