import { effect } from "@preact/signals-core";
import { state } from "./state";

/** Keeps the document's theme equal to the state's; "auto" leaves it to the system. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = state.theme.value;
  });
}
