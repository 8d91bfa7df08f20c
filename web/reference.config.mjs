// The reference: TypeDoc makes it from the published types and the guide, into a folder of the page.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JSX, ReflectionKind } from "typedoc";

const file = (path) => join(import.meta.dirname, path);

/** A link back to the page, above the contents. */
function linkToPage(app) {
  app.renderer.hooks.on("pageSidebar.begin", (context) =>
    JSX.createElement("a", { href: context.relativeURL("../index.html", false) }, "The page with the figures"),
  );
}

/** Calls each page of the guide by its heading; addresses keep the files' names. */
function titlesOfGuide(app) {
  const titles = new Map();
  app.converter.on("createDocument", (_context, document) => {
    document.name = document.name.split("/").at(-1);
    const [first] = document.content;
    titles.set(document, /^# (.*)$/m.exec(first.text)[1]);
  });
  app.renderer.on("beginRender", () => {
    for (const [document, title] of titles) document.name = title;
  });
}

/** The functions by task, as README.md lists them: names that the reference has become links. */
function introduction(app) {
  const readme = readFileSync(file("../README.md"), "utf8");
  const [, tasks] = /^## What is there, by task$(.*?)^Without SIMD/ms.exec(readme);
  const guide = file("../bindings/guide");
  const pages = readdirSync(guide).map((name) => {
    const [, heading] = /^# (.*)$/m.exec(readFileSync(join(guide, name), "utf8"));
    return `- [${heading}](documents/${name.replace(/md$/, "html")})`;
  });
  const text = `posenc computes positional encodings for transformers. \`await load()\` gives an object with its functions:
{@link Posenc} of \`posenc\`, {@link PosencFull} of \`posenc/full\`, {@link PosencTools} of \`posenc/tools\`. Each says its shapes,
defaults and errors, and shows an example; its options are a link away. Wrong arguments throw a TypeError or RangeError that
names them.

## Functions by task
${tasks.replaceAll("](bindings/guide/conventions.md)", "](documents/conventions.html)")}
## The guide

${pages.join("\n")}
`;
  app.converter.on("resolveBegin", ({ project }) => {
    const all = project.getReflectionsByKind(
      ReflectionKind.Method | ReflectionKind.Function | ReflectionKind.Interface,
    );
    const entries = ["Posenc", "PosencFull", "PosencTools"];
    const found = (name) => {
      const named = all.filter((one) => one.name === name);
      const ofEntries = entries.map((entry) => named.find(({ parent }) => parent?.name === entry));
      return ofEntries.find(Boolean) ?? named.find(({ kind }) => kind !== ReflectionKind.Interface) ?? named[0];
    };
    project.readme = text.split(/(`\w+`|\{@link \w+\})/).map((part) => {
      const [, quoted, linked] = /^`(\w+)`$|^\{@link (\w+)\}$/.exec(part) ?? [];
      const target = found(quoted ?? linked);
      const link = { kind: "inline-tag", tag: "@link", text: quoted ?? linked, target, tsLinkText: "" };
      return target ? link : { kind: "text", text: part };
    });
  });
}

/** Writes the page of model types: the rows of the core's table as they are. */
function modelTypes() {
  const code = readFileSync(file("../src/posenc/hub/model_types.cpp"), "utf8");
  const [rows] = /^\/\/\/ A learned table with attention to both sides\.$.*^constexpr ModelType rows.*?^\};$/ms.exec(
    code,
  );
  const page = file("../build/model-types.md");
  const text = `# Model types

What the code of each type of model does, and what counts where its config says nothing. Members that are not named are as in
Llama; in place of \`by_reading\` a type was compared with numbers that its own code computed.

\`\`\`cpp
${rows}
\`\`\`
`;
  mkdirSync(file("../build"), { recursive: true });
  writeFileSync(page, text);
  return page;
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
  entryPoints: ["index", "full", "tools", "lab", "npy", "wgsl", "files", "engines"].map((entry) =>
    file(`../dist/${entry}.d.ts`),
  ),
  tsconfig: file("reference.tsconfig.json"),
  out: file("../build/reference"),
  plugin: [linkToPage, titlesOfGuide, introduction, withoutInlineParts],
  searchInDocuments: true,
  // Whoever types a word looks for the function of that name before its types.
  searchGroupBoosts: { Methods: 4, Functions: 4 },
  projectDocuments: [file("../bindings/guide/*.md"), modelTypes()],
  highlightLanguages: ["cmake", "cpp", "javascript", "json", "python", "sh", "typescript"],
  favicon: file("public/favicon.svg"),
  customCss: file("reference.css"),
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
