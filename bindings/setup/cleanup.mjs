// What has to be undone when the process ends, however it ends (kill -9 excepted).
const tasks = new Set();
let askedToStay = false;

/** Runs `task` (synchronous) when the process ends; returns a function that forgets it. */
export function atExit(task) {
  tasks.add(task);
  return () => tasks.delete(task);
}

process.on("exit", () => {
  for (const task of [...tasks].reverse()) task();
});

// Exit handlers only run when the process ends by itself, so a signal becomes an exit.
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
  process.once(signal, () => process.exit(askedToStay ? 0 : code));

/** From here on, being stopped is the expected end, not a failure. */
export function stayUntilStopped() {
  askedToStay = true;
}
