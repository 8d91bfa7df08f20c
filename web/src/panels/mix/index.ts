import { html, svg } from "lit-html";
import { choices, moreSettings, rowSlider } from "../../controls";
import { fullFigure } from "../../core/figure";
import { exactly, fixed, plain, significant } from "../../core/format";
import { text } from "../../core/i18n";
import { reader, selection } from "../../core/page-state";
import { last, type Model, model, parts } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";

type Text = typeof en;
const line = 44;

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
      return svg`<g transform="translate(0 ${at * line})">
        <text x="0" y="12">${words.parts[part]}</text>
        <rect x=${isLeft ? middle - long : middle} y="20" width=${long} height="16"
          fill=${isMixed ? "var(--warm)" : "var(--key)"} />
        <text x=${isLeft ? middle - long - 6 : middle + long + 6} y="28" dominant-baseline="central"
          text-anchor=${isLeft ? "end" : "start"}>${isMixed && !isAdded ? "–" : fixed(score[part], 3)}</text>
      </g>`;
    })}
  </svg>`;
}

export const panel = fullFigure({
  uses: [...Object.values(state), reader.sentence, selection.position, selection.otherPosition],
  texts: { en, zh },
  model,
  draw(words, shown, { width }) {
    const total = parts.reduce((sum, part) => sum + shown.score[part], 0);
    return html`<div class="controls">
        ${choices(state.mixWay, words.way, words.ways)} ${rowSlider(state.mixPairs, words.pairs, { scale: "log" })}
      </div>
      ${bars(words, shown, Math.min(width, 640))}
      <p class="drift">
        ${words.score}${text.value.gap}<output data-score>${fixed(total, 3)}</output>
        · ${words.parameters}${text.value.gap}<output data-parameters>${plain(shown.parameters)}</output>
      </p>
      ${moreSettings(
        [state.mixSeed],
        html`${rowSlider(selection.position, words.query, { id: "mix-query", last })}
          ${rowSlider(selection.otherPosition, words.key, { id: "mix-key", last })}
          ${rowSlider(state.mixSeed, words.seed)}`,
      )}`;
  },
  rows: ({ query, key, score, share }) => [
    ["what", "m", "n", "value"],
    ...parts.map((part) => [part, query, key, exactly(score[part])]),
    ["share", "", "", share],
  ],
  drawing: ".mix-bars",
  describe: (words, { isAdded, share }) => words.describe(isAdded, 2 * state.mixPairs.value, significant(share, 2)),
});
