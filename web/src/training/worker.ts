import "posenc/lab-worker";

const hasLock = () => postMessage("has its lock");

// The page gets this lock when this thread has ended, however it did: browsers have no event for that.
const { locks } = navigator as { locks?: LockManager }; // pages from http have none
if (locks) {
  locks.request(self.name, () => {
    hasLock();
    return new Promise(() => {});
  });
} else hasLock();
