// Runs one row: makes its project, runs its command, reads its result and compares it with the formulas.
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { writeWhole } from "../../bindings/setup/atomic.mjs";
import { explain } from "../../bindings/setup/failure.mjs";
import { startGroup, tail, within } from "./commands.mjs";
import { wrong } from "./expected.mjs";
import { debianVersion, folderOf, makeProject, program, versionOf } from "./project.mjs";
import { READERS } from "./readers.mjs";

const SECONDS = 180; // a row's limit, installing its packages aside
const IS_SERVER = { served: true, answer: true };

/** A port that nobody listens on. */
async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

/** Starts a row's command; one that is not a server is waited for. */
async function started({ command, read, env }, { folder, port, running }) {
  const [name, ...args] = command.map((word) => word.replaceAll("{port}", port));
  const group = startGroup(program(name, folder), args, { cwd: folder, env });
  running.push(group);
  if (IS_SERVER[read]) return group;
  const code = await group.ended;
  if (code !== 0) throw new Error(`${name} ended with code ${code}`);
  return group;
}

/** Every result must be there and right. */
function check(results, expected = 1) {
  if (results.length !== expected) throw new Error(`${results.length} results, expected ${expected}`);
  const first = results.map(wrong).find(Boolean);
  if (first) throw new Error(first);
}

async function reading(row, { folder, browser, running }) {
  const port = String(await freePort());
  const group = row.command && (await started(row, { folder, port, running }));
  check(await READERS[row.read]({ row, folder, port, group, browser, running }), row.results);
}

const browserOf = ({ read }) => (["page", "file", "served"].includes(read) ? "Chromium" : undefined);

/** The versions that the row was run with. */
function version(row, folder, browser) {
  if (row.debian) return debianVersion(row.debian);
  const own = row.version ?? Object.keys(row.packages ?? {})[0];
  if (own) return versionOf(own, folder);
  return browserOf(row) ? browser.version() : process.versions.node;
}

/** Whether packages are unavailable here: no network, or none for this platform. */
const notToBeHad = ({ message }) => /notarget|404 Not Found|did not answer|EBADPLATFORM/i.test(message);

/** Resolves to { state: "ok" | "failed" | "not run", version, ms, why }. Never rejects. */
export async function runRow(row, { tarball, browser }) {
  const outcome = { state: "failed", version: "", ms: 0 };
  const missing = await row.missing?.();
  if (missing) return { ...outcome, state: "not run", why: missing };
  const folder = folderOf(row);
  try {
    if (row.files) await makeProject(row, tarball);
  } catch (error) {
    return { ...outcome, state: notToBeHad(error) ? "not run" : "failed", why: explain(error) };
  }
  const began = performance.now();
  const running = [];
  try {
    await within(row.seconds ?? SECONDS, reading(row, { folder, browser, running }));
    return { state: "ok", version: version(row, folder, browser), ms: performance.now() - began };
  } catch (error) {
    const output = running.map((group) => group.output).join("\n");
    writeWhole(join(folder, "output.log"), output);
    return { ...outcome, ms: performance.now() - began, why: [error.message, tail(output)].filter(Boolean).join("\n") };
  } finally {
    for (const group of running) group.stop();
  }
}
