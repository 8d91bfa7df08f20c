import { batch } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { coded } from "../../code/figure";
import { choices, moreSettings, rowSlider, sentenceBox } from "../../controls";
import { fullFigure } from "../../core/figure";
import { exactly, fixed } from "../../core/format";
import { text } from "../../core/i18n";
import { reader, selection } from "../../core/page-state";
import { shortened } from "../../core/words";
import { bars } from "./bars";
import { chips } from "./chips";
import { computationOf } from "./computation";
import { encodings, largestShares, type Model, model, rounding } from "./model";
import { hasOneOrder, mostWords, shuffle } from "./orders";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

const examples = [
  ["The cat sat on the mat", "On mat the sat cat the"],
  ["Dogs chase cats", "cats chase Dogs"],
  ["我爱你", "你爱我"],
] as const;

function set(text: string, other: string): void {
  batch(() => {
    reader.sentence.value = text;
    state.orderOther.value = other;
  });
}

function choose(row: number, column: number): void {
  batch(() => {
    state.orderEncoding.value = row;
    selection.position.value = column;
  });
}

/** The chosen encoding and word, clamped to those there are. */
const chosen = ({ words }: Model) => ({
  row: state.orderEncoding.value,
  column: Math.min(selection.position.value, words.length - 1),
});

const percent = (share: number) => `${fixed(100 * share, 1)}%`;

/** Returns the chosen share's name, the formula with its numbers, and the result. */
function formulaOf(words: Text, shown: Model) {
  const { row, column } = chosen(shown);
  const { before, after, share } = shown.changes[row][column];
  const name = `${words.encodings[encodings[row]]}${text.value.comma}${shortened(shown.words[column], 24)}`;
  const terms = before.map((weight, at) => `|${fixed(weight, 3)} − ${fixed(after[at], 3)}|`);
  // Where there are many words the first two and the last are written: all would take five lines of a phone.
  const written = terms.length <= 4 ? terms : [...terms.slice(0, 2), "…", terms[terms.length - 1]];
  return { name, formula: `½ (${written.join(" + ")})`, share };
}

function sentence(words: Text, shown: Model): string {
  const { name, formula, share } = formulaOf(words, shown);
  return `${name}${text.value.colon}${formula} = ${percent(share)}`;
}

function settings(words: Text): TemplateResult {
  return moreSettings(
    [reader.sentence],
    html`<div class="choice-row">
        ${examples.map(
          ([
            text,
            other,
          ]) => html`<button type="button" class="again" data-example=${text} @click=${() => set(text, other)}>
            ${text} / ${other}
          </button>`,
        )}
      </div>
      ${sentenceBox("order-sentence", words.text, mostWords)}`,
  );
}

/** A row for the radio buttons that choose a row of bars. */
const encodingRow = {
  name: state.orderEncoding.name,
  get value() {
    return String(state.orderEncoding.value);
  },
  set value(next) {
    state.orderEncoding.value = Number(next);
  },
};

function readout(words: Text, shown: Model): TemplateResult {
  const { name, formula, share } = formulaOf(words, shown);
  return html`<div class="readout">
    <p class="equation">${name}${text.value.colon}${formula} =
      <output data-change><data value=${share} title=${`${fixed(100 * share, 4)}%`}>${percent(share)}</data></output></p>
    <div class="controls">
      ${choices(
        encodingRow,
        words.encoding,
        encodings.map((encoding, at) => [String(at), words.encodings[encoding]] as const),
      )}
      ${rowSlider(selection.position, words.word, { id: "order-word", last: shown.words.length - 1 })}
    </div>
  </div>`;
}

/** Returns the reason why bars do not rise, if there is one. */
function why(words: Text, shown: Model): string | undefined {
  if (hasOneOrder(shown.words)) return words.oneOrder;
  if (shown.same) return words.sameOrder;
  const alibi = largestShares(shown)[encodings.indexOf("alibi")];
  return shown.mirrored && alibi < rounding ? words.mirrored : undefined;
}

function picture(words: Text, shown: Model, width: number): TemplateResult {
  return bars(shown, chosen(shown), choose, width, {
    label: words.bars,
    spoken: sentence(words, shown),
    encodings: words.encodings,
    percent,
  });
}

export const panel = fullFigure({
  uses: [reader.sentence, state.orderOther, state.orderEncoding, selection.position],
  texts: { en, zh },
  model,
  draw(words, shown, { width }) {
    const reason = why(words, shown);
    return html`${
      shown.words.length === 0
        ? html`<p class="note">${words.empty}</p>`
        : html`<div class="chip-row">
                ${chips(shown.reordered, words)}
                <button type="button" class="again" data-tool="shuffle" @click=${shuffle}>${words.shuffle}</button>
              </div>
              <h3>${words.title}</h3>
              ${picture(words, shown, Math.min(width, 760))}
              ${reason ? html`<p class="note" data-why>${reason}</p>` : nothing} ${readout(words, shown)}`
    }
      ${settings(words)}`;
  },
  rows({ words, places, changes }) {
    const names = (mark: string) => words.map((word, at) => `a${mark}[${at}] ${word}`);
    return [
      ["encoding", "word", "place", "place′", "½ Σ |a − a′|", ...names(""), ...names("′")],
      ...changes.flatMap((line, row) =>
        line.map(({ before, after, share }, at) => [
          encodings[row],
          words[at],
          at,
          places[at],
          exactly(share),
          ...before.map(exactly),
          ...after.map(exactly),
        ]),
      ),
    ];
  },
  drawing: "#order-bars",
  code: coded(computationOf),
  describe(words, shown) {
    if (shown.words.length === 0) return words.empty;
    if (shown.same) return words.describeSame(shown.words.join(" "));
    const [none, ...others] = largestShares(shown).map(percent);
    const named = others.map((share, at) => `${words.encodings[encodings[at + 1]]} ${share}`);
    return words.describe(shown.words.join(" "), shown.reordered.join(" "), none, named);
  },
});
