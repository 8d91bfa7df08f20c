import { html, nothing, type TemplateResult } from "lit-html";
import { choices } from "../controls/choices";
import { type ClaimId, claimIds, documentOf, documents, verdicts } from "./claim";
import { verdictOn } from "./outcomes";
import { state } from "./state";
import { words } from "./texts";

/** Whether the reader has asked for this statement: by its document and its verdict, if that is known. */
export function isShown(id: ClaimId): boolean {
  const { verdictShown, documentShown } = state;
  return (
    (documentShown.value === "all" || documentOf(id) === documentShown.value) &&
    (verdictShown.value === "all" || verdictOn(id) === verdictShown.value)
  );
}

export function filters(): TemplateResult {
  const { all, documents: document, filters, shown, verdict, verdicts: names } = words.value;
  const count = claimIds.filter(isShown).length;
  return html`<div class="filters" role="group" aria-label=${filters}>
    ${choices(state.verdictShown, verdict, [["all", all], ...verdicts.map((each) => [each, names[each]] as const)])}
    ${choices(state.documentShown, document, [
      ["all", all],
      ...Object.values(documents).map((id) => [id, id] as const),
    ])}
    <p class="shown" role="status">${count < claimIds.length ? shown(count, claimIds.length) : nothing}</p>
  </div>`;
}
