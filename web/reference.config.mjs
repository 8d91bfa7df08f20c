// The reference: TypeDoc makes it from the published types, into a folder of the page.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JSX } from "typedoc";

const file = (path) => join(import.meta.dirname, path);

/** A link back to the page, above the contents. */
function linkToPage(app) {
  app.renderer.hooks.on("pageSidebar.begin", (context) =>
    JSX.createElement("a", { href: context.relativeURL("../index.html", false) }, "The page with the figures"),
  );
}

const FILTERS = 'document.head.appendChild(document.createElement("style"))';

/**
 * Makes the pages hold under a strict content security policy: TypeDoc's inline script, the same on each, becomes a file,
 * and the style for its filters, of which there are none, stays out of the page.
 */
function withoutInlineParts(app) {
  let inline;
  app.renderer.on("endPage", (page) => {
    const [, assets] = page.contents.match(/ src="([^"]*assets\/)main\.js"/);
    page.contents = page.contents.replace(/<script>(.*?)<\/script>/, (_, content) => {
      inline = content;
      return `<script src="${assets}theme.js"></script>`;
    });
  });
  app.renderer.on("endRender", ({ outputDirectory }) => {
    const assets = join(outputDirectory, "assets");
    const script = readFileSync(join(assets, "main.js"), "utf8");
    if (inline === undefined || !script.includes(FILTERS))
      throw new Error("TypeDoc's inline parts are not where they were");
    writeFileSync(join(assets, "theme.js"), inline);
    writeFileSync(join(assets, "main.js"), script.replace(FILTERS, 'document.createElement("style")'));
  });
}

export default {
  name: "posenc",
  entryPoints: ["index", "full", "tools", "lab", "npy", "files", "engines"].map((entry) =>
    file(`../dist/${entry}.d.ts`),
  ),
  tsconfig: file("reference.tsconfig.json"),
  out: file("../build/page/api"),
  plugin: [linkToPage, withoutInlineParts],
  favicon: file("public/favicon.svg"),
  readme: "none",
  includeHierarchySummary: false,
  disableGit: true,
  disableSources: true,
  hideGenerator: true,
  visibilityFilters: {}, // they need an inline style
  githubPages: false,
  // Every exported name is documented.
  requiredToBeDocumented: ["Module", "Function", "Interface", "TypeAlias", "Variable"],
  validation: { notDocumented: true, notExported: true, invalidLink: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};
