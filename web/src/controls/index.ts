/** Inputs for rows of the state, and for any number. */
export { choices } from "./choices";
export { moreSettings } from "./more-settings";
export { numberBox } from "./number-box";
export { numberMatrix } from "./number-matrix";
export { player } from "./player";
export { answerRow, guessing, guessWords, question } from "./question";
export { rowSlider, slider } from "./slider";
export { textBox } from "./text-box";
