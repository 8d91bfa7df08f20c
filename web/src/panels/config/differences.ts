import { html, nothing, type TemplateResult } from "lit-html";
import type { Comparison } from "posenc/full";
import { plain } from "../../core/format";
import { scrollTable } from "../../draw/table";
import { six } from "./model";
import type { Text } from "./text.en";

/** Writes numbers with six digits, and objects as their members. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return Number.isInteger(value) ? plain(value) : six(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.length > 4 ? `${value.length} …` : value.map(valueText).join(", ");
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${valueText(member)}`)
    .join(", ");
}

/** Tables of what differs between two models, and of its effect on scores. */
export function differences(words: Text, { layerCounts, differing }: Comparison): TemplateResult {
  const [first, second] = layerCounts;
  const counts =
    first === second ? nothing : html`<p class="note" data-layer-counts>${words.layerCounts(first, second)}</p>`;
  if (differing.length === 0) return html`${counts}<p class="note" data-same>${words.same}</p>`;
  return html`${counts}${differing.map(
    ({ layers, differences: traits, effect }) => html`<div data-differing=${layers}>
      ${scrollTable(
        words.differing(layers),
        words.differenceColumns,
        traits.map(
          ({ what, a, b }) => html`<tr data-what=${what}>
            <th scope="row">${words.traits[what]}</th><td>${valueText(a)}</td><td>${valueText(b)}</td>
          </tr>`,
        ),
        "plans",
      )}
    </div>
    <div data-effect=${layers}>
      ${
        effect === null
          ? html`<p class="note">${words.noEffect}</p>`
          : scrollTable(
              words.effect,
              words.effectColumns,
              effect.distances.map(
                (distance, i) => html`<tr>
                  <th scope="row">${plain(distance)}</th>
                  ${[effect.angle, effect.cosine, effect.score].map((of) => html`<td>${six(of[i] as number)}</td>`)}
                </tr>`,
              ),
              "plans",
            )
      }
    </div>`,
  )}`;
}
