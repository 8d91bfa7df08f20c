import { en } from "./text.en";
import { zh } from "./text.zh";

export const texts = { en, zh };
