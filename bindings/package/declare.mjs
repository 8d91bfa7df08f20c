// The types that the package publishes: from its TypeScript, and those of the files that are none.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/paths.mjs";

const project = join(root, "bindings", "package", "tsconfig.json");

/** Declares the global of a classic script, whose `load` is of this type. */
const globalOf = (file, type) => `import type { ${type} } from "./types/index.js";

declare global {
  /** The global of the classic script: \`<script src="${file}"></script>\`. */
  var posenc: { readonly load: ${type} };
}
`;

const WASM = `import type { WasmModule } from "./types/index.js";

/** A .wasm of the library, as platforms give it that compile what is imported: for \`load({ wasm })\`. */
declare const wasm: WasmModule;
export default wasm;
`;

/** The ranges and defaults that the core has, by interface and option. */
function rangesOf(compiled) {
  const ranges = readFileSync(join(compiled, "ranges.json"), "utf8").trim().split("\n");
  return new Map(ranges.map(JSON.parse).map((range) => [`${range.interface}.${range.option}`, range]));
}

/** Adds to the comments of declared options what the core says of them: which numbers they may be, and the default. */
function withRanges(text, ranges, interfaces) {
  let name = "";
  return text.replaceAll(
    /^export interface (\w+)|( *)\/\*\* ?((?:(?!\*\/)[\s\S])*?)\s*\*\/\n *(\w+)(\??): /gm,
    (whole, opened, indent, comment, option, optional) => {
      if (opened) {
        name = opened;
        interfaces.add(name);
      }
      const range = option && ranges.get(`${name}.${option}`);
      if (!range) return whole;
      const lines = comment
        .replaceAll(/^ *\* ?/gm, "")
        .trim()
        .split("\n");
      lines.push(`${range.sentence[0].toUpperCase()}${range.sentence.slice(1)}.`);
      if (optional && range.default !== null) lines.push("", `@default ${range.default}`);
      const stars = lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n");
      return `${indent}/**\n${stars}\n${indent} */\n${whole.slice(whole.lastIndexOf("*/") + 3)}`;
    },
  );
}

/**
 * Puts the comment of a member in the place of `{@inheritDoc Interface.member}`, of its first declaration: editors show
 * what is there, and follow no reference.
 */
function withInherited(text, texts) {
  return text.replaceAll(/\{@inheritDoc (\w+)\.(\w+)\}/g, (_, name, member) => {
    const whole = texts.find((each) => each.includes(`export interface ${name} `)) ?? "";
    const [, body = ""] = whole.split(new RegExp(`^export interface ${name} `, "m"));
    const [, comment] = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n *${member}[<(]`).exec(body) ?? [];
    if (comment === undefined) throw new Error(`{@inheritDoc ${name}.${member}}: there is no such comment`);
    return comment.trim().replace(/^\* ?/, "");
  });
}

/** Has the compiler at `tsc` write into `folder` what a user can name: the entries, and the types of the API. */
export function declare(tsc, folder, compiled) {
  const whole = join(folder, "declarations");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", whole], { stdio: "inherit" });
  renameSync(join(whole, "js", "types"), join(folder, "types"));
  const ranges = rangesOf(compiled);
  const interfaces = new Set();
  const paths = readdirSync(join(folder, "types")).map((file) => join(folder, "types", file));
  const texts = paths.map((path) => readFileSync(path, "utf8"));
  for (const [i, path] of paths.entries())
    writeFileSync(path, withRanges(withInherited(texts[i], texts), ranges, interfaces));
  // An option that an interface inherits is described where it is declared.
  for (const { interface: name } of ranges.values())
    if (!interfaces.has(name)) throw new Error(`embind/ranges.cpp names ${name}, which js/types does not declare`);
  for (const entry of ["npy.d.ts", "files.d.ts", "wgsl.d.ts", "engines.d.ts", "lab-worker.d.ts"])
    renameSync(join(whole, "js", entry), join(folder, entry));
  for (const entry of ["index.d.ts", "full.d.ts", "tools.d.ts", "lab.d.ts"]) {
    const declared = readFileSync(join(whole, "package", "entries", entry), "utf8");
    writeFileSync(join(folder, entry), declared.replaceAll("../../js/", "./"));
  }
  rmSync(whole, { recursive: true });
  writeFileSync(join(folder, "posenc.global.d.ts"), globalOf("posenc.global.js", "Load"));
  writeFileSync(join(folder, "posenc-full.global.d.ts"), globalOf("posenc-full.global.js", "LoadFull"));
  writeFileSync(join(folder, "wasm.d.ts"), WASM);
}
