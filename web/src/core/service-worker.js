// Makes the page available offline. The build inserts the names of its files and their version.

const files = "FILES";
const version = "VERSION";
const name = `posenc-${version}`;
const scope = new URL("./", self.location.href);

// All files of a version or none: pages and scripts of different versions are never mixed.
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  const isOld = (key) => key.startsWith("posenc-") && key !== name;
  event.waitUntil(caches.keys().then((keys) => Promise.all(keys.filter(isOld).map((key) => caches.delete(key)))));
});

/** Files that not every engine needs are not fetched in advance. */
async function fetchAndKeep(cache, request) {
  const response = await fetch(request);
  if (response.ok && request.url.startsWith(`${scope}assets/`)) await cache.put(request, response.clone());
  return response;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== scope.origin) return;
  // A folder stands for its index.html, as on servers.
  const asked = url.pathname === scope.pathname ? new URL("./index.html", scope) : url;
  event.respondWith(
    caches.open(name).then(async (cache) => (await cache.match(asked)) ?? fetchAndKeep(cache, request)),
  );
});
