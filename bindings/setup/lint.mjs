// Formatters and linters: biome and tsc for TypeScript and JavaScript, clang-format and clang-tidy for C++.
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { alone } from "./build-steps.mjs";
import { configurePreset } from "./cmake.mjs";
import { explain, SetupFailure } from "./failure.mjs";
import { binaries, root } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { filesUnder, fingerprint, unlessStamped } from "./stamps.mjs";

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

/** The project's files that the native build compiles: only for these is it known how they are compiled. */
function compiledFiles() {
  const commands = join(root, "build", "native", "compile_commands.json");
  if (!existsSync(commands)) return [];
  const files = new Set(JSON.parse(readFileSync(commands, "utf8")).map(({ file }) => relative(root, file)));
  return cppFiles.filter((file) => files.has(file));
}

const TIDY = ["-p", "build/native", "--quiet", "--warnings-as-errors=*", "--header-filter=.*/(src|tests)/.*"];

/** Checks one file, unless it and all headers are as when it last passed. */
function tidyOne(file, headers) {
  const name = `clang-tidy-${file.replace(/\W/g, "-")}`;
  const value = fingerprint([file, ".clang-tidy"], { headers, TIDY });
  return unlessStamped(name, value, [], () => capture("clang-tidy-19", [...TIDY, file], { log: name }));
}

async function clangTidy(line) {
  await alone(() => configurePreset("native", line))(line); // the rest only reads: it may take a while, others go on
  const headers = fingerprint(
    cppFiles.filter((file) => file.endsWith(".hpp")).concat("build/native/compile_commands.json"),
  );
  const files = compiledFiles();
  const queue = [...files];
  const failures = [];
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      line.progress(`clang-tidy ${files.length - queue.length}/${files.length}`);
      await tidyOne(file, headers).catch((error) => failures.push(explain(error)));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  if (failures.length > 0) throw new SetupFailure(failures.join("\n\n"));
}

const LINTERS = { biome, tsc, "clang-format": clangFormat, "clang-tidy": clangTidy };

/** Runs every linter and reports all that they find. */
export async function lint(line) {
  const failures = [];
  for (const [name, run] of Object.entries(LINTERS)) {
    line.progress(name);
    await run(line).catch((error) => failures.push(`${name}:\n${explain(error)}`));
  }
  if (failures.length > 0) throw new SetupFailure(failures.join("\n\n"));
  return Object.keys(LINTERS).join(", ");
}
