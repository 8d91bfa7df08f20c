import "posenc/lab-worker";

// Whoever asks for this lock gets it when this thread has ended, however it did: no browser tells of that by itself.
navigator.locks?.request(self.name, () => new Promise(() => {}));
