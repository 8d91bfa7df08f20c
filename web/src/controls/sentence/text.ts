import { language } from "../../core/i18n";
import { en } from "./text.en";
import { zh } from "./text.zh";

const texts = { en, zh };

/** The words of boxes and of the bar, in the reader's language. */
export const boxText = () => texts[language.value];
