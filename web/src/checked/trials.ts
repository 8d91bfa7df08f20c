import { claims } from "./checks";
import { type Claim, type ClaimId, claimIds, type Trial } from "./claim";
import { state } from "./state";

/** Reads the seed and size of each check from the link, which holds them as "A3:2:256;B4:5:512". */
function read(): ReadonlyMap<string, readonly number[]> {
  const parts = state.trials.value.split(";").map((part) => part.split(":"));
  return new Map(parts.map(([id, ...numbers]) => [id, numbers.map(Number)]));
}

/** The trial in the link if it is valid for the claim, else the default. */
export function trialOf(id: ClaimId, { seeded, sizes }: Claim): Trial {
  const choices = sizes?.choices ?? [0];
  const [seed = 1, size = choices[0]] = read().get(id) ?? [];
  return {
    seed: seeded && Number.isInteger(seed) && seed > 0 && seed < 1e6 ? seed : 1,
    size: choices.includes(size) ? size : choices[0],
  };
}

export function setTrial(id: ClaimId, trial: Trial): void {
  const inLink = claimIds.filter((known) => known === id || read().has(known));
  const shown = (each: ClaimId) => (each === id ? trial : trialOf(each, claims[each])); // not what a link made up
  state.trials.value = inLink.map((each) => [each, shown(each).seed, shown(each).size].join(":")).join(";");
}
