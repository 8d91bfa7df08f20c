import { idle } from "../wait";

/** The contents of api/files.json, which is written when the reference is made, after the page. */
interface Made {
  /** Changes with any of its files. */
  readonly version: string;
  readonly files: readonly string[];
}

/** Files that are fetched at a time. */
const few = 8;
/** How often what failed is tried in a visit. */
const attempts = 3;

/** The names of the caches of this folder's reference begin so. */
const ours = () => `posenc-reference ${new URL("./api/", location.href).pathname} `;

/** Whether a reader of this page asked for the reference, in this visit or before. */
export const wasAsked = async (): Promise<boolean> => (await caches.keys()).some((key) => key.startsWith(ours()));

/**
 * Keeps the library's reference for reading without a network: while there is nothing else to do, some files at a time,
 * and from where the last visit ended. Browsers end a service worker that takes long, so it is the page that does this.
 * An earlier version stays until this one is complete.
 */
export async function keepReference(): Promise<void> {
  const folder = new URL("./api/", location.href);
  const answer = await fetch(new URL("files.json", folder), { cache: "no-cache" });
  if (!answer.ok) return;
  const { version, files }: Made = await answer.json();
  const cache = await caches.open(ours() + version);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  let missing = files.map((file) => new URL(file, folder).href).filter((address) => !kept.has(address));
  for (let attempt = 0; missing.length > 0; attempt++) {
    // A file that cannot be had now is fetched at the next visit.
    if (attempt === attempts || !navigator.onLine) return;
    const failed: string[] = [];
    while (missing.length > 0) {
      await idle();
      const next = missing.splice(0, few);
      // Files of an earlier version in the browser's cache must not get into this one.
      await cache
        .addAll(next.map((address) => new Request(address, { cache: "no-cache" })))
        .catch(() => failed.push(...next));
    }
    missing = failed;
  }
  const isOld = (key: string) => key.startsWith(ours()) && key !== ours() + version;
  await Promise.all((await caches.keys()).filter(isOld).map((key) => caches.delete(key)));
}
