// The reference: TypeDoc makes it from the published types, into a folder of the page.

import { join } from "node:path";
import { JSX } from "typedoc";

const file = (path) => join(import.meta.dirname, path);

/** A link back to the page, above the contents. */
function linkToPage(app) {
  app.renderer.hooks.on("pageSidebar.begin", (context) =>
    JSX.createElement("a", { href: context.relativeURL("../index.html", false) }, "The page with the figures"),
  );
}

export default {
  name: "posenc",
  entryPoints: ["index", "full", "npy"].map((entry) => file(`../dist/${entry}.d.ts`)),
  tsconfig: file("reference.tsconfig.json"),
  out: file("../build/page/api"),
  plugin: [linkToPage],
  favicon: file("public/favicon.svg"),
  readme: "none",
  includeHierarchySummary: false,
  disableGit: true,
  disableSources: true,
  hideGenerator: true,
  githubPages: false,
  // Every exported name is documented.
  requiredToBeDocumented: ["Module", "Function", "Interface", "TypeAlias", "Variable"],
  validation: { notDocumented: true, notExported: true, invalidLink: true },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
};
