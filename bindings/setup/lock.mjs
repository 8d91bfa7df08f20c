// One at a time: a lock file that names its owner. A lock whose owner has died is broken by the next process that
// waits.
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atExit } from "./cleanup.mjs";

const BREAKING_TAKES_MS = 10_000;

/** When a process was started, so that a process number used again is not taken for the old owner ("" if unknown). */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return "";
  }
}

function isAlive({ pid, start }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === "ESRCH") return false;
  }
  return startOf(pid) === start;
}

function create(file, content) {
  try {
    writeFileSync(file, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** The owner, or undefined when the lock was released or is just being written. */
function readOwner(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Age of a file in milliseconds; 0 when it is gone. */
function ageOf(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

// Two waiters may see the same dead owner. Only the one that creates the file named after that owner may remove its
// lock, and only after a second look, so a lock taken in the meantime is never removed.
function breakLock(file, owner) {
  const claim = `${file}.${owner.id}`;
  if (!create(claim, "")) {
    if (ageOf(claim) > BREAKING_TAKES_MS) rmSync(claim, { force: true });
    return;
  }
  if (readOwner(file)?.id === owner.id) rmSync(file, { force: true });
  rmSync(claim, { force: true });
}

/** The living owner of a lock that is taken; breaks it when its owner is dead. */
function ownerOf(file) {
  const owner = readOwner(file);
  if (owner && isAlive(owner)) return owner;
  if (owner) breakLock(file, owner);
  // No owner for long: its writer died, or the disk was full, before the name was in it.
  else if (ageOf(file) > BREAKING_TAKES_MS) breakLock(file, { id: undefined });
  return undefined;
}

/**
 * Runs `work` while holding the lock `file`. `onWait` is called once, with the process that it waits for.
 * @template T @param {string} file @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function withLock(file, work, onWait = () => {}) {
  mkdirSync(dirname(file), { recursive: true });
  const owner = { pid: process.pid, start: startOf(process.pid), id: randomUUID() };
  let told = false;
  while (!create(file, JSON.stringify(owner))) {
    const other = ownerOf(file);
    if (other && !told) onWait(other.pid);
    told ||= other !== undefined;
    await sleep(100);
  }
  const release = () => {
    if (readOwner(file)?.id === owner.id) rmSync(file, { force: true });
  };
  const forget = atExit(release);
  try {
    return await work();
  } finally {
    forget();
    release();
  }
}

/**
 * A lock that this process takes for several pieces of work at once: the first takes it, the last lets it go. Returns a
 * function like withLock, without the file.
 */
export function sharedLock(file) {
  let users = 0;
  let taken; // resolves when the lock is ours
  let letGo;
  let released = Promise.resolve();
  const take = (onWait) =>
    new Promise((resolve, reject) => {
      const hold = () =>
        new Promise((done) => {
          letGo = done;
          resolve();
        });
      released = released.then(() => withLock(file, hold, onWait)).catch(reject);
    });
  return async (work, onWait) => {
    users += 1;
    try {
      taken ??= take(onWait);
      await taken;
      return await work();
    } finally {
      users -= 1;
      if (users === 0) {
        taken = undefined;
        letGo?.();
        letGo = undefined;
      }
    }
  };
}
