// Keeps the page for readers without a network. The build puts in the names of its files and their version.

const files = "FILES";
const version = "VERSION";
const name = `posenc-${version}`;
const scope = new URL("./", self.location.href);

// All of a version or nothing: pages and scripts of different ones never meet.
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const isOld = (key) => key.startsWith("posenc-") && key !== name;
  event.waitUntil(caches.keys().then((keys) => Promise.all(keys.filter(isOld).map((key) => caches.delete(key)))));
});

/** Files that not every engine wants are not fetched beforehand. */
async function fetchAndKeep(cache, request) {
  const response = await fetch(request);
  if (response.ok && request.url.startsWith(`${scope}assets/`)) await cache.put(request, response.clone());
  return response;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== scope.origin) return;
  // A folder is its index, as servers have it.
  const asked = url.pathname === scope.pathname ? new URL("./index.html", scope) : url;
  event.respondWith(
    caches.open(name).then(async (cache) => (await cache.match(asked)) ?? fetchAndKeep(cache, request)),
  );
});
