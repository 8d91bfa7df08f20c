import "posenc/lab-worker";

const hasLock = () => postMessage("has its lock");

// Whoever asks for this lock gets it when this thread has ended, however it did: no browser tells of that by itself.
const { locks } = navigator as { locks?: LockManager }; // pages from http have none
if (locks) {
  locks.request(self.name, () => {
    hasLock();
    return new Promise(() => {});
  });
} else hasLock();
