// Formatters and linters: biome and tsc for TypeScript and JavaScript, clang-format and clang-tidy for C++, and for both
// what each floor may use and how large it may be.
import { join, relative } from "node:path";
import { configurePreset } from "./cmake.mjs";
import { explain, SetupFailure } from "./failure.mjs";
import { binaries, root } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { filesUnder } from "./stamps.mjs";

const biome = (...args) => capture(join(binaries, "biome"), [...args, "--colors=off", "."], { log: "biome" });

const clangFormat = (...options) => {
  const files = ["src", "bindings", "tests"]
    .flatMap((folder) => filesUnder(join(root, folder)))
    .filter((file) => /\.(cpp|hpp)$/.test(file))
    .map((file) => relative(root, file));
  return capture("clang-format-19", [...options, ...files], { log: "clang-format" });
};

const tsc = (project) =>
  capture(join(binaries, "tsc"), ["-p", project, "--noEmit"], { log: `tsc-${project.replace(/\W/g, "-")}` });

const MENDED = " (npm run format mends what can be mended)";
const LINTERS = {
  [`biome${MENDED}`]: () => biome("ci"),
  [`clang-format${MENDED}`]: () => clangFormat("--dry-run", "-Werror"),
  tsc: () => tsc("tsconfig.json"),
  "tsc of the page": () => tsc("web/tsconfig.json"),
  "architecture and limits": (line) => {
    const hint = (text) => /\bhint: /.test(text) && line.print(text);
    const files = ["tests/architecture.test.mjs", "tests/hygiene/limits.test.mjs"];
    return capture(process.execPath, ["--test", ...files], { log: "architecture", onLine: hint });
  },
};

/** Runs the quick linters and reports all that they find. */
export async function lint(line) {
  const failures = [];
  const look = ([name, run]) => run(line).catch((error) => failures.push(`${name}:\n${explain(error)}`));
  await Promise.all(Object.entries(LINTERS).map(look));
  if (failures.length > 0) throw new SetupFailure(failures.join("\n\n"));
}

/** Mends what biome can, and the form of C++. */
export async function format() {
  await clangFormat("-i");
  await biome("check", "--write");
}

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
  const ours = `^${root.replace(/[.+]/g, "\\$&")}/(build/native/)?(src|tests)/`;
  const args = [
    "-p=build/native",
    "-quiet",
    "-clang-tidy-binary=clang-tidy-19",
    // The table of model types is packed when it is compiled (src/CMakeLists.txt).
    "-extra-arg=-fconstexpr-steps=8000000",
    "-header-filter=.*/(src|tests)/.*",
    ours,
  ];
  await capture("run-clang-tidy-19", args, { log: "clang-tidy", onLine });
}
