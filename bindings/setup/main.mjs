#!/usr/bin/env node
// The commands behind package.json's scripts. Plain Node without dependencies: it runs before node_modules exists.
import { ensurePackages } from "./debian-packages.mjs";
import { explain } from "./failure.mjs";
import { ensureNodePackages } from "./node-modules.mjs";
import { runSteps } from "./steps.mjs";
import { compilerPackages, ensureToolchain, toolEnvironment } from "./toolchain.mjs";

const setupSteps = (packages) => [
  { title: "Node packages", run: ensureNodePackages },
  { title: "System packages", run: (line) => ensurePackages([...packages, ...compilerPackages()], line) },
  { title: "Toolchain", run: ensureToolchain },
];

const quote = (value) => `'${value.replaceAll("'", "'\\''")}'`;

async function toolchain(args) {
  const printEnv = args.includes("--print-env");
  await runSteps(setupSteps(["python3", "cmake", "ninja-build"]), printEnv ? process.stderr : process.stdout);
  if (!printEnv) return;
  for (const [name, value] of Object.entries(toolEnvironment())) console.log(`export ${name}=${quote(value)}`);
}

const COMMANDS = { toolchain };

const [name, ...args] = process.argv.slice(2);
try {
  await COMMANDS[name](args);
} catch (error) {
  console.error(`\n${explain(error)}`);
  process.exitCode = 1;
}
