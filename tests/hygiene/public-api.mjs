// node tests/hygiene/public-api.mjs: stores the package's types, a line a name, in public-api.txt, so that a
// change in the API is seen as one.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { root } from "../../bindings/setup/paths.mjs";

export const stored = fileURLToPath(new URL("public-api.txt", import.meta.url));

const ENTRIES = {
  posenc: "index",
  "posenc/full": "full",
  "posenc/tools": "tools",
  "posenc/lab": "lab",
  "posenc/lab-worker": "lab-worker",
  "posenc/npy": "npy",
  "posenc/wgsl": "wgsl",
  "posenc/files": "files",
  "posenc/engines": "engines",
  "posenc/posenc.wasm": "wasm",
};

const OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  types: [],
};

/** A program of these files. */
export const programOf = (files, options = {}) => ts.createProgram(files, { ...OPTIONS, ...options });

const printer = ts.createPrinter({ removeComments: true });

/** A declaration in one line, without comments. */
function line(declaration) {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replace(/\s+/g, " ");
}

/** The declarations of what a module exports. */
function exportsOf(checker, source) {
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
  const own = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  return symbols.flatMap((symbol) => own(symbol).declarations.map(line));
}

const saysNothing = (node) => ts.getJSDocCommentsAndTags(node).length === 0;

/** Members that identify themselves: `type: "linear"`, or the brand of an array of 16-bit values. */
const isPlain = ({ kind, type }) =>
  kind === ts.SyntaxKind.IndexSignature || (type !== undefined && ts.isLiteralTypeNode(type));

/** The interfaces and types without a comment of their own, and interfaces' members without one. */
function undocumented(types) {
  const nameOf = ({ name }) => name.getText();
  const members = types
    .filter(ts.isInterfaceDeclaration)
    .flatMap((type) => type.members.filter((each) => !isPlain(each)).map((each) => [`${nameOf(type)}.`, each]));
  return [...types.map((type) => ["", type]), ...members]
    .filter(([, node]) => saysNothing(node))
    .map(([of, node]) => of + nameOf(node));
}

/** Reads the types in `dist`: each entry's names, and names without a comment. */
export function publicApi(dist = join(root, "dist")) {
  const fileOf = (entry) => join(dist, `${ENTRIES[entry]}.d.ts`);
  if (!existsSync(dist)) throw new Error(`${dist} is not there: npm test -- --only hygiene`);
  const program = programOf(Object.keys(ENTRIES).map(fileOf));
  const checker = program.getTypeChecker();
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(dist));
  const exported = Object.keys(ENTRIES).map((entry) => [
    entry,
    exportsOf(checker, program.getSourceFile(fileOf(entry))),
  ]);
  const isType = (one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one);
  const types = own.flatMap(({ statements }) => statements.filter(isType));
  return {
    undocumented: undocumented(types),
    sections: Object.fromEntries([...exported, ["not exported", types.map(line)]]),
  };
}

/** A section's names in order; what several have comes once, in the first. */
export function listing({ sections }) {
  const seen = new Set();
  const section = ([name, lines]) => {
    const fresh = lines.filter((text) => !seen.has(text));
    for (const text of fresh) seen.add(text);
    return [`# ${name}`, ...fresh.sort((one, other) => (one < other ? -1 : 1)), ""];
  };
  return Object.entries(sections).flatMap(section).join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(stored, listing(publicApi()));
