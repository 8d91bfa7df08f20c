// Formatters and linters: biome and tsc for TypeScript and JavaScript, clang-format and clang-tidy for C++, and the rules
// of the architecture for both.
import { join, relative } from "node:path";
import { configurePreset } from "./cmake.mjs";
import { explain, SetupFailure } from "./failure.mjs";
import { binaries, root } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { filesUnder } from "./stamps.mjs";

const cppFiles = () =>
  ["src", "bindings", "tests"]
    .flatMap((folder) => filesUnder(join(root, folder)))
    .map((file) => relative(root, file))
    .filter((file) => /\.(cpp|hpp)$/.test(file));

const tsc = (project) =>
  capture(join(binaries, "tsc"), ["-p", project, "--noEmit"], { log: `tsc-${project.replace(/\W/g, "-")}` });

const LINTERS = {
  biome: () => capture(join(binaries, "biome"), ["ci", "--colors=off", "."], { log: "biome" }),
  tsc: () => tsc("tsconfig.json"),
  "tsc of the page": () => tsc("web/tsconfig.json"),
  "clang-format": () => capture("clang-format-19", ["--dry-run", "-Werror", ...cppFiles()], { log: "clang-format" }),
  architecture: () => capture(process.execPath, ["--test", "tests/architecture.test.mjs"], { log: "architecture" }),
};

/** Runs the quick linters and reports all that they find. */
export async function lint(line) {
  line.progress(Object.keys(LINTERS).join(", "));
  const failures = [];
  const look = ([name, run]) => run().catch((error) => failures.push(`${name}:\n${explain(error)}`));
  await Promise.all(Object.entries(LINTERS).map(look));
  if (failures.length > 0) throw new SetupFailure(failures.join("\n\n"));
}

// In a file that includes others none of these is the main one: the analyzer is told to look beyond that, and there it
// gives up on a function sooner, since most of its time goes into the few functions with many paths. Shadowed names are
// left to the build.
const BATCHED = [
  "-Xclang",
  "-analyzer-opt-analyze-headers",
  "-Xclang",
  "-analyzer-config",
  "-Xclang",
  "max-nodes=30000",
]
  .concat("-Wno-shadow")
  .map((option) => `-extra-arg=${option}`);

/**
 * Runs clang-tidy over what the native build compiles, the sources of a module together as there: nine tenths of its time
 * for one file go into the standard library's headers.
 */
export async function tidy(line) {
  await configurePreset("native", line);
  let count = 0;
  const onLine = (text) => {
    count += /\bclang-tidy-19 /.test(text);
    line.progress(`${count} groups of files`);
  };
  const filter = ["-header-filter=.*/(src|tests)/.*", "-warnings-as-errors=*"];
  const ours = `^${root.replace(/[.+]/g, "\\$&")}/(build/native/)?(src|tests)/`;
  const args = ["-p", "build/native", "-quiet", "-clang-tidy-binary", "clang-tidy-19", ...filter, ...BATCHED, ours];
  await capture("run-clang-tidy-19", args, { log: "clang-tidy", onLine });
}
