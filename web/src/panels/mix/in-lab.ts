import { batch, untracked } from "@preact/signals-core";
import { html } from "lit-html";
import { writeLink } from "../../core/state";
import { state as lab } from "../lab/state";

const both = { labTask: "text", labShown: "sinusoid.concatenated" } as const;

/** Links within the page lead to a place and leave the state as it is. */
const choose = () =>
  batch(() => {
    lab.labTask.value = both.labTask;
    lab.labShown.value = both.labShown;
  });

/** Leads to the lab, where adding and concatenating are chosen. */
export const inLab = (words: string) =>
  html`<a class="to-figure" href=${untracked(() => writeLink({ at: "lab", ...both }))} @click=${choose}>${words}</a>`;
