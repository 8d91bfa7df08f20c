// One peer beside posenc, in a process of its own: node process.mjs <peer> <folder of its packages> <rounds> <pattern>.
// Sends { version } and each workload's result to the parent.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { load } from "posenc";
import { load as loadFull } from "posenc/full";
import { PEERS } from "./packages.mjs";
import { trainingBeside } from "./training.mjs";
import { raceWith } from "./workloads.mjs";

const [peerName, folder, rounds, pattern] = process.argv.slice(2);
const { file, packages } = PEERS[peerName];
const require = createRequire(join(folder, "package.json"));

/** A package's module; the whole object where it is CommonJS. */
async function loadPackage(name) {
  const path = packages[name].module
    ? join(folder, "node_modules", name, packages[name].module)
    : require.resolve(name);
  const module = await import(pathToFileURL(path).href);
  return module.default && Object.keys(module).length <= 2 ? module.default : module;
}

const { open } = await import(`./${file}`);
const peer = await open(loadPackage, (name) => `${dirname(require.resolve(name))}/`, peerName);
await raceWith({
  peerName,
  peer,
  pe: await load(),
  full: await loadFull(),
  training: () => trainingBeside(peerName, peer),
  only: new RegExp(pattern, "i"),
  rounds: Number(rounds),
  onResult: (result) => process.send({ result }),
});
process.disconnect();
