// Starting other programs: captured into a log, or streamed to the terminal.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { atExit } from "./cleanup.mjs";
import { adviceFor, SetupFailure } from "./failure.mjs";
import { logs, root } from "./paths.mjs";

/** A child process that ends with this one. */
export function start(command, args, options) {
  const child = spawn(command, args, { cwd: root, ...options });
  const forget = atExit(() => child.kill("SIGTERM"));
  child.once("close", forget).once("error", forget);
  return child;
}

/** Resolves to the exit code (128 for a signal); rejects when the program could not be started. */
export async function ended(child) {
  try {
    const [code] = await once(child, "close");
    return code ?? 128;
  } catch (error) {
    throw error.code === "ENOENT" ? new SetupFailure(`${child.spawnfile} is not on PATH: install it.`) : error;
  }
}

/** Addresses are not printed: a mirror's may be private. */
const withoutHosts = (text) => text.replace(/(\bhttps?:\/\/)[^\s/]+/g, "$1…").replace(/\[IP: [^\]]*\]/g, "");

/**
 * What says nothing of a failure's cause: progress of ninja and npm, and the files that Playwright keeps of a failed test,
 * a dozen lines for each page that was open.
 */
const BESIDE_THE_CAUSE =
  /^\[\d+\/\d+\] |^npm http |^\s*(─+|attachment #.*|(Error Context: )?\S*build\/page-tests\/\S*|Usage:|npx playwright show-trace .*|)$/;

/** The end of a tool's output, less the lines beside the cause. */
const lastLines = (text, count) =>
  text
    .trimEnd()
    .split("\n")
    .filter((line) => !BESIDE_THE_CAUSE.test(line))
    .slice(-count)
    .join("\n");

/**
 * Runs a program with its output kept in build/logs/<log>.log; resolves to that output, rejects with its tail, or for a
 * program that `fetches` something with the likely cause. onLine sees every line as it arrives; onStatus every line that
 * apt writes to its status descriptor (3).
 */
export async function capture(command, args, { log, onLine, onStatus, fetches = false, ...options } = {}) {
  mkdirSync(logs, { recursive: true });
  const logFile = join(logs, `${log}.log`);
  const file = createWriteStream(logFile);
  await once(file, "open");
  const child = start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe", onStatus ? "pipe" : "ignore"] });
  let unwritten;
  file.on("error", (error) => {
    unwritten = error;
    child.kill();
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
      if (!unwritten) file.write(chunk);
    });
    if (onLine) createInterface({ input: stream }).on("line", onLine);
  }
  if (onStatus) createInterface({ input: child.stdio[3] }).on("line", onStatus);
  const code = await ended(child);
  if (!unwritten) await new Promise((done) => file.once("close", done).end());
  if (unwritten) throw unwritten;
  if (code === 0) return output;
  const findings = output.match(/^.*:\d+:\d+: error: .*$/gm) ?? []; // of clang-tidy, far before its last lines
  const gist = (fetches && adviceFor(output)) || withoutHosts([...findings, lastLines(output, 40)].join("\n"));
  const failure = new SetupFailure(`${gist}\n${command} ended with code ${code}; its whole output is in ${logFile}`);
  throw Object.assign(failure, { output, logFile });
}

/** Runs a script of Node's, its output kept in build/logs. */
export const node = (log, args) => capture(process.execPath, args, { log });

/** How many tests a line of a test runner's output tells to be over: one or none. */
const isTest = (text) => /^\s*[✔✖✓✘] |^\s*\d+\/\d+ Test\s/.test(text);

/**
 * Runs a program of tests. What it prints is shown in one piece when it is over, since others run beside it: where it
 * failed, and always in continuous integration.
 */
export async function report(command, args, line, { log, ...options }) {
  let count = 0;
  const onLine = (text) => {
    count += isTest(text);
    line.progress(`${count} tests`);
  };
  try {
    const output = await capture(command, args, { log, onLine, ...options });
    if (process.env.CI) line.print(`\n${output}`);
  } catch (error) {
    if (error.output === undefined) throw error;
    line.print(`\n${error.output}`);
    const failure = new SetupFailure(`${command} ended with an error: see above, or ${error.logFile}`);
    throw Object.assign(failure, { gist: lastLines(error.output, 30) });
  }
  return `${count} tests`;
}

/** Runs a program that writes to the terminal itself; rejects when it fails. */
export async function stream(command, args, options = {}) {
  const code = await ended(start(command, args, { ...options, stdio: ["ignore", "inherit", "inherit"] }));
  if (code !== 0) throw new SetupFailure(`${command} ended with code ${code}`);
}
