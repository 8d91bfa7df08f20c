// Formatters and linters: biome and tsc for TypeScript and JavaScript, clang-format and clang-tidy for C++.
import { join, relative } from "node:path";
import { explain, SetupFailure } from "./failure.mjs";
import { binaries, root } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { filesUnder } from "./stamps.mjs";
import { clangTidy } from "./tidy.mjs";

export const LINT_PACKAGES = ["g++", "clang-format-19", "clang-tidy-19"];

const cppFiles = ["src", "bindings", "tests"]
  .flatMap((folder) => filesUnder(join(root, folder)))
  .map((file) => relative(root, file))
  .filter((file) => /\.(cpp|hpp)$/.test(file));

const biome = () => capture(join(binaries, "biome"), ["ci", "."], { log: "biome" });

async function tsc() {
  for (const project of ["tsconfig.json", "web/tsconfig.json"]) {
    await capture(join(binaries, "tsc"), ["-p", project, "--noEmit"], { log: `tsc-${project.replace(/\W/g, "-")}` });
  }
}

const clangFormat = async () =>
  cppFiles.length > 0 && capture("clang-format-19", ["--dry-run", "-Werror", ...cppFiles], { log: "clang-format" });

const LINTERS = { biome, tsc, "clang-format": clangFormat };

/** Runs the quick linters and reports all that they find. */
export async function lint(line) {
  line.progress(Object.keys(LINTERS).join(", "));
  const failures = [];
  const look = ([name, run]) => run().catch((error) => failures.push(`${name}:\n${explain(error)}`));
  await Promise.all(Object.entries(LINTERS).map(look));
  if (failures.length > 0) throw new SetupFailure(failures.join("\n\n"));
  return Object.keys(LINTERS).join(", ");
}

/** Runs clang-tidy over what changed. */
export const tidy = (line) => clangTidy(cppFiles, line);
