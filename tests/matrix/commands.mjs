// A row's program: with a time limit, and ended with all that it started.
import { setTimeout as sleep } from "node:timers/promises";
import { atExit } from "../../bindings/setup/cleanup.mjs";
import { ended, start } from "../../bindings/setup/processes.mjs";

/** The user's environment without what this process's Node, npm or test runner left in it for children. */
const environment = (extra) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NODE_|npm_|FORCE_COLOR)/.test(name))),
  CI: "1",
  NO_COLOR: "1",
  ...extra,
});

/** Resolves to the match of `pattern` in a program's output, once it is there. */
export async function said(group, pattern) {
  for (;;) {
    const match = pattern.exec(group.output);
    if (match) return match;
    if (group.isOver) throw new Error(`the program ended and did not say ${pattern}`);
    await sleep(50);
  }
}

/** Starts a program in a group of its own; the result has its output so far, `ended` (its code), `isOver` and `stop()`. */
export function startGroup(command, args, { cwd, env = {} }) {
  const child = start(command, args, { cwd, env: environment(env), detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const stop = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // it has ended
    }
  };
  const forget = atExit(stop);
  const end = () => {
    stop();
    forget();
  };
  const group = { output: "", isOver: false, stop: end, ended: ended(child) };
  const note = () => {
    group.isOver = true;
  };
  group.ended.then(note, note);
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      group.output += chunk;
    });
  return group;
}

/** Resolves to what `promise` does; rejects after so many seconds. */
export function within(seconds, promise, what = "no result") {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export const tail = (output, lines = 15) => output.trimEnd().split("\n").slice(-lines).join("\n");
