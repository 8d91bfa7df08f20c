// npm run bench: the library through its public API, against the machine's limits and good JavaScript, in one process;
// the other modes are in options.mjs (USAGE).

import { explain } from "../../bindings/setup/failure.mjs";
import { benchOptions } from "./options.mjs";

const MODES = {
  workloads: () => import("./in-node.mjs"),
  peers: () => import("./peers.mjs"),
  guard: () => import("./guard.mjs"),
  browser: () => import("./browser.mjs"),
  "first-use": () => import("./first-use.mjs"),
};

try {
  const options = benchOptions(process.argv.slice(2));
  const { main } = await MODES[options.mode]();
  await main(options);
} catch (error) {
  console.error(explain(error));
  process.exitCode = error.exitCode ?? 1;
}
