#!/usr/bin/env node
// npx posenc: the command. It runs in Node, Deno and Bun, and takes nothing but files.

import { readFileSync } from "node:fs";
import { load } from "posenc/tools";
import { fieldsOf } from "../js/base/check.js";
import { bias, cache, table } from "./commands/arrays.js";
import { diagnose } from "./commands/diagnose.js";
import { compare, explain } from "./commands/explain.js";
import { fixtures } from "./commands/fixtures.js";
import { frequencies } from "./commands/frequencies.js";
import { codes, FileFailure, inOneLine, UsageFailure } from "./failure.js";
import { closeAll } from "./files/open-file.js";
import { help } from "./help.js";
import { endWith, printJson, printLines, watchOutput } from "./print.js";

const commands = { explain, compare, diagnose, fixtures, table, cache, bias, frequencies };

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return version;
}

/** Returns the text of --help or --version, where nothing else is to be done. */
function helpTextOf([name = "", ...args]: readonly string[]): string | undefined {
  if (name === "--version" || name === "-v") return version();
  if (name === "--help" || name === "-h" || name === "help") return help[args[0] ?? ""] ?? help[""];
  return args.includes("--help") || args.includes("-h") ? help[name] : undefined;
}

/** Does what the arguments say; gives the exit code. */
async function run(args: readonly string[]): Promise<number> {
  const helpText = helpTextOf(args);
  if (helpText !== undefined) {
    printLines(helpText);
    return codes.fine;
  }
  const [name = "", ...others] = args;
  if (Object.hasOwn(commands, name)) return commands[name as keyof typeof commands](others, () => load());
  const known = Object.keys(commands).join(", ");
  throw new UsageFailure(name === "" ? `no command, expected one of ${known}` : `${name}: expected one of ${known}`);
}

/** A complete message for what the user can mend; anything else is a fault here, and shows where. */
function report(error: unknown, [name = "", ...args]: readonly string[]): number {
  // The library's own errors say what was expected.
  const isRefusal = (error instanceof RangeError || error instanceof TypeError) && /, expected /.test(error.message);
  const isOwn = error instanceof UsageFailure || isRefusal;
  const message = inOneLine(error instanceof Error ? error.message : String(error));
  const exitCode = error instanceof FileFailure || isOwn ? codes.refused : codes.fault;
  if (exitCode === codes.fault) {
    const place = error instanceof Error ? error.stack?.match(/(\n +at .*)+$/)?.[0] : undefined;
    process.stderr.write(`posenc: a fault of its own\n${message}${place ?? ""}\n`);
  } else {
    const more = Object.hasOwn(commands, name) ? `posenc ${name} --help` : "posenc --help";
    process.stderr.write(`posenc: ${message}\n${isOwn ? `${more} tells more.\n` : ""}`);
  }
  if (args.includes("--json")) {
    const { argument, code } = fieldsOf(error) ?? fieldsOf((error as Error).cause) ?? {};
    printJson({ error: { message, exitCode, argument, code } });
  }
  return exitCode;
}

watchOutput();

const given = process.argv.slice(2);
run(given)
  .catch((error) => report(error, given))
  .finally(closeAll)
  .then(endWith);
