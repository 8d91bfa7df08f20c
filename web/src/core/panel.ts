import type { TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import type { PosencFull } from "posenc/full";
import type { Computation } from "./computation";
import type { Line } from "./format";
import type { Frames } from "./frames";
import type { Language } from "./i18n";
import type { Row } from "./state";

/*
 * The life of a panel:
 *
 *   known ──comes near──▶ fetched ──first frame──▶ in sight ◀──────▶ out of sight
 *                                                   │    ▲            │    ▲
 *                                          request  └────┘            └────┘  request: remembered until it is in sight
 *
 * A panel is updated when a row of the state that it uses changes, when the language, the theme or its width does, or when
 * it asks to be: once, in the next frame (see frames.ts).
 */

/** The part of a panel that is known before its code is fetched. */
export interface PanelEntry {
  readonly title: Readonly<Record<Language, string>>;
  /** The rows that it owns: links hold them whether or not it is fetched. */
  readonly state: Readonly<Record<string, Row>>;
}

/** The arguments of a panel's `mount`. */
export interface Context<Library = Posenc> {
  readonly pe: Library;
  readonly frames: Frames;
  /** The language of this update. */
  language(): Language;
  /** Width in CSS pixels at the last layout: asking the element itself would force a new one. */
  width(): number;
}

/** The code of a figure. */
export interface PanelCode<Given extends unknown[] = []> {
  /** The figure's computation at its settings; undefined if there is none. */
  computation(...given: Given): Computation | undefined;
  /** Fetches the module that draws it as code. */
  fetch(): Promise<{
    codeOf(id: string, figure: string, computation: Computation | undefined, redraw: () => void): TemplateResult;
  }>;
}

/** A mounted panel. All of its methods depend on the state alone, never on what was drawn before. */
export interface Panel {
  /** Draws the state. */
  update(): void;
  /** The numbers shown, line by line; the first line names the columns. Lines may be made as they are asked for. */
  rows(): Iterable<Line>;
  /** The selector of its drawings, which a file has side by side. */
  readonly drawing: string;
  /** The caption: what the figure shows, in a sentence or two in the reader's language. */
  describe(): string;
  /** A figure without this has no code. */
  readonly code?: PanelCode;
}

/** A question with one right answer. */
export interface Question {
  readonly prompt: string;
  readonly answers: readonly (readonly [answer: string, label: string])[];
  readonly right: string;
  /** The sentence that explains the answer by the library's numbers. */
  readonly why: string;
}

/** The words around a panel. */
export interface PanelText {
  readonly intro: () => TemplateResult;
  readonly outro: () => TemplateResult;
}

export interface Module<Library, Words extends PanelText = PanelText> {
  /** The rows that it draws, and that its reset button resets. */
  readonly uses: readonly Row[];
  readonly texts: Readonly<Record<Language, Words>>;
  /** Its question at its settings, if it has one and there is something to ask. */
  readonly asks?: (pe: Library, language: Language) => Question | undefined | Promise<Question | undefined>;
  /** Fetches programs beside its own before it is mounted: what came after the first frame would move what is below. */
  readonly parts?: () => Promise<void>;
  mount(element: HTMLElement, context: Context<Library>): Panel;
}

/** A panel for which the small entry of the library is enough. */
export interface PanelModule extends Module<Posenc> {
  readonly library?: undefined;
}

/** A panel that needs `posenc/full`, which is fetched before it is mounted. */
export interface FullPanelModule extends Module<PosencFull> {
  readonly library: "full";
}

export type AnyPanelModule = PanelModule | FullPanelModule;

let full: Promise<PosencFull> | undefined;

/** The library with every encoding; fetched when first needed, and again if that failed. */
export function fullLibrary(): Promise<PosencFull> {
  full ??= import("posenc/full").then(
    ({ load }) => load(),
    (error) => {
      full = undefined;
      throw error;
    },
  );
  return full;
}
