import { html, nothing, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { rowSlider, slider } from "../../controls";
import { fixed } from "../../core/format";
import { page } from "../../core/page-state";
import { entry, palette } from "../../draw/colour";
import type { AttentionMap } from "../../training/queue";
import { stretches } from "../../training/results";
import type { Desk } from "./desk";
import { tasksOf } from "./model";
import { lastShown } from "./readouts";
import { state } from "./state";
import type { Text } from "./text.en";

/** The weights of attention of a trained model for an example, of one head: a row for each token that looks. */

interface Shown extends AttentionMap {
  readonly layer: number;
  readonly head: number;
}

/** The weight that a token gives to another. */
function weight({ weights, layer, head }: Shown, query: number, key: number): number {
  const [, heads, n] = weights.shape;
  return weights.data[((layer * heads + head) * n + query) * n + key];
}

/** A pixel a cell; the style makes them larger. */
function paint(canvas: HTMLCanvasElement, shown: Shown): void {
  const n = shown.tokens.length;
  canvas.width = n;
  canvas.height = n;
  const image = new ImageData(n, n);
  const pixels = new Uint32Array(image.data.buffer);
  const { packed } = palette(page.palette.value);
  for (let query = 0; query < n; query++) {
    // Long rows have small weights: each row is drawn by its largest.
    let most = 0;
    for (let key = 0; key <= query; key++) most = Math.max(most, weight(shown, query, key));
    for (let key = 0; key < n; key++)
      pixels[query * n + key] = key > query ? 0 : packed[entry(weight(shown, query, key) / (most || 1))];
  }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
}

const visible = (word: string) => (word === " " ? "␣" : word === "\n" ? "↵" : word);

/** Where a token looks: the keys with the largest weights. */
function looks(shown: Shown, query: number): string {
  return Array.from({ length: query + 1 }, (_, key) => key)
    .sort((a, b) => weight(shown, query, b) - weight(shown, query, a))
    .slice(0, 3)
    .map((key) => `${visible(shown.tokens[key])} (${key + 1}): ${fixed(weight(shown, query, key), 3)}`)
    .join(", ");
}

export function attention(words: Text, desk: Desk): TemplateResult {
  const [task] = tasksOf(state.labTask.value);
  const runs = desk.queue.runs.value.filter(({ job, maps }) => job.task === task && maps && maps.length > 0);
  if (runs.length === 0) return html`<h3>${words.attention}</h3><p class="hint">${words.noAttention}</p>`;
  const run = runs.find(({ job }) => job.name === desk.mapped.value) ?? runs[0];
  const at = lastShown();
  const map = run.maps?.[at] as AttentionMap;
  const [layers, heads, n] = map.weights.shape;
  const shown = {
    ...map,
    layer: Math.min(state.labLayer.value, layers) - 1,
    head: Math.min(state.labHead.value, heads) - 1,
  };
  const query = Math.min(desk.query.value ?? n - 1, n - 1);
  const name = words.names[run.job.name] ?? run.job.name;
  return html`<h3>${words.attention}</h3>
    <div class="controls">
      <label class="control lab-mapped"
        ><span>${words.of}</span>
        <select
          data-lab="mapped"
          @change=${(event: Event) => {
            desk.mapped.value = (event.currentTarget as HTMLSelectElement).value;
          }}
        >
          ${runs.map(({ job }) => html`<option value=${job.name} ?selected=${job === run.job}>${words.names[job.name] ?? job.name}</option>`)}
        </select></label
      >
      ${layers > 1 ? rowSlider(state.labLayer, words.layer) : nothing} ${heads > 1 ? rowSlider(state.labHead, words.head) : nothing}
      ${slider({
        id: "lab-query",
        label: words.query,
        value: query + 1,
        limits: { min: 1, max: n, whole: true },
        set: (next) => {
          desk.query.value = next - 1;
        },
      })}
    </div>
    <div class="lab-map">
      <canvas
          role="img"
        aria-label=${words.mapLabel(name, shown.layer + 1, shown.head + 1, n, stretches[at])}
        ${ref((canvas) => canvas && paint(canvas as HTMLCanvasElement, shown))}
        @click=${(event: MouseEvent) => {
          const box = (event.currentTarget as Element).getBoundingClientRect();
          desk.query.value = Math.max(0, Math.min(n - 1, Math.floor(((event.clientY - box.top) / box.height) * n)));
        }}
      ></canvas>
      <svg viewBox="0 0 ${n} ${n}" aria-hidden="true">
        <g class="mark">
          <rect class="mark-under" x="0" y=${query} width=${query + 1} height="1" />
          <rect class="mark-over" x="0" y=${query} width=${query + 1} height="1" />
        </g>
      </svg>
    </div>
    <p class="hint" data-looks>${words.looks(visible(map.tokens[query]), query + 1, looks(shown, query))}</p>`;
}
