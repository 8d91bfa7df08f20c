import { load } from "posenc";
import { Frames } from "../../src/core/frames";
import { mounting } from "../../src/core/host";
import { type Language, languages } from "../../src/core/i18n";
import { page } from "../../src/core/page-state";
import type { AnyPanelModule } from "../../src/core/panel";
import { linkRows, readLink } from "../../src/core/state";
import { en } from "../../src/core/text.en";
import { zh } from "../../src/core/text.zh";
import { chapters, linkedRows, type PanelId, panelIds, panels } from "../../src/panels";
import { type Drawing, drawingsIn } from "./drawing";
import { markup } from "./markup";
import "../../src/style.css";

/*
 * Draws every figure at its defaults with the code that draws it in browsers. It runs in Vite's module runner, in the
 * document of `document.ts`.
 */

/** A figure in one language: its texts as HTML, its drawing's name and caption, and its drawings at both widths. */
export interface Figure {
  readonly id: PanelId;
  readonly language: Language;
  readonly title: string;
  readonly intro: string;
  readonly outro: string;
  readonly name: string;
  readonly caption: string;
  readonly drawings: Readonly<Record<keyof typeof widths, readonly Drawing[]>>;
}

export { chapters };

/** The texts around the story. */
export const stories = languages.map((language) => {
  const { statement, more } = { en, zh }[language];
  return { language, statement, more };
});

/** Widths that figures are drawn for: those of the text column and of a phone. */
export const widths = { wide: 720, narrow: 328 } as const;

/** The state that differs from the defaults: the lab shows its answer, as nobody can guess first. */
const shown = "lg=text:-";

const modules = import.meta.glob<{ panel: AnyPanelModule }>("../../src/panels/*/index.ts");

/** Draws all figures; `rest` resolves when no timer or frame is pending. */
export async function draw(rest: () => Promise<void>): Promise<Figure[]> {
  linkRows(linkedRows);
  readLink(shown);
  // Links in the texts name the language, not the state of these drawings.
  linkRows([page.language]);
  page.theme.value = "light";
  const pe = await load();
  const figures: Figure[] = [];
  for (const id of panelIds) {
    const { panel: module } = await modules[`../../src/panels/${id}/index.ts`]();
    const body = document.createElement("div");
    document.body.append(body);
    let width: number = widths.wide;
    const frames = new Frames(
      (what) => what(),
      () => panel.update(),
    );
    frames.isSeen = true;
    const context = { frames, language: () => page.language.peek() as Language, width: () => width };
    const mount = await mounting(module, pe);
    const panel = mount(body, context);
    for (const language of languages) {
      page.language.value = language;
      panel.update();
      await rest();
      const texts = module.texts[language];
      // A figure fetches some of its parts, and its text with the last of them.
      for (let attempt = 0; attempt < 1000 && !texts.outro(); attempt++) {
        await new Promise((next) => setTimeout(next, 5));
        await rest();
      }
      const drawAt = async (size: keyof typeof widths) => {
        width = widths[size];
        panel.update();
        return drawingsIn(await panel.svg());
      };
      figures.push({
        id,
        language,
        title: panels[id].title[language],
        intro: markup(texts.intro()),
        outro: markup(texts.outro()),
        name: body.querySelector("svg[aria-label]")?.getAttribute("aria-label") ?? "",
        caption: panel.describe(),
        drawings: { narrow: await drawAt("narrow"), wide: await drawAt("wide") },
      });
    }
    panel.destroy?.();
    body.remove();
  }
  return figures;
}
