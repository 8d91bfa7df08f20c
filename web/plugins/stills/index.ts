import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { flow } from "./drawing";
import { drawnFigures } from "./figures";
import { type Shown, sharePage, storyPage } from "./pages";
import { checkFonts, sharePicture } from "./share";

const own = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/**
 * Writes the pages without scripts and the previews of shared links: every figure as a picture, the story with these
 * pictures, and a page to share for each figure, in every language.
 */
export const stills: Plugin = {
  name: "stills",
  apply: "build",
  enforce: "post",
  async generateBundle(_, bundle) {
    const page = bundle["index.html"];
    if (page?.type !== "asset") throw new Error("no page whose style these take");
    const styles = [...String(page.source).matchAll(/<link rel="stylesheet"[^>]* href="\.\/(.*?)"/g)].map(
      ([, path]) => path,
    );
    const emit = (fileName: string, source: string | Uint8Array) => this.emitFile({ type: "asset", fileName, source });
    emit("figures/pages.css", own("pages.css"));
    emit("figures/forward.js", own("forward.js"));
    await checkFonts();
    const { figures, chapters, stories, widths } = await drawnFigures(async (source) => {
      // `npm start` builds its first page before the package, so the library is the one that the page imports.
      const found = await this.resolve(source);
      if (!found) throw new Error(`${source}: not found by this build`);
      return found.id;
    });
    const sheets = [...styles, "figures/pages.css"];
    for (const { language, ...texts } of stories) {
      const shown = new Map<Shown["id"], Shown>();
      const pictures = figures
        .filter((figure) => figure.language === language)
        .map(async (figure) => {
          const { id, drawings } = figure;
          const wide = flow(drawings.wide, widths.wide);
          const narrow = flow(drawings.narrow, widths.narrow);
          shown.set(id, { ...figure, wide, narrow });
          const path = `pictures/${id}.${language}`;
          emit(`${path}.svg`, wide.svg);
          emit(`${path}.narrow.svg`, narrow.svg);
          emit(`figures/${id}.${language}.html`, sharePage(language, sheets, { ...figure, wide, narrow }));
          emit(`${path}.png`, await sharePicture(figure.title, Object.values(drawings)));
          if (id === "heatmap") emit(`share.${language}.png`, await sharePicture(texts.statement, [drawings.wide]));
        });
      await Promise.all(pictures);
      emit(`story.${language}.html`, storyPage(language, sheets, texts, chapters, shown));
    }
  },
};
