import type { PanelEntry } from "../panel";

/** A part of the page, with the ids and titles of its figures. */
export interface Part {
  readonly title: PanelEntry["title"];
  readonly figures: readonly (readonly [id: string, title: PanelEntry["title"]])[];
}
