import { choice, defineState, number } from "../../core/state";

/** Settings of this tab's trainings, and the head that is drawn. They are not in links. */
export const settings = defineState({
  labSteps: choice("", ["auto", "full", "short"]),
  labSeeds: choice("", ["1", "3"]),
  labLayer: number("", 1, 1, 2, true),
  labHead: number("", 1, 1, 4, true),
});
