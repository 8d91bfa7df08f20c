// The sentences of diagnose, by language.

import { en } from "./sentences.en.js";
import { zh } from "./sentences.zh.js";

export const sentences = { en, zh };
