import { effect, signal } from "@preact/signals-core";
import { state } from "./state";

const dark = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(dark.matches);
dark.addEventListener("change", () => {
  systemDark.value = dark.matches;
});

/** Keeps the document's theme equal to the state's; "auto" leaves it to the system. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = state.theme.value;
  });
}

/** The theme in use. */
export function theme(): "light" | "dark" {
  const chosen = state.theme.value;
  return chosen === "auto" ? (systemDark.value ? "dark" : "light") : chosen;
}
