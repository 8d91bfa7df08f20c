import { readdirSync, readFileSync } from "node:fs";
import type { Plugin, Rollup } from "vite";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8").trim();

/** The packages whose code TypeDoc copies into api/. */
const REFERENCE = ["typedoc", "lunr"];

/** The heatmap's colours are under Apache-2.0, whose text is in TypeDoc's licence file. */
const COLOURS = `This product includes color specifications and designs developed by Cynthia Brewer (https://colorbrewer2.org).
Copyright (c) 2002 Cynthia Brewer, Mark Harrower, and The Pennsylvania State University.`;

/** Lists the packages that a bundle contains code of; Vite adds a few lines of its own. */
function packagesIn(bundle: Rollup.OutputBundle): string[] {
  const chunks = Object.values(bundle).flatMap((part) => (part.type === "chunk" ? [part] : []));
  const modules = chunks.flatMap(({ modules }) => Object.entries(modules));
  const names = modules
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .flatMap(([id]) =>
      id.startsWith("\0vite/") ? "vite" : (id.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []),
    );
  return [...new Set(names)].sort();
}

function ofPackage(name: string): string {
  const folder = `node_modules/${name}/`;
  const { version, license } = JSON.parse(read(`${folder}package.json`));
  const file = readdirSync(new URL(folder, root)).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${folder}: no licence, which the page has to show`);
  // Vite's file continues with the licences of its build dependencies, which are not in the bundle.
  const [text] = read(folder + file).split("\n# Licenses of bundled dependencies");
  return section(`${name} ${version}: ${license}`, text.trim());
}

const section = (title: string, text: string) => `${"=".repeat(40)}\n${title}\n\n${text}\n`;

/** Collects the licences of posenc and of all packages in a bundle and in api/. */
const licencesOf = (bundle: Rollup.OutputBundle): string =>
  [
    "This page consists of the programs below, each under its own licence.\n",
    section("posenc: MIT", `${read("LICENSE")}\n\n${read("bindings/package/licences.txt")}`),
    ...[...packagesIn(bundle), ...REFERENCE].map(ofPackage),
    section("ColorBrewer: Apache-2.0", `${COLOURS}\n\n${read("node_modules/typedoc/LICENSE")}`),
  ].join("\n");

/** Writes licences.txt, to which the footer leads. */
export const licences: Plugin = {
  name: "licences",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    this.emitFile({ type: "asset", fileName: "licences.txt", source: licencesOf(bundle) });
  },
};
