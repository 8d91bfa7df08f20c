import { html, nothing, type TemplateResult } from "lit-html";
import { writeLink } from "../core/state";
import { type ClaimId, claimIds, postIds, postOf, verdicts } from "./claim";
import { isShown } from "./filters";
import { outcomes, verdictOn } from "./outcomes";
import { state } from "./state";
import { words } from "./texts";

/* The overview: a mark for each statement, with the sign of its verdict, that leads to its row. */

function mark(id: ClaimId, go: (id: ClaimId) => void): TemplateResult {
  const verdict = verdictOn(id);
  const meaning = verdict ? words.value.verdicts[verdict] : words.value.notComputed;
  // If the link names this statement already, following it changes nothing.
  const again = () => state.claim.value === id && go(id);
  return html`<li>
    <a
      class="mark"
      href=${writeLink({ claim: id })}
      data-mark=${verdict ?? nothing}
      aria-label="${id}: ${meaning}"
      title=${meaning}
      @click=${again}
      >${id}</a
    >
  </li>`;
}

const group = (shown: readonly ClaimId[], go: (id: ClaimId) => void) =>
  html`<ul class="marks">
    ${shown.map((id) => mark(id, go))}
  </ul>`;

export function overview(go: (id: ClaimId) => void): TemplateResult {
  const ids = claimIds.filter(isShown);
  return html`<nav class="overview" aria-label=${words.value.overview}>
    ${postIds.map((post) => {
      const inPost = ids.filter((id) => postOf(id) === post);
      return inPost.length > 0 ? group(inPost, go) : nothing;
    })}
  </nav>`;
}

/** Counts the statements of each verdict; its signs are the key to the marks. */
export function summary(): TemplateResult {
  const { summary, verdicts: names } = words.value;
  const found = claimIds.map(verdictOn);
  const computed = claimIds.filter((id) => outcomes[id].value).length;
  const counts = verdicts.map(
    (verdict) =>
      html` <span class="count" data-mark=${verdict}
        >${names[verdict]} <b>${found.filter((each) => each === verdict).length}</b></span
      >`,
  );
  return html`<p class="summary" role="status">
    <span class="computed">${summary(computed, claimIds.length)}</span>${counts}
  </p>`;
}
