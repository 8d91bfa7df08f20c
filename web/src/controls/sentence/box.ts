import type { TemplateResult } from "lit-html";
import { reader } from "../../core/page-state";
import { mostWords, readerWords } from "../../core/words";
import { textBox } from "../text-box";
import { boxText } from "./text";

/** The reader's sentence in a text box; below it, how many of its words are drawn, if not all are. */
export function sentenceBox(id: string, label: string): TemplateResult {
  const all = readerWords.value.length;
  return textBox(reader.sentence, label, { id, note: all > mostWords ? boxText().shown(mostWords, all) : undefined });
}
