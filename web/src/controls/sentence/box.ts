import type { TemplateResult } from "lit-html";
import { reader } from "../../core/page-state";
import { mostWords, readerWords } from "../../core/words";
import { textBox } from "../text-box";
import { boxText } from "./text";

/** How many of the words are drawn, if not all are. */
function wordsLeftOut(shown: number, all: number): string | undefined {
  return all > shown ? boxText().shown(shown, all) : undefined;
}

/** The reader's sentence in a text box; below it, how many of its words a figure draws that draws at most `most`. */
export function sentenceBox(id: string, label: string, most = mostWords): TemplateResult {
  return textBox(reader.sentence, label, { id, note: wordsLeftOut(most, readerWords.value.length) });
}
