// clang-tidy over what the native build compiles. Nine tenths of its time for one file go into the standard library's
// headers, which its checks search each time: so several files are included in one, and those of a batch that fails (a
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

/** Of a configuration that compiles each file alone, and is never built. */
const DATABASE = join("build", "lint", "compile_commands.json");
const BATCHES = join(build, "tidy");
const LARGEST = 2500; // lines in a batch: larger ones would leave a core idle at the end
const TIDY = ["--quiet", "--warnings-as-errors=*", "--header-filter=.*/(src|tests)/.*"];

// In a batch no file is the main one: the analyzer is told to look beyond that (misc-unused-using-decls cannot be told).
// There it gives up on a function sooner than in a file that is checked alone, as a changed one is: most of its time
// goes into the few functions with many paths. Shadowed names are left to the build, which sees one file at a time.
const IN_BATCH = ["-analyzer-opt-analyze-headers", "-analyzer-config", "max-nodes=30000"]
  .flatMap((option) => ["-Xclang", option])
  .concat("-Wno-shadow");

const configOf = (file) => (file.startsWith("tests/") ? "tests/.clang-tidy" : ".clang-tidy");

const NAMES =
  /^(?:struct|class|enum class|concept) (\w+)|^using (\w+) =|^(?:\[\[\w+\]\] )?(?!using|[A-Z_]+\()\w[^(=;{/]*?(?<!::)\b(\w+)(?:\(| ?=|;|{|\[)/gm;

/** The names that a file has at file level, as our layout of code shows them. */
const namesOf = (text) => Array.from(text.matchAll(NAMES), ([, ...found]) => found.find(Boolean));

/**
 * The parts of a file that matter to a batch: its names, which no other file may have, those of its headers, and its
 * length.
 */
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
  const hidden = Array.from(text.matchAll(/^namespace \{$.*?^\}/gms), ([part]) => namesOf(part)).flat();
  const open = namesOf(text).filter((name) => !inherited.includes(name)); // less what the headers declare
  return { own: [...hidden, ...open], inherited, lines: text.split("\n").length };
}

/** The project's files that the native build compiles, with their stamps: only for these are the commands known. */
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

/** A command without its file: files for which it differs cannot share a batch. */
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
  return { directory: join(root, "build", "lint"), file: path, command: command.replace(join(root, file), path) };
}

const run = (database, file, config, log, options = []) =>
  capture("clang-tidy-19", ["-p", database, `--config-file=${config}`, ...TIDY, ...options, file], { log });

/** The batches that a failed one is split into: each file named in the findings alone, then the rest. */
function parts({ units }, output) {
  const named = units.filter(({ file }) => output.includes(`${join(root, file)}:`));
  const alone = named.length > 0 ? named : units;
  const rest = units.filter((unit) => !alone.includes(unit));
  return [...alone.map((unit) => ({ units: [unit] })), ...(rest.length > 0 ? [{ units: rest }] : [])];
}

/** Checks a batch; resolves to the batches to check in its place when it fails. What is wrong in one file is final. */
async function checkBatch(batch, index, failures) {
  const { units } = batch;
  const [{ file, name }] = units;
  const single = units.length === 1;
  const path = single ? file : join(BATCHES, `batch-${index}.cpp`);
  const extra = single ? [] : IN_BATCH.map((option) => `--extra-arg=${option}`);
  const log = single ? name : `clang-tidy-${index}`;
  try {
    await run(single ? "build/lint" : BATCHES, path, configOf(file), log, extra);
  } catch (error) {
    if (!single) return parts(batch, error.output);
    failures.push(explain(error));
    return [];
  }
  for (const unit of units) stamp(unit.name, unit.value);
  return [];
}

/** Checks those of `cppFiles` that changed, or whose headers did, since they last passed. */
export async function clangTidy(cppFiles, line) {
  await alone(() => configurePreset("lint", line))(line); // the rest only reads, and takes a while
  const changed = compiledFiles(cppFiles).filter(({ name, value }) => !isStamped(name, value));
  const batches = batchesOf(
    changed,
    cppFiles.filter((file) => file.endsWith(".hpp")),
  );
  mkdirSync(BATCHES, { recursive: true });
  const database = [];
  const queue = [];
  const add = (batch) => {
    queue.push([batch, database.push(writeBatch(batch, database.length)) - 1]);
    writeWhole(join(BATCHES, "compile_commands.json"), JSON.stringify(database));
  };
  for (const batch of batches) add(batch);
  const failures = [];
  let begun = 0;
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      begun += 1;
      line.progress(`clang-tidy ${begun}/${database.length}`);
      for (const part of await checkBatch(...next, failures)) add(part);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  if (failures.length > 0) throw new SetupFailure(failures.join("\n\n"));
}
