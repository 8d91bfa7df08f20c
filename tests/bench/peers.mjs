// npm run bench -- --peers: other libraries beside posenc, each in a process of its own, or with --browser in a page. Those
// from npm are installed when this is asked for, below build/, and never into the project.

import { fork } from "node:child_process";
import { join } from "node:path";
import { SetupFailure } from "../../bindings/setup/failure.mjs";
import { installPackages } from "../../bindings/setup/node-modules.mjs";
import { build, root } from "../../bindings/setup/paths.mjs";
import { inChromium } from "./browser.mjs";
import { load as busy, machine, node } from "./machine.mjs";
import { PEERS, versionOf } from "./peers/packages.mjs";
import { duration, text } from "./report.mjs";

const PACKAGES = "bench-peers";
const folder = join(build, PACKAGES);

/** Installs the peers' packages, unless these versions are there. */
function install() {
  const dependencies = Object.fromEntries(
    Object.values(PEERS).flatMap(({ packages }) =>
      Object.entries(packages).map(([name, { version }]) => [name, version]),
    ),
  );
  const say = () => console.error("Installing the peers below build/bench-peers (750 MB) …");
  return installPackages(folder, dependencies, { say });
}

/** Without lines of minified code. */
const readable = (errors) =>
  errors
    .split("\n")
    .filter(({ length }) => length > 0 && length < 400)
    .join("\n");

/** Runs a peer's process; each result goes to `onResult` as it comes. */
function inProcess(name, { rounds, only }, onResult) {
  const child = fork(join(root, "tests", "bench", "peers", "process.mjs"), [name, folder, rounds, only.source], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  child.on("message", ({ result }) => onResult(result));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new SetupFailure(`${name} ended with code ${code}:\n${readable(errors)}`));
    });
  });
}

/** The same in a page of its own. */
const inPage =
  (page) =>
  async (name, { rounds, only }, onResult) => {
    await page.reload();
    const results = await page
      .evaluate(([...given]) => window.race(...given), [name, `/build/${PACKAGES}`, rounds, only.source])
      .catch((error) => {
        throw new SetupFailure(`${name}: ${error.message.split("\n")[0]}`);
      });
    for (const result of results) onResult(result);
  };

export async function main(options) {
  await install();
  if (!options.browser) return race(inProcess, node, options);
  const served = [`build/${PACKAGES}/node_modules`, "dist", "tests/bench"];
  await inChromium(
    `tests/bench/peers/in-page.html`,
    { served, isReady: () => window.race !== undefined },
    (page, chromium) => race(inPage(page), chromium, options),
  );
}

const hasPage = (peer) => Object.values(PEERS[peer].packages).every(({ page }) => page);

async function race(racedIn, engine, options) {
  const { browser, rounds, json } = options;
  const where = `${machine}, ${engine}${busy()}`;
  if (!json) console.log(`${where}\nMedians of ${rounds} shuffled rounds; posenc in a buffer; one thread each\n`);
  const peers = [];
  const failed = [];
  for (const peer of Object.keys(PEERS).filter((one) => !browser || hasPage(one))) {
    const gathered = { peer, version: versionOf(peer), results: [] };
    const onResult = (result) => {
      gathered.results.push(result);
      if (json) return;
      const worst = result.worst.toPrecision(2);
      console.log(`${gathered.version}: ${text(result)}\n  largest difference of the results: ${worst}\n`);
    };
    try {
      await racedIn(peer, options, onResult);
      peers.push(gathered);
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
