// One at a time, across processes: the owner of a lock listens on a local socket, whose name is the path's hash. The
// system closes it when the owner ends, however it ends.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

function addressOf(path) {
  const name = `posenc-${createHash("sha256").update(path).digest("hex").slice(0, 16)}`;
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), name); // the first is of no file system
}

/** The process that owns the lock; undefined when none does any more. */
async function ownerOf(address) {
  try {
    const [pid] = await once(connect(address), "data");
    return String(pid);
  } catch {
    if (process.platform === "darwin") rmSync(address, { force: true }); // a socket that is a file outlives its owner
    return undefined;
  }
}

/**
 * Runs `work` while holding the lock of `path`. `onWait` is called once, with the process that it waits for.
 * @template T @param {string} path @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function withLock(path, work, onWait = () => {}) {
  const address = addressOf(path);
  const server = createServer((socket) => socket.on("error", () => {}).end(String(process.pid))).unref();
  for (let isTold = false; ; await sleep(200)) {
    try {
      await once(server.listen(address), "listening");
      break;
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
    }
    const pid = isTold ? undefined : await ownerOf(address);
    if (pid) onWait(pid);
    isTold ||= pid !== undefined;
  }
  try {
    return await work();
  } finally {
    server.close();
  }
}
