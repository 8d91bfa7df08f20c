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
  options: { span?: readonly [number, number]; interval?: number } = {},
): TemplateResult {
  const { span: [low, high] = [row.limits.min, row.limits.max], interval = 120 } = options;
  const words = text.value.player;
  const running = playing.value === row;
  const move = (by: number) => (value: number) => (value + by > high ? low : value + by < low ? high : value + by);
  const stepBy = (by: number) => () => {
    pause();
    row.value = move(by)(row.value);
  };
  // The buttons in it are replaced; the group lives as long as its figure.
  const start = (event: Event) => play(row, move(1), interval, (event.currentTarget as Element).closest(".player"));
  const button = (what: "back" | "play" | "pause" | "forward", sign: string, act: (event: Event) => void) =>
    html`<button type="button" data-player=${what} aria-label="${words[what]}: ${label}" title=${words[what]} @click=${act}>
      <span aria-hidden="true">${sign}</span>
    </button>`;
  return html`<div class="player" role="group" aria-label=${label}>
    ${button("back", "◂", stepBy(-1))}
    ${running ? button("pause", "❚❚", pause) : button("play", "▶", start)}
    ${button("forward", "▸", stepBy(1))}
  </div>`;
}
