// Line coverage of src by the native core tests, as Clang counts it.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildPreset, testPreset } from "../../bindings/setup/cmake.mjs";
import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { build, root } from "../../bindings/setup/paths.mjs";
import { capture } from "../../bindings/setup/processes.mjs";

const LEAST = 95; // percent of all lines of src

const folder = join(build, "clang");
const profiles = join(folder, "profiles");

/** The table of src's files by lines covered, and the percentage of all. */
async function countLines() {
  const merged = join(folder, "merged.profdata");
  const raw = readdirSync(profiles).map((name) => join(profiles, name));
  await capture("llvm-profdata-19", ["merge", "-sparse", ...raw, "-o", merged], { log: "coverage-merge" });
  const tests = join(folder, "tests", "core", "core_tests");
  const parts = ["-show-region-summary=false", "-show-branch-summary=false", "-show-functions=false"];
  const args = ["report", ...parts, `-instr-profile=${merged}`, tests, join(root, "src")];
  const text = await capture("llvm-cov-19", args, { log: "coverage-report" });
  return { text, percent: Number(/^TOTAL.*?([\d.]+)%\s*$/m.exec(text)?.[1]) };
}

/** Builds the preset "clang" and runs its core tests, prints the coverage of each file and fails if it is too low. */
export async function testCoverage(line) {
  await buildPreset("clang", [], line);
  rmSync(profiles, { recursive: true, force: true });
  await testPreset("clang", ["--label-exclude", "fuzz"], line);
  const { text, percent } = await countLines();
  line.print(`line coverage of src\n\n${text}`);
  const result = `${percent} % of the lines of src`;
  if (!(percent >= LEAST)) throw new SetupFailure(`${result}, expected at least ${LEAST} %`);
  const hasAvx2 = /^POSENC_HAS_AVX2:\w+=1$/m.test(readFileSync(join(folder, "CMakeCache.txt"), "utf8"));
  return `${result}, ${hasAvx2 ? "compiled for AVX2" : "not compiled for AVX2, which this machine does not have"}`;
}
