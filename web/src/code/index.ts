import { effect, signal, untracked } from "@preact/signals-core";
import { html, type TemplateResult } from "lit-html";
import type { Computation } from "../core/computation";
import { codeBox, words } from "./box";
import { program as javascript } from "./javascript";
import type { CodeLanguage } from "./languages";
import { program as pytorch } from "./python";

/** Programs that compare their results with the library's numbers, and end with "ok" or an error. */
const writers = { pytorch, javascript };

/** The language of code, in all figures: readers keep to theirs. */
const chosen = signal<CodeLanguage>("pytorch");

/** The figures whose code was opened: each draws itself again for another language. */
const opened = new Set<() => void>();
effect(() => {
  chosen.value;
  untracked(() => {
    for (const redraw of opened) redraw();
  });
});

/** The code of a figure at its current settings. */
export function codeOf(
  id: string,
  figure: string,
  computation: Computation | undefined,
  redraw: () => void,
): TemplateResult {
  opened.add(redraw);
  const { title, heading, expected, note, none } = words();
  const text = computation ? writers[chosen.value](computation, { title: heading(figure), expected }) : "";
  const row = {
    name: `code-${id}`,
    get value() {
      return chosen.value;
    },
    set value(language) {
      chosen.value = language;
    },
  };
  return html`<div class="figure-code">
    <p class="note">${note}</p>
    ${codeBox(row, `${id}-code`, title(figure), text, none)}
  </div>`;
}
