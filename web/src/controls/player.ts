import { html, type TemplateResult } from "lit-html";
import { text } from "../core/i18n";
import { pause, play, playing } from "../core/play";
import type { NumberRow } from "../core/state";

/**
 * Play or pause, a step back and a step forward, for a row that holds a number. At the end of `span` it starts over.
 * With reduced motion it steps once a second.
 */
export function player(
  row: NumberRow,
  label: string,
  options: { span?: readonly [number, number]; step?: number; interval?: number } = {},
): TemplateResult {
  const { span: [low, high] = [row.limits.min, row.limits.max], step = 1, interval = 120 } = options;
  const words = text.value.player;
  const running = playing.value === row;
  const move = (by: number) => (value: number) => {
    const next = Number((value + by).toPrecision(12));
    return next > high ? low : next < low ? high : next;
  };
  const stepBy = (by: number) => () => {
    pause();
    row.value = move(by)(row.value);
  };
  // The buttons in it are replaced; the group lives as long as its figure.
  const start = (event: Event) => play(row, move(step), interval, (event.currentTarget as Element).closest(".player"));
  const button = (what: "back" | "play" | "pause" | "forward", sign: string, act: (event: Event) => void) =>
    html`<button type="button" data-player=${what} aria-label="${words[what]}: ${label}" title=${words[what]} @click=${act}>
      <span aria-hidden="true">${sign}</span>
    </button>`;
  return html`<div class="player" role="group" aria-label=${label}>
    ${button("back", "◂", stepBy(-step))}
    ${running ? button("pause", "❚❚", pause) : button("play", "▶", start)}
    ${button("forward", "▸", stepBy(step))}
  </div>`;
}
