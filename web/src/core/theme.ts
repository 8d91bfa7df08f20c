import { effect } from "@preact/signals-core";
import { page } from "./page-state";

/** Keeps the document's theme equal to the state's; "auto" follows the system. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = page.theme.value;
  });
}
