import type { Lazy } from "../lazy";
import { stirred } from "../stirred";
import { idle } from "../wait";
import "../style/anchor.css";
import "../style/contrast.css";
import "../style/print.css";

/** Makes the page available offline, which fetches all of its files. */
async function keepFiles(): Promise<void> {
  // A local file needs no service worker, and the development server changes all the time.
  if (!import.meta.env.PROD || !location.protocol.startsWith("http") || !("serviceWorker" in navigator)) return;
  // Readers who save data get what they look at.
  const { connection } = navigator as Navigator & { connection?: { saveData: boolean } };
  if (connection?.saveData) return;
  await navigator.serviceWorker.register("./service-worker.js");
}

/** Fetches the code of all figures before the reader prints: browsers print only what is drawn already. */
async function keepReadyToPrint(figures: readonly Lazy[]): Promise<void> {
  for (const figure of figures) {
    await idle();
    await figure.ahead();
  }
}

/** What is asked of the network for later waits until the reader stirs: who only looks in has paid for what is seen. */
export async function later(figures: readonly Lazy[]): Promise<void> {
  await stirred;
  keepFiles().catch(console.debug);
  keepReadyToPrint(figures);
}
