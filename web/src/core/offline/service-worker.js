// Makes the page available offline. The build inserts the names of its files and their version.

const files = "FILES";
const version = "VERSION";
const scope = new URL("./", self.location.href);
// An origin may have several such pages, each in a folder of its own. Addresses have no spaces.
const ours = `posenc ${scope.pathname} `;
const name = ours + version;

// All files of a version or none: pages and scripts of different versions are never mixed. The browser asks the server
// for each, since hosts let it keep files for minutes, and the last version's index.html names scripts that are gone.
self.addEventListener("install", (event) => {
  const requests = files.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const isOld = (key) => key.startsWith(ours) && key !== name;
  event.waitUntil(caches.keys().then((keys) => Promise.all(keys.filter(isOld).map((key) => caches.delete(key)))));
});

/** Answers from the cache, else from the network, also when the cache is full or broken. */
async function answer(event, asked) {
  const { request } = event;
  const opened = caches.open(name);
  // A page is the same whichever figure it is asked to show alone.
  const kept = await opened.then((cache) => cache.match(asked, { ignoreSearch: true })).catch(() => undefined);
  if (kept) return kept;
  const response = await fetch(request);
  // Files that not every engine needs are not fetched in advance.
  if (response.ok && request.url.startsWith(`${scope}assets/`)) {
    const copy = response.clone();
    event.waitUntil(opened.then((cache) => cache.put(request, copy)).catch(console.debug));
  }
  return response;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== scope.origin) return;
  // The address of a folder means its index.html, as on servers.
  const asked = url.pathname === scope.pathname ? new URL("./index.html", scope) : url;
  event.respondWith(answer(event, asked));
});
