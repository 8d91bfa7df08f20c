// Line coverage of src by the native core tests, as Clang counts it.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { testPreset } from "./cmake.mjs";
import { SetupFailure } from "./failure.mjs";
import { build, root } from "./paths.mjs";
import { capture } from "./processes.mjs";

const LEAST = 95; // percent of all lines of src

const folder = join(build, "coverage");
const profiles = join(folder, "profiles");

/** Lines of each file of src: [{ file, lines, covered }]. */
async function countLines() {
  const merged = join(folder, "merged.profdata");
  const raw = readdirSync(profiles).map((name) => join(profiles, name));
  await capture("llvm-profdata-19", ["merge", "-sparse", ...raw, "-o", merged], { log: "coverage-merge" });
  const tests = join(folder, "tests", "core", "core_tests");
  const args = ["export", "-summary-only", `-instr-profile=${merged}`, tests, join(root, "src")];
  const output = await capture("llvm-cov-19", args, { log: "coverage-export" });
  const [{ files }] = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)).data;
  return files.map(({ filename, summary }) => ({
    file: relative(root, filename),
    lines: summary.lines.count,
    covered: summary.lines.covered,
  }));
}

const percent = ({ lines, covered }) => (lines === 0 ? 100 : (100 * covered) / lines);

const row = (entry, width) =>
  `${entry.file.padEnd(width)}  ${percent(entry).toFixed(1).padStart(5)} %  ${entry.covered} of ${entry.lines} lines`;

/** The table that is shown: the files, the worst first, and all of them together. */
export function coverageTable(counts) {
  const total = {
    file: "src",
    lines: counts.reduce((sum, { lines }) => sum + lines, 0),
    covered: counts.reduce((sum, { covered }) => sum + covered, 0),
  };
  const rows = [...counts.toSorted((a, b) => percent(a) - percent(b) || a.file.localeCompare(b.file)), total];
  const width = Math.max(...rows.map(({ file }) => file.length));
  return { text: rows.map((entry) => row(entry, width)).join("\n"), percent: percent(total) };
}

const hasAvx2 = () => /^POSENC_HAS_AVX2:\w+=1$/m.test(readFileSync(join(folder, "CMakeCache.txt"), "utf8"));

/** Runs the tests of the coverage preset, prints the coverage of each file and fails if it is too low. */
export async function testCoverage(line) {
  rmSync(profiles, { recursive: true, force: true });
  await testPreset("coverage", line);
  const table = coverageTable(await countLines());
  console.log(`\nLine coverage of src\n\n${table.text}\n`);
  const result = `${table.percent.toFixed(1)} % of the lines of src`;
  if (table.percent < LEAST) throw new SetupFailure(`${result}, expected at least ${LEAST} %`);
  return `${result}, ${hasAvx2() ? "compiled for AVX2" : "not compiled for AVX2, which this machine does not have"}`;
}
