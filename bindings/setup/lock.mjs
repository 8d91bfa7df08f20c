// One at a time, across processes: the owner of a lock listens on a local socket, whose name is the path's hash. The
// system closes it when the owner ends, however it ends; who waits is connected to it, and so learns of that at once.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

function addressOf(path) {
  const name = `posenc-${createHash("sha256").update(path).digest("hex").slice(0, 16)}`;
  if (process.platform === "linux") return `\0${name}`; // of no file system
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
}

/** Listens on `address` and tells who connects the number of this process; undefined when another process does. */
async function listen(address) {
  const waiting = new Set();
  const server = createServer((socket) => {
    waiting.add(socket.unref());
    socket.on("error", () => {}).on("close", () => waiting.delete(socket));
    socket.write(String(process.pid));
  });
  try {
    await once(server.unref().listen(address), "listening");
  } catch (error) {
    if (error.code === "EADDRINUSE") return undefined;
    throw error;
  }
  return () => {
    server.close();
    for (const socket of waiting) socket.destroy();
  };
}

/** Resolves when the owner of the lock ends or lets it go. */
async function wait(address, onOwner) {
  const socket = connect(address);
  socket.once("data", (pid) => onOwner(String(pid)));
  const isRefused = await new Promise((over) => socket.on("error", () => {}).once("close", over));
  // A socket that is a file outlives a killed owner.
  if (isRefused && process.platform === "darwin") rmSync(address, { force: true });
}

/**
 * Runs `work` while holding the lock of `path`. `onWait` is called once, with the process that it waits for.
 * @template T @param {string} path @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function withLock(path, work, onWait = () => {}) {
  const address = addressOf(path);
  let isTold = false;
  let release = await listen(address);
  while (!release) {
    await wait(address, (pid) => {
      if (!isTold) onWait(pid);
      isTold = true;
    });
    release = await listen(address);
  }
  try {
    return await work();
  } finally {
    release();
  }
}
