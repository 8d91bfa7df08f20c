import { choice, defineState, number } from "../../core/state";

/** How trainings are made in this tab, and which head of them is drawn. Links do not hold these: they begin with neither. */
export const settings = defineState({
  labSteps: choice("", ["auto", "full", "short"]),
  labSeeds: choice("", ["1", "3"]),
  labLayer: number("", 1, 1, 2, true),
  labHead: number("", 1, 1, 4, true),
});
