// The option `language` of whatever gives sentences.

import { text, wrongValue } from "./check.js";

export function languageOf(language: unknown): "en" | "zh" {
  const name = text("language", language);
  if (name !== "en" && name !== "zh") throw wrongValue("language", name, '"en" or "zh"');
  return name;
}
