import { html, nothing, type TemplateResult } from "lit-html";
import { choices } from "../controls/choices";
import { type ClaimId, claimIds, postIds, postOf, verdicts } from "./claim";
import { verdictOn } from "./outcomes";
import { state } from "./state";
import { words } from "./texts";

/** Whether the reader has asked for this statement: by its post and its verdict, if that is known. */
export function isShown(id: ClaimId): boolean {
  const { verdictShown, postShown } = state;
  return (
    (postShown.value === "all" || postOf(id) === postShown.value) &&
    (verdictShown.value === "all" || verdictOn(id) === verdictShown.value)
  );
}

export function filters(): TemplateResult {
  const { all, filters, post, shown, verdict, verdicts: names } = words.value;
  const count = claimIds.filter(isShown).length;
  return html`<div class="filters" role="group" aria-label=${filters}>
    ${choices(state.verdictShown, verdict, [["all", all], ...verdicts.map((each) => [each, names[each]] as const)])}
    ${choices(state.postShown, post, [["all", all], ...postIds.map((id) => [id, id] as const)])}
    <p class="shown" role="status">${count < claimIds.length ? shown(count, claimIds.length) : nothing}</p>
  </div>`;
}
