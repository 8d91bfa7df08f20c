import { html, nothing, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import { coded } from "../../code/figure";
import { moreSettings, player, rowSlider, textBox } from "../../controls";
import { playOnce } from "../../controls/self-play";
import { figure } from "../../core/figure";
import { exactly, fixed, plain, single } from "../../core/format";
import { reader, selection } from "../../core/page-state";
import { moved, pointIn, speak } from "../../draw/cursor";
import { rounded, short, shortened } from "../../draw/rounded";
import { computationOf } from "./computation";
import { counter, rowAt, wavesAcross, wavesDrawing } from "./drawing";
import { type Model, model, samples } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

/** Writes the formula of the chosen pair with its numbers in one line. */
function sentence(shown: Model): string {
  const { dim, base, position } = shown;
  const { pair, sin } = shown.waves[shown.chosen];
  const dimension = 2 * pair;
  return `sin(p·ω) = sin(${position} / ${plain(base)}^(${dimension}/${dim})) = ${fixed(sin, 3)}`;
}

function readout(words: Text, shown: Model): TemplateResult {
  const { dim, base, position } = shown;
  const wave = shown.waves[shown.chosen];
  const exponent = html`${plain(base)}<sup>${2 * wave.pair}/${dim}</sup>`;
  const line = (name: string, key: string, value: unknown) =>
    html`<div><dt>${name}</dt><dd data-value=${key}>${value}</dd></div>`;
  return html`<div class="waves-readout">
    <div>
      <p class="equation">
        θ = p·ω = ${position} / ${exponent} = <output data-value="radians">${shortened(wave.radians)}</output>
      </p>
      <p class="equation">
        λ = 2π · ${exponent} = <output data-value="lambda">${shortened(wave.lambda)}</output>
        ${wave.longer ? html`<span class="badge">${words.longer}</span>` : nothing}
      </p>
    </div>
    <dl>
      ${line(words.chosenPair, "pair", String(wave.pair))} ${line(words.omega, "omega", shortened(wave.omega))}
      ${line(words.degrees, "degrees", shortened(wave.degrees % 360))} ${line(words.sine, "sin", rounded(wave.sin, single(wave.sin)))}
      ${line(words.cosine, "cos", rounded(wave.cos, single(wave.cos)))} ${line(words.binary, "binary", position.toString(2))}
    </dl>
  </div>`;
}

function choose(shown: Model, position: number, at: number): void {
  selection.position.value = Math.max(0, Math.min(shown.length - 1, position));
  selection.pair.value = shown.waves[Math.max(0, Math.min(shown.waves.length - 1, at))].pair;
}

function point(event: PointerEvent, shown: Model): void {
  const at = pointIn(event);
  if (!at) return;
  const place = wavesAcross((event.currentTarget as SVGSVGElement).viewBox.baseVal.width, shown.length);
  const part = (at.x - place.from) / (place.to - place.from);
  choose(shown, Math.floor(part * shown.length), rowAt(at.y, shown.waves.length));
}

function press(event: KeyboardEvent, pe: Posenc): void {
  const shown = model(pe);
  const next = moved(event, { row: shown.chosen, column: shown.position }, shown.waves.length, shown.length);
  if (!next) return;
  choose(shown, next.column, next.row);
  speak(event, () => sentence(model(pe)));
}

function controls(words: Text, shown: Model): TemplateResult {
  return html`<div class="controls">
    ${rowSlider(selection.position, words.position, { id: "waves-position", last: shown.length - 1 })}
    ${player(selection.position, words.position, { span: [0, shown.length - 1], interval: 200 })}
    ${rowSlider(state.waveBase, words.base, { scale: "log", span: [1, 1e6] })}
    ${rowSlider(state.waveLength, words.length, { scale: "log" })}
    <p class="drift" data-ladder>${words.ladder(shown.finished, shown.dim / 2, short(shown.slowest))}</p>
  </div>`;
}

const settings = (words: Text) =>
  moreSettings(
    [state.waveDim, state.wavePairs],
    html`${rowSlider(state.waveDim, words.dim, { scale: "log" })}
      ${textBox(state.wavePairs, words.pairs)}`,
  );

export const panel = figure({
  uses: [...Object.values(state), reader.sentence, selection.pair, selection.position],
  texts: { en, zh },
  model,
  draw(words, shown, { pe, width: available }) {
    const beside = available > 760;
    const width = beside ? Math.round(available * 0.6) : available;
    const drawn = {
      positionAxis: words.positionAxis,
      handsLabel: words.hands,
      point: (event: PointerEvent) => point(event, shown),
    };
    return html`${
      shown.waves.length === 0
        ? html`<p class="note">${words.none}</p>`
        : html`<div class="waves">
                <div>
                  <h3>${words.hands}</h3>
                  <div class="waves-field" tabindex="0" role="application" aria-roledescription=${words.roledescription}
                    aria-label=${words.canvas} @keydown=${(event: KeyboardEvent) => press(event, pe)}>
                    ${wavesDrawing(pe, shown, width, drawn)}
                  </div>
                </div>
                <div>
                  <h3>${words.counter}</h3>
                  ${counter(shown, beside ? available - width - 24 : available, words)}
                </div>
              </div>
              <p class="live visually-hidden" aria-live="polite"></p>
              ${controls(words, shown)} ${readout(words, shown)}`
    }
      ${settings(words)}`;
  },
  drawn: (element, { length }) => playOnce(element, ".waves-field", selection.position, [0, length - 1], 150),
  *rows(shown, pe) {
    const positions = Array.from({ length: shown.length }, (_, position) => position);
    const values = shown.waves.map(({ omega }) => samples(pe, omega, positions));
    yield ["position", ...shown.waves.flatMap(({ pair }) => [`sin ${pair}`, `cos ${pair}`]), "binary"];
    for (const position of positions)
      yield [
        position,
        ...values.flatMap((dims) => [exactly(dims[2 * position]), exactly(dims[2 * position + 1])]),
        position.toString(2),
      ];
  },
  drawing: ".waves svg",
  code: coded(computationOf),
  describe(words, shown) {
    if (shown.waves.length === 0) return words.none;
    return words.describe({
      pairs: shown.waves.map(({ pair }) => pair),
      length: shown.length,
      dim: shown.dim,
      position: shown.position,
      longer: words.longerCount(shown.waves.filter(({ longer }) => longer).length, shown.waves.length),
      sentence: sentence(shown),
    });
  },
});
