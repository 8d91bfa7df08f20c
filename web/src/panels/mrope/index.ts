import { html, nothing, type TemplateResult } from "lit-html";
import type { PosencFull } from "posenc/full";
import { coded } from "../../code/figure";
import { moreSettings, rowSlider } from "../../controls";
import { fullFigure } from "../../core/figure";
import { plain } from "../../core/format";
import { reader, selection } from "../../core/page-state";
import { put } from "../../core/state";
import { readerWords, shortened } from "../../core/words";
import { moved, speak } from "../../draw/cursor";
import { computationOf } from "./computation";
import { drawing } from "./drawing";
import { type Sequence, sequence } from "./model";
import { state } from "./state";
import { en } from "./text.en";
import { zh } from "./text.zh";
import "./style.css";

type Text = typeof en;

/** Describes a token of the image: where it is, and its three positions. */
function inImage(words: Text, { tokens, before, image, chosenInImage }: Sequence): string {
  const at = chosenInImage - before;
  return words.imageToken(Math.floor(at / image[1]), at % image[1], chosenInImage, tokens[chosenInImage].ids);
}

function inText(words: Text, { tokens, chosenWord }: Sequence): string | undefined {
  if (chosenWord === undefined) return undefined;
  const { word, ids } = tokens[chosenWord];
  return words.textToken(word === undefined ? undefined : shortened(word), chosenWord, ids[0]);
}

function readout(words: Text, shown: Sequence): TemplateResult {
  const { tokens, ropeDelta, next } = shown;
  const named = tokens.filter(({ at }) => at !== undefined).length;
  const left = words.left(readerWords.value.length, named);
  return html`<div class="readout">
    <p data-text-token>${inText(words, shown) ?? nothing}</p>
    <p data-image-token>${inImage(words, shown)}</p>
    <dl>
      <div><dt>${words.tokens}</dt><dd data-tokens>${tokens.length}</dd></div>
      <div><dt>${words.next}</dt><dd data-next>${next}</dd></div>
      <div>
        <dt><code>rope_delta</code> = ${next} − ${tokens.length}</dt>
        <dd data-rope-delta>${plain(ropeDelta)}</dd>
      </div>
    </dl>
    ${left === "" ? nothing : html`<p class="note" data-left>${left}</p>`}
  </div>`;
}

function press(event: KeyboardEvent, pe: PosencFull, words: Text): void {
  const { image, chosenInImage, before } = sequence(pe);
  const at = chosenInImage - before;
  const next = moved(event, { row: Math.floor(at / image[1]), column: at % image[1] }, image[0], image[1]);
  if (!next) return;
  state.imageToken.value = next.row * image[1] + next.column;
  speak(event, () => inImage(words, sequence(pe)));
}

export const panel = fullFigure({
  uses: [...Object.values(state), selection.position, reader.sentence],
  texts: { en, zh },
  model: sequence,
  draw: (words, shown, { pe, width }) => html`<div class="mrope">
      <div class="pick" tabindex="0" role="application" aria-roledescription=${words.roledescription}
        aria-label=${words.field} @keydown=${(event: KeyboardEvent) => press(event, pe, words)}>
        ${drawing(shown, width > 860 ? Math.round(width * 0.66) : width, words, {
          word: (at) => put(selection.position, at),
          image: (at) => put(state.imageToken, at),
        })}
      </div>
      <p class="live visually-hidden" aria-live="polite"></p>
      <div class="mrope-side">
        <div class="controls">
          ${rowSlider(state.textBefore, words.before, { none: words.none })}
          ${rowSlider(state.imageRows, words.imageRows)} ${rowSlider(state.imageColumns, words.imageColumns)}
        </div>
        ${readout(words, shown)}
      </div>
    </div>
    ${moreSettings([state.textAfter], rowSlider(state.textAfter, words.after, { none: words.none }))}`,
  *rows({ tokens }) {
    yield ["token", "word", "time", "height", "width"];
    for (const [token, { ids, word, at }] of tokens.entries())
      yield [token, at === undefined ? "(image)" : (word ?? ""), ...ids];
  },
  drawing: ".mrope-drawing",
  code: coded(computationOf),
  describe(words, shown) {
    const { tokens, before, image, next } = shown;
    return words.describe(before, image, tokens.length - before - image[0] * image[1], next);
  },
});
