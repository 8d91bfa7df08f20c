// npm run bench -- --peers: other libraries beside posenc, each in a process of its own. Those from npm are installed
// when this is asked for, below build/, and never into the project.

import { fork } from "node:child_process";
import { join } from "node:path";
import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { installPackages } from "../../bindings/setup/node-modules.mjs";
import { build, root } from "../../bindings/setup/paths.mjs";
import { load as busy, machine, node } from "./machine.mjs";
import { PEERS } from "./peers/packages.mjs";
import { duration, text } from "./report.mjs";

const folder = join(build, "bench-peers");

/** Installs the peers' packages, unless these versions are there. */
function install() {
  const dependencies = Object.fromEntries(
    Object.values(PEERS).flatMap(({ packages }) =>
      Object.entries(packages).map(([name, { version }]) => [name, version]),
    ),
  );
  const say = () => console.error("Installing the peers below build/bench-peers (450 MB) …");
  return installPackages(folder, dependencies, { say });
}

/** Without lines of minified code. */
const readable = (errors) =>
  errors
    .split("\n")
    .filter(({ length }) => length > 0 && length < 400)
    .join("\n");

/** Runs a peer's process; gives its version and results, each to `onResult` as it comes. */
function raced(name, { rounds, only }, onResult) {
  const child = fork(join(root, "tests", "bench", "peers", "process.mjs"), [name, folder, rounds, only.source], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const gathered = { peer: name, version: "", results: [] };
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  child.on("message", ({ version, result }) => {
    if (version) gathered.version = version;
    if (!result) return;
    gathered.results.push(result);
    onResult(gathered.version, result);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(gathered);
      else reject(new SetupFailure(`${name} ended with code ${code}:\n${readable(errors)}`));
    });
  });
}

export async function main({ rounds, only, json }) {
  await install();
  const where = `${machine}, ${node}${busy()}`;
  if (!json) console.log(`${where}\nMedians of ${rounds} shuffled rounds; posenc in a buffer; one thread each\n`);
  const peers = [];
  const onResult = (version, result) => {
    if (!json)
      console.log(`${version}: ${text(result)}\n  largest difference of the results: ${result.worst.toPrecision(2)}\n`);
  };
  const failed = [];
  for (const name of Object.keys(PEERS)) {
    try {
      peers.push(await raced(name, { rounds, only }, onResult));
    } catch (error) {
      failed.push(error.message);
    }
  }
  if (json) console.log(JSON.stringify({ machine: where, rounds, peers }, undefined, 2));
  else console.log(summary(peers));
  if (failed.length > 0) throw new SetupFailure(failed.join("\n"));
}

/** Times side by side, and how many times as long as posenc's beside it. */
function summary(peers) {
  const names = [...new Set(peers.flatMap(({ results }) => results.map(({ workload }) => workload)))];
  return names
    .map((workload) => {
      const cells = peers.map(({ peer, results }) => {
        const result = results.find((one) => one.workload === workload);
        if (!result) return `${peer} -`;
        const { milliseconds } = result.contestants.find(({ name }) => name === peer);
        return `${peer} ${duration(milliseconds)} (${result.goals[0].value.toPrecision(3)} x posenc's)`;
      });
      return `${workload}: ${cells.join("; ")}`;
    })
    .join("\n");
}
