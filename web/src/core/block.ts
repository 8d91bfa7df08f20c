import { html, svg, type TemplateResult } from "lit-html";

/** Where an encoding acts in attention: on the words, on queries and keys, or on their score. */
export type Place = "word" | "rotation" | "score";

const boxes: readonly (readonly [text: string, x: number, y: number, wide: number, place?: Place])[] = [
  ["w", 4, 34, 28],
  ["+ p", 54, 34, 36, "word"],
  ["q", 118, 8, 28, "rotation"],
  ["k", 118, 34, 28, "rotation"],
  ["v", 118, 60, 28],
  ["q · k", 178, 21, 48, "score"],
  ["softmax", 250, 21, 68],
  ["Σ v", 342, 34, 40],
];

/** A small picture of attention with the place marked where the encodings of a chapter act. */
export const block = (place: Place, says: string): TemplateResult => html`<p class="block">
  ${svg`<svg width="390" height="88" viewBox="0 0 390 88" aria-hidden="true">
    <path fill="none" stroke="var(--edge)"
      d="M32 45h22M90 45h14v-26h14M104 45h14M104 45v26h14M146 19h16v13h16M146 45h16v-13M226 32h24M318 32h12v13h12M146 71h184v-26" />
    ${boxes.map(
      ([text, x, y, wide, at]) => svg`<g>
        <rect x=${x} y=${y} width=${wide} height="22" rx="5" fill=${at === place ? "var(--accent-wash)" : "var(--raised)"}
          stroke=${at === place ? "var(--accent)" : "var(--edge)"} stroke-width=${at === place ? 2 : 1} />
        <text x=${x + wide / 2} y=${y + 11} text-anchor="middle" dominant-baseline="central">${text}</text>
      </g>`,
    )}
  </svg>`}
  <span>${says}</span>
</p>`;
