import { signal } from "@preact/signals-core";
import { put } from "../core/state";

/** Whether the tab is hidden: trainings rest then. */
export const isHidden = signal(document.visibilityState === "hidden");
document.addEventListener("visibilitychange", () => put(isHidden, document.visibilityState === "hidden"));

/** Whether this looks like a phone: short runs are then the default. */
export const isSmall = () => navigator.hardwareConcurrency <= 2 || matchMedia("(max-width: 600px)").matches;
