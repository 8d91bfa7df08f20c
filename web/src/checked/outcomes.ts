import { signal } from "@preact/signals-core";
import type { PosencFull } from "posenc/full";
import { painted } from "../core/wait";
import { claims } from "./checks";
import { type ClaimId, claimIds, type Finding, type Verdict, verdictOf } from "./claim";
import { stored } from "./trained";
import { trialOf } from "./trials";

/** The result of a check's last run. */
export type Outcome = { readonly finding: Finding } | { readonly problem: unknown };

/** Undefined until its row is seen, or all are asked for. */
export const outcomes = Object.fromEntries(
  claimIds.map((id) => [id, signal<Outcome | undefined>(undefined)]),
) as Readonly<Record<ClaimId, ReturnType<typeof signal<Outcome | undefined>>>>;

export function run(pe: PosencFull, id: ClaimId): void {
  try {
    outcomes[id].value = { finding: claims[id].check(pe, trialOf(id, claims[id]), stored) };
  } catch (error) {
    outcomes[id].value = { problem: error };
  }
}

/** The verdict on a statement; undefined if it has not been computed, or could not be. */
export function verdictOn(id: ClaimId): Verdict | undefined {
  const outcome = outcomes[id].value;
  return outcome && "finding" in outcome ? verdictOf(outcome.finding) : undefined;
}

/** Runs the checks that have not been run, one a frame. */
export async function runAll(pe: PosencFull): Promise<void> {
  for (const id of claimIds) {
    if (outcomes[id].peek()) continue;
    run(pe, id);
    await painted();
  }
}
