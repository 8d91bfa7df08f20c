import { effect, signal } from "@preact/signals-core";
import { type Language, language } from "../../core/i18n";
import { put } from "../../core/state";

/** The language whose notes about engines are there. */
export const spoken = signal<Language>("en");

/** What is known of models and engines: larger than the rest of the figure. What is not named here is not fetched. */
export let engines: Pick<typeof import("posenc/engines"), "explain" | "keyCache" | "settings">;

export async function fetchEngines(): Promise<void> {
  const { explain, fetchNotes, keyCache, settings } = await import("posenc/engines");
  engines = { explain, keyCache, settings };
  effect(() => {
    const asked = language.value;
    fetchNotes(asked).then(() => put(spoken, asked));
  });
}
