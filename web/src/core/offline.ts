/** Lets the page be read again without a network. To be called once what is seen first is drawn: it fetches all files. */
export function keepForLater(): void {
  // A file in a folder of the reader's needs no keeping, and the development server changes all the time.
  if (!import.meta.env.PROD || !location.protocol.startsWith("http") || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("./service-worker.js").catch(console.debug);
}
