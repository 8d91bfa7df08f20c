import { html, nothing, type TemplateResult } from "lit-html";
import { rowSlider, slider } from "../../controls";
import { fixed } from "../../core/format";
import { put } from "../../core/state";
import { entry, packed } from "../../draw/colour";
import { mark } from "../../draw/mark";
import { tasks } from "../../training/results";
import type { Desk } from "./desk";
import { tasksOf } from "./model";
import { lastShown } from "./readouts";
import { settings } from "./settings";
import { state } from "./state";
import type { Text } from "./text.en";

/** The weights of attention of a trained model for an example, of one head: a row for each token that looks. */

type Shown = NonNullable<ReturnType<typeof chosen>>;

const runsWithMaps = ({ queue }: Desk) => {
  const [task] = tasksOf(state.labTask.value);
  return queue.runs.value.filter(({ job, maps }) => job.task === task && maps && maps.length > 0);
};

/** The map and its description, once there are weights. */
function chosen(desk: Desk) {
  const runs = runsWithMaps(desk);
  const run = runs.find(({ job }) => job.name === desk.mapped.value) ?? runs[0];
  const at = lastShown();
  const map = run?.maps?.[at];
  if (!map) return undefined;
  const [layers, heads] = map.weights.shape;
  const layer = Math.min(settings.labLayer.value, layers) - 1;
  const head = Math.min(settings.labHead.value, heads) - 1;
  return { ...map, name: run.job.name, stretch: tasks[run.job.task].stretches[at], layers, heads, layer, head };
}

/** The weight that a token gives to another. */
function weight({ tokens, weights, heads, layer, head }: Shown, query: number, key: number): number {
  const n = tokens.length;
  return weights.data[((layer * heads + head) * n + query) * n + key];
}

/** Paints the map that is shown, if any: a pixel a cell, which the style makes larger. To be called after drawing. */
export function paint(element: HTMLElement, desk: Desk): void {
  const canvas = element.querySelector<HTMLCanvasElement>(".lab-map canvas");
  const shown = chosen(desk);
  if (!canvas || !shown) return;
  const n = shown.tokens.length;
  canvas.width = n;
  canvas.height = n;
  const image = new ImageData(n, n);
  const pixels = new Uint32Array(image.data.buffer);
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
  const shown = chosen(desk);
  if (!shown) return html`<h3>${words.attention}</h3><p class="hint">${words.noAttention}</p>`;
  const { tokens, layers, heads, layer, head, stretch } = shown;
  const n = tokens.length;
  const query = Math.min(desk.query.value ?? n - 1, n - 1);
  const name = (each: string) => words.names[each] ?? each;
  const choose = (event: Event) => put(desk.mapped, (event.currentTarget as HTMLSelectElement).value);
  const point = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    desk.query.value = Math.max(0, Math.min(n - 1, Math.floor(((event.clientY - box.top) / box.height) * n)));
  };
  return html`<h3>${words.attention}</h3>
    <div class="controls">
      <label class="control lab-mapped"
        ><span>${words.of}</span>
        <select data-lab="mapped" @change=${choose}>
          ${runsWithMaps(desk).map(
            ({ job }) =>
              html`<option value=${job.name} ?selected=${job.name === shown.name}>${name(job.name)}</option>`,
          )}
        </select></label
      >
      ${layers > 1 ? rowSlider(settings.labLayer, words.layer) : nothing}
      ${heads > 1 ? rowSlider(settings.labHead, words.head, { last: heads }) : nothing}
      ${slider({
        id: "lab-query",
        label: words.query,
        value: query + 1,
        limits: { min: 1, max: n, whole: true },
        set: (next) => put(desk.query, next - 1),
      })}
    </div>
    <div class="lab-map">
      <canvas
        role="img"
        aria-label=${words.mapLabel(name(shown.name), layer + 1, head + 1, n, stretch)}
        @click=${point}
      ></canvas>
      <svg viewBox="0 0 ${n} ${n}" aria-hidden="true">
        <g class="mark">${mark(0, query, query + 1, 1)}</g>
      </svg>
    </div>
    <p class="hint" data-looks>${words.looks(visible(tokens[query]), query + 1, looks(shown, query))}</p>`;
}
