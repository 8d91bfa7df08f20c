import { untracked } from "@preact/signals-core";
import { html } from "lit-html";
import { writeLink } from "../../core/state";
import { storedMean, tasks } from "../../training/results";

/** What adding and concatenating gave in the lab, on its text. */

export const trained = (name: "sinusoid" | "concatenated", stretch: number) => storedMean("text", name, stretch);

/** The dimensions of these models. */
export const { width } = tasks.text.options.model as { width: number };

/** Leads to the lab with both of them chosen. */
export const inLab = (words: string) =>
  html`<a href=${untracked(() => writeLink({ at: "lab", labTask: "text", labShown: "sinusoid.concatenated" }))}>${words}</a>`;
