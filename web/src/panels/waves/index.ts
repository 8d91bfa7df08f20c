import { html, nothing, render, type TemplateResult } from "lit-html";
import { player, rowSlider, textBox } from "../../controls";
import { standalone } from "../../download";
import { exactly, fixed, plain, significant, single } from "../../format";
import type { Context, Panel, PanelModule } from "../../panel";
import { state } from "../../state";
import { counter, rowAt, wavesAcross, wavesDrawing } from "./drawing";
import { type Model, model, samples } from "./model";
import { en } from "./text.en";
import { zh } from "./text.zh";

const texts = { en, zh };
type Text = typeof en;

/** The chosen pair in words, with the formula in one line. */
function sentence(shown: Model): string {
  const { dim, base, position } = shown;
  const { pair, sin } = shown.waves[shown.chosen];
  const lane = 2 * pair;
  return `sin(p·ω) = sin(${position} / ${plain(base)}^(${lane}/${dim})) = ${single(sin)}`;
}

function readout(words: Text, shown: Model): TemplateResult {
  const { dim, base, position } = shown;
  const wave = shown.waves[shown.chosen];
  const exponent = html`${plain(base)}<sup>${2 * wave.pair}/${dim}</sup>`;
  const line = (name: string, key: string, value: string) =>
    html`<div><dt>${name}</dt><dd data-value=${key}>${value}</dd></div>`;
  return html`<div class="waves-reading">
    <div>
      <p class="equation">
        θ = p·ω = ${position} / ${exponent} = <output data-value="radians">${significant(wave.radians, 6)}</output>
      </p>
      <p class="equation">
        λ = 2π · ${exponent} = <output data-value="lambda">${significant(wave.lambda, 6)}</output>
        ${wave.longer ? html`<span class="badge">${words.longer}</span>` : nothing}
      </p>
    </div>
    <dl>
      ${line(words.chosenPair, "pair", String(wave.pair))} ${line(words.omega, "omega", significant(wave.omega, 6))}
      ${line(words.turns, "degrees", fixed(wave.degrees % 360, 4))} ${line(words.sine, "sin", single(wave.sin))}
      ${line(words.cosine, "cos", single(wave.cos))} ${line(words.binary, "binary", position.toString(2))}
    </dl>
  </div>`;
}

function mount(element: HTMLElement, context: Context): Panel {
  const { pe } = context;
  let announce = 0;

  function choose(shown: Model, position: number, at: number): void {
    state.wavePosition.value = Math.max(0, Math.min(shown.length - 1, position));
    state.wavePair.value = shown.waves[Math.max(0, Math.min(shown.waves.length - 1, at))].pair;
  }

  function point(event: PointerEvent): void {
    if (event.pointerType === "touch" && event.type === "pointermove" && event.buttons === 0) return;
    const shown = model(pe);
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const place = wavesAcross(box.width, shown.length);
    const part = (event.clientX - box.left - place.from) / (place.to - place.from);
    choose(shown, Math.floor(part * shown.length), rowAt(event.clientY - box.top, shown.waves.length));
  }

  function press(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const shown = model(pe);
    const { position, chosen } = shown;
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [position - 1, chosen],
      ArrowRight: [position + 1, chosen],
      ArrowUp: [position, chosen - 1],
      ArrowDown: [position, chosen + 1],
      PageUp: [position + 16, chosen],
      PageDown: [position - 16, chosen],
      Home: [0, chosen],
      End: [shown.length - 1, chosen],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    choose(shown, ...step);
    // Spoken after the keys have come to rest, so that a held key does not stutter.
    clearTimeout(announce);
    announce = window.setTimeout(() => {
      const live = element.querySelector(".live");
      if (live) live.textContent = sentence(model(pe));
    }, 250);
  }

  function controls(words: Text, shown: Model): TemplateResult {
    return html`<div class="controls">
      ${rowSlider("waveLength", words.length, { scale: "log" })} ${rowSlider("waveDim", words.dim, { scale: "log" })}
      ${rowSlider("waveBase", words.base, { scale: "log", span: [1, 1e6] })}
      ${textBox("wavePairs", words.pairs)}
      ${rowSlider("wavePosition", words.position, { span: [0, shown.length - 1] })}
      ${player("wavePosition", words.position, { span: [0, shown.length - 1], interval: 200 })}
    </div>`;
  }

  function update(): void {
    const words = texts[context.language()];
    const shown = model(pe);
    const room = element.clientWidth;
    const beside = room > 760;
    const width = beside ? Math.round(room * 0.6) : room;
    render(
      html`${controls(words, shown)}
        ${
          shown.waves.length === 0
            ? html`<p class="note">${words.none}</p>`
            : html`<div class="waves">
                  <div>
                    <h3>${words.hands}</h3>
                    <div class="waves-field" tabindex="0" role="application" aria-roledescription=${words.roledescription}
                      aria-label=${words.canvas}
                      @pointermove=${point} @pointerdown=${point} @keydown=${press}>
                      ${wavesDrawing(pe, shown, width, { positionAxis: words.positionAxis, handsLabel: words.hands })}
                    </div>
                  </div>
                  <div>
                    <h3>${words.counter}</h3>
                    ${counter(shown, beside ? room - width - 24 : room, words)}
                  </div>
                </div>
                <p class="live visually-hidden" aria-live="polite"></p>
                ${readout(words, shown)}`
        }`,
      element,
    );
  }

  return {
    update,
    *rows() {
      const shown = model(pe);
      const positions = Array.from({ length: shown.length }, (_, position) => position);
      const values = shown.waves.map(({ omega }) => samples(pe, omega, positions));
      yield ["position", ...shown.waves.flatMap(({ pair }) => [`sin ${pair}`, `cos ${pair}`]), "binary"];
      for (const position of positions)
        yield [
          position,
          ...values.flatMap((lanes) => [exactly(lanes[2 * position]), exactly(lanes[2 * position + 1])]),
          position.toString(2),
        ];
    },
    svg() {
      update();
      return standalone(...element.querySelectorAll<SVGSVGElement>(".waves svg"));
    },
    describe() {
      const words = texts[context.language()];
      const shown = model(pe);
      if (shown.waves.length === 0) return words.none;
      return words.describe({
        pairs: shown.waves.map(({ pair }) => pair).join(", "),
        length: shown.length,
        dim: shown.dim,
        position: shown.position,
        longer: words.longerCount(shown.waves.filter(({ longer }) => longer).length, shown.waves.length),
        sentence: sentence(shown),
      });
    },
    destroy() {
      clearTimeout(announce);
      render(nothing, element);
    },
  };
}

export const waves: PanelModule = {
  id: "waves",
  uses: ["waveLength", "waveDim", "waveBase", "wavePairs", "wavePair", "wavePosition"],
  texts,
  mount,
};
