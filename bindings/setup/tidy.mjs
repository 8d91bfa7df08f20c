// clang-tidy over what the native build compiles. Nine tenths of its time over one file go into the standard library's
// headers, which its checks search anew: so several files are included in one, and those of a batch that fails (a
// finding, or names that clash) are checked one by one, which is what is reported.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { writeWhole } from "./atomic.mjs";
import { alone } from "./build-steps.mjs";
import { configurePreset } from "./cmake.mjs";
import { explain, SetupFailure } from "./failure.mjs";
import { build, root } from "./paths.mjs";
import { capture } from "./processes.mjs";
import { fingerprint, isStamped, stamp } from "./stamps.mjs";

const DATABASE = join("build", "native", "compile_commands.json");
const BATCHES = join(build, "tidy");
const LARGEST = 2500; // lines in a batch: larger ones would leave a core idle at the end
const TIDY = ["--quiet", "--warnings-as-errors=*", "--header-filter=.*/(src|tests)/.*"];

// In a batch no file is the main one: the analyzer is told to look beyond that. Only misc-unused-using-decls is not.
// That no name is shadowed is for the build to say, which sees one file at a time.
const IN_BATCH = ["-Wno-shadow", "-Xclang", "-analyzer-opt-analyze-headers"];

const configOf = (file) => (file.startsWith("tests/") ? "tests/.clang-tidy" : ".clang-tidy");

const NAMES =
  /^(?:struct|class|enum class|concept) (\w+)|^using (\w+) =|^(?!using|[A-Z_]+\()\w[^(=;{/]*?(?<!::)\b(\w+)(?:\(| ?=|;|{|\[)/gm;

/** The names that a file has at file level, as our layout of code shows them. */
const namesOf = (text) => Array.from(text.matchAll(NAMES), ([, ...found]) => found.find(Boolean));

/** What of a file matters to a batch: its names, which must be nobody else's, those of its headers, and its length. */
function traits(file, headers) {
  const text = readFileSync(join(root, file), "utf8");
  const seen = new Set();
  const visit = (including) => {
    for (const [, name] of including.matchAll(/^#include ["<](.*)[">]/gm)) {
      const header = headers.find((path) => path.endsWith(`/${name}`));
      if (!header || seen.has(header)) continue;
      seen.add(header);
      visit(readFileSync(join(root, header), "utf8"));
    }
  };
  visit(text);
  const inherited = Array.from(seen, (path) => namesOf(readFileSync(join(root, path), "utf8"))).flat();
  return { own: namesOf(text).filter((name) => !inherited.includes(name)), inherited, lines: text.split("\n").length };
}

/** The project's files that the native build compiles, with their stamps: only for these is it known how. */
function compiledFiles(cppFiles) {
  if (!existsSync(join(root, DATABASE))) return [];
  const entries = JSON.parse(readFileSync(join(root, DATABASE), "utf8"));
  const commands = new Map(entries.map(({ file, command }) => [relative(root, file), command]));
  const headers = fingerprint(cppFiles.filter((file) => file.endsWith(".hpp")).concat(DATABASE));
  return cppFiles
    .filter((file) => commands.has(file))
    .map((file) => ({
      file,
      command: commands.get(file),
      name: `clang-tidy-${file.replace(/\W/g, "-")}`,
      value: fingerprint([file, configOf(file)], { headers, TIDY }),
    }));
}

/** What a command is without its file: files that differ in it cannot share a batch. */
const optionsOf = ({ command, file }) => command.replace(/ -o \S+/, "").replace(join(root, file), "");

const meet = (names, set) => names.some((name) => set.has(name));

/** Puts files together: each into the first batch with the same options, other names and room. */
function batchesOf(files, headers) {
  const batches = [];
  const sized = files.map((unit) => ({ ...unit, ...traits(unit.file, headers) })).sort((a, b) => b.lines - a.lines);
  for (const unit of sized) {
    const options = `${configOf(unit.file)} ${optionsOf(unit)}`;
    const fits = (batch) =>
      batch.options === options &&
      batch.lines + unit.lines <= LARGEST &&
      !meet(unit.own, batch.own) &&
      !meet(unit.own, batch.inherited) &&
      !meet(unit.inherited, batch.own);
    let batch = batches.find(fits);
    if (!batch) {
      batch = { options, lines: 0, own: new Set(), inherited: new Set(), units: [] };
      batches.push(batch);
    }
    batch.units.push(unit);
    batch.lines += unit.lines;
    for (const name of unit.own) batch.own.add(name);
    for (const name of unit.inherited) batch.inherited.add(name);
  }
  return batches;
}

/** Writes a batch's file and its entry of the compilation database. */
function writeBatch({ units }, index) {
  const path = join(BATCHES, `batch-${index}.cpp`);
  const includes = units.map(({ file }) => `#include "${join(root, file)}" // NOLINT(bugprone-suspicious-include)\n`);
  writeWhole(path, includes.join(""));
  const [{ file, command }] = units;
  return { directory: join(root, "build", "native"), file: path, command: command.replace(join(root, file), path) };
}

const run = (database, file, config, log, options = []) =>
  capture("clang-tidy-19", ["-p", database, `--config-file=${config}`, ...TIDY, ...options, file], { log });

/** Checks a batch, and its files one by one when that fails; resolves to what is wrong. */
async function checkBatch({ units }, index) {
  const config = configOf(units[0].file);
  if (units.length > 1) {
    const path = join(BATCHES, `batch-${index}.cpp`);
    const extra = IN_BATCH.map((option) => `--extra-arg=${option}`);
    const clean = await run(BATCHES, path, config, `clang-tidy-${index}`, extra).then(
      () => true,
      () => false,
    );
    if (clean) {
      for (const { name, value } of units) stamp(name, value);
      return [];
    }
  }
  const failures = [];
  for (const { file, name, value } of units) {
    await run("build/native", file, config, name).then(
      () => stamp(name, value),
      (error) => failures.push(explain(error)),
    );
  }
  return failures;
}

/** Checks those of `cppFiles` that changed, or whose headers did, since they last passed. */
export async function clangTidy(cppFiles, line) {
  await alone(() => configurePreset("native", line))(line); // the rest only reads: it may take a while, others go on
  const changed = compiledFiles(cppFiles).filter(({ name, value }) => !isStamped(name, value));
  const batches = batchesOf(
    changed,
    cppFiles.filter((file) => file.endsWith(".hpp")),
  );
  mkdirSync(BATCHES, { recursive: true });
  writeWhole(join(BATCHES, "compile_commands.json"), JSON.stringify(batches.map(writeBatch)));
  const queue = [...batches.entries()];
  const failures = [];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      line.progress(`clang-tidy ${batches.length - queue.length}/${batches.length}`);
      const [index, batch] = next;
      failures.push(...(await checkBatch(batch, index)));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  if (failures.length > 0) throw new SetupFailure(failures.join("\n\n"));
}
