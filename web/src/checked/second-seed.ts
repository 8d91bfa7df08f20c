import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import type { PosencFull } from "posenc/full";
import { writeLink } from "../core/state";
import { painted } from "../core/wait";
import { claims } from "./checks";
import { type ClaimId, claimIds, verdictOf } from "./claim";
import { trainingsFor } from "./in-this-tab";
import { outcomes, run, verdictOn } from "./outcomes";
import { words } from "./texts";
import { trialOf } from "./trials";

/* Runs the checks again with another seed and counts the verdicts that stay the same. The rows keep theirs. */

const seeded = claimIds.filter((id) => claims[id].seeded);

interface Asked {
  readonly seed: number;
  readonly done: number;
  /** The statements with another verdict. */
  readonly others: readonly ClaimId[];
}
const asked = signal<Asked | undefined>(undefined);

const isUnderWay = () => asked.value !== undefined && asked.value.done < seeded.length;

/** The least seed above the last one and those of all rows. */
const nextSeed = () => 1 + Math.max(asked.value?.seed ?? 0, ...seeded.map((id) => trialOf(id, claims[id]).seed));

function staysWith(pe: PosencFull, id: ClaimId, seed: number): boolean {
  if (!outcomes[id].peek()) run(pe, id);
  const trial = { ...trialOf(id, claims[id]), seed };
  return verdictOf(claims[id].check(pe, trial, trainingsFor(id).trainings)) === verdictOn(id);
}

async function ask(pe: PosencFull, seed: number): Promise<void> {
  let others: readonly ClaimId[] = [];
  asked.value = { seed, done: 0, others };
  for (const [at, id] of seeded.entries()) {
    await painted();
    if (!staysWith(pe, id, seed)) others = [...others, id];
    asked.value = { seed, done: at + 1, others };
  }
}

function answer({ seed, done, others }: Asked) {
  const { asking, others: another, same } = words.value;
  if (done < seeded.length) return asking(done, seeded.length, seed);
  const links = others.map((id) => html` <a href=${writeLink({ claim: id })}>${id}</a>`);
  return html`${same(seeded.length - others.length, seeded.length, seed)}
  ${others.length > 0 ? html`${another}${links}` : nothing}`;
}

export const secondSeedButton = (pe: PosencFull | undefined): TemplateResult => html`<button
    type="button"
    data-second-seed
    ?disabled=${!pe || isUnderWay()}
    @click=${() => pe && ask(pe, nextSeed())}
  >
    ${words.value.secondSeed(isUnderWay() && asked.value ? asked.value.seed : nextSeed())}
  </button>`;

export const secondSeedAnswer = (): TemplateResult =>
  html`<p class="second-seed" role="status">${asked.value ? answer(asked.value) : nothing}</p>`;
