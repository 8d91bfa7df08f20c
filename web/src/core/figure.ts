import { computed, type ReadonlySignal } from "@preact/signals-core";
import { render, type TemplateResult } from "lit-html";
import type { Posenc } from "posenc";
import type { PosencFull } from "posenc/full";
import type { Line } from "./format";
import type { Frames } from "./frames";
import type { FullPanelModule, Module, PanelCode, PanelModule, PanelText, Question } from "./panel";

/** What a figure is drawn with: the library, its width in CSS pixels, and a way to ask for an update. */
export interface Drawn<Library> {
  readonly pe: Library;
  readonly frames: Frames;
  readonly width: number;
}

/** A panel of which all follows from its model. */
interface Figure<Library, Model, Words extends PanelText>
  extends Pick<Module<Library, Words>, "uses" | "texts" | "parts"> {
  /** What it shows, computed from the state. */
  model(pe: Library, frames: Frames): Model;
  draw(words: Words, shown: Model, drawn: Drawn<Library>): TemplateResult;
  rows(shown: Model, pe: Library): Iterable<Line>;
  /** The selector of its drawings. */
  readonly drawing: string;
  readonly code?: PanelCode<[shown: Model, pe: Library]>;
  asks?(words: Words, pe: Library): Question | undefined;
  describe(words: Words, shown: Model): string;
}

function made<Library, Model, Words extends PanelText>(own: Figure<Library, Model, Words>): Module<Library> {
  const { uses, texts, parts = async () => {}, drawing, code } = own;
  return {
    uses,
    texts,
    parts,
    asks: (pe, language) => own.asks?.(texts[language], pe),
    mount(element, { pe, frames, language, width }) {
      const model = () => own.model(pe, frames);
      return {
        update() {
          render(own.draw(texts[language()], model(), { pe, frames, width: width() }), element);
        },
        rows: () => own.rows(model(), pe),
        drawing,
        describe: () => own.describe(texts[language()], model()),
        ...(code && { code: { fetch: code.fetch, computation: () => code.computation(model(), pe) } }),
      };
    },
  };
}

/** A figure for which the small entry of the library is enough. */
export const figure = <Model, Words extends PanelText>(own: Figure<Posenc, Model, Words>): PanelModule => made(own);

/** A figure that needs `posenc/full`. */
export const fullFigure = <Model, Words extends PanelText>(own: Figure<PosencFull, Model, Words>): FullPanelModule => ({
  ...made(own),
  library: "full",
});

/** A model that takes time: it is computed again only when something of the state that it reads has changed. */
export function kept<Library, Model>(model: (pe: Library) => Model): (pe: Library) => Model {
  let last: ReadonlySignal<Model> | undefined;
  return (pe) => {
    last ??= computed(() => model(pe));
    return last.value;
  };
}
