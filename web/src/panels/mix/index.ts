import { html, svg } from "lit-html";
import { choices, moreSettings, rowSlider } from "../../controls";
import { fullFigure } from "../../core/figure";
import { exactly, fixed, plain, significant } from "../../core/format";
import { text } from "../../core/i18n";
import { reader, selection } from "../../core/page-state";
import { curvePlot } from "../../draw/curve";
import { ladder, last, type Model, model, parts } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;
const line = 44;

/** The number of pairs on the curve that is nearest to the chosen one. */
const rung = () =>
  ladder.reduce((best, pairs, at) => {
    const far = (each: number) => Math.abs(Math.log(each / state.mixPairs.value));
    return far(pairs) < far(ladder[best]) ? at : best;
  }, 0);

function bars(words: Text, { score, isAdded }: Model, width: number) {
  const most = Math.max(...Object.values(score).map(Math.abs));
  const middle = width / 2;
  const height = parts.length * line;
  return svg`<svg class="mix-bars" role="img" aria-label=${words.bars} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    <g class="axis"><line class="zero" x1=${middle} x2=${middle} y1="0" y2=${height} /></g>
    ${parts.map((part, at) => {
      const isMixed = part === "wordPosition" || part === "positionWord";
      const long = (Math.abs(score[part]) / most) * (middle - 64);
      const isLeft = score[part] < 0;
      return svg`<g class=${isMixed ? "mixed" : part} transform="translate(0 ${at * line})">
        <text x="0" y="12">${words.parts[part]}</text>
        <rect x=${isLeft ? middle - long : middle} y="18" width=${long} height="16" />
        <text x=${isLeft ? middle - long - 6 : middle + long + 6} y="26" dominant-baseline="central"
          text-anchor=${isLeft ? "end" : "start"}>${isMixed && !isAdded ? "–" : fixed(score[part], 3)}</text>
      </g>`;
    })}
  </svg>`;
}

function curve(words: Text, { shares }: Model, width: number) {
  const chosen = rung();
  return curvePlot({
    id: "mix-curve",
    label: words.curve,
    x: { name: words.axis, low: 1, high: ladder[ladder.length - 1], log: true },
    y: { name: words.share, low: 0, high: 1.1 * Math.max(...shares) },
    xs: ladder,
    curves: [{ name: words.share, values: shares }],
    chosen,
    choose: (at) => {
      state.mixPairs.value = ladder[at];
    },
    spoken: words.spoken(ladder[chosen], significant(shares[chosen], 3)),
    dots: true,
    width,
    height: 240,
  });
}

export const panel = fullFigure({
  uses: [...Object.values(state), reader.sentence, selection.position, selection.otherPosition],
  texts: { en, zh },
  model,
  draw(words, shown, { width: available }) {
    const width = available > 700 ? (available - 32) / 2 : available;
    const total = parts.reduce((sum, part) => sum + shown.score[part], 0);
    return html`<div class="controls">${choices(state.mixWay, words.way, words.ways)}</div>
      <div class="plots">
        <div class="plot">
          ${bars(words, shown, width)}
          <p class="drift">${words.score}${text.value.gap}<output data-score>${fixed(total, 3)}</output></p>
          <p class="drift">${words.parameters}${text.value.gap}<output data-parameters>${plain(shown.parameters)}</output></p>
        </div>
        <div class="plot">${curve(words, shown, width)}</div>
      </div>
      <div class="controls">${rowSlider(state.mixPairs, words.pairs, { scale: "log" })}</div>
      ${moreSettings(
        [state.mixSeed],
        html`${rowSlider(selection.position, words.query, { id: "mix-query", last })}
          ${rowSlider(selection.otherPosition, words.key, { id: "mix-key", last })}
          ${rowSlider(state.mixSeed, words.seed)}`,
      )}`;
  },
  rows: ({ query, key, score, shares }) => [
    ["what", "m", "n", "value"],
    ...parts.map((part) => [part, query, key, exactly(score[part])]),
    ...ladder.map((pairs, at) => [`share at ${pairs} pairs`, "", "", shares[at]]),
  ],
  drawing: ".plots svg",
  describe: (words, { isAdded, shares, parameters }) =>
    words.describe(isAdded, 2 * state.mixPairs.value, significant(shares[rung()], 2), plain(parameters)),
});
