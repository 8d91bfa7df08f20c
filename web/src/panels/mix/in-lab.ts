import { untracked } from "@preact/signals-core";
import { html } from "lit-html";
import { writeLink } from "../../core/state";

/** Leads to the lab, where adding and concatenating are chosen. */
export const inLab = (words: string) =>
  html`<a href=${untracked(() => writeLink({ at: "lab", labTask: "text", labShown: "sinusoid.concatenated" }))}>${words}</a>`;
