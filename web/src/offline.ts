/** Lets the page be read again without a network, once everything that is to be seen first is there. */
export function keepForLater(): void {
  // A file in a folder of the reader's needs no keeping, and the development server changes all the time.
  if (!import.meta.env.PROD || !location.protocol.startsWith("http") || !("serviceWorker" in navigator)) return;
  const register = () => navigator.serviceWorker.register("./service-worker.js").catch(console.debug);
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}
