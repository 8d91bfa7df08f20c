/** Makes the page available offline. To be called after the first screen is drawn, because it fetches all files. */
export function keepForLater(): void {
  // A local file needs no service worker, and the development server changes all the time.
  if (!import.meta.env.PROD || !location.protocol.startsWith("http") || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("./service-worker.js").catch(console.debug);
}
