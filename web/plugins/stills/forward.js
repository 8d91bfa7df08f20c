// From the page that is shared to the figure itself, with the state that this page's own link carries.
const live = new URL(document.documentElement.dataset.live, location.href);
const state = new URLSearchParams(live.hash.slice(1));
for (const [key, value] of new URLSearchParams(location.hash.slice(1))) state.set(key, value);
live.hash = state.toString();
location.replace(live);
