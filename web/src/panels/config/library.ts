type Entry = typeof import("posenc/engines");

let entry: Entry | undefined;
let isComing = false;

/** Facts about models and engines are fetched when a reader comes to the figure, which is then drawn again. */
export function engineLibrary(redraw: () => void): Entry | undefined {
  if (entry === undefined && !isComing) {
    isComing = true;
    import("posenc/engines").then(
      (read) => {
        entry = read;
        redraw();
      },
      () => {
        // The next change of the figure asks again.
        isComing = false;
      },
    );
  }
  return entry;
}
