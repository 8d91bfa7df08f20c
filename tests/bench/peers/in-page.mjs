// One peer beside posenc in a page: window.race(peer, folder of its packages, rounds, pattern) gives the results.

import { load } from "posenc";
import { load as loadFull } from "posenc/full";
import { PEERS } from "./packages.mjs";
import { raceWith } from "./workloads.mjs";

function scripted(source) {
  const script = document.createElement("script");
  script.src = source;
  const loaded = new Promise((resolve, reject) => Object.assign(script, { onload: resolve, onerror: reject }));
  document.head.append(script);
  return loaded;
}

window.race = async (peerName, folder, rounds, pattern) => {
  const { file, packages } = PEERS[peerName];
  const at = (name) => `${folder}/node_modules/${name}/${packages[name].page}`;
  async function loadPackage(name) {
    const { global: names } = packages[name];
    if (!names) return import(at(name));
    await scripted(at(name));
    return names.reduce((from, each) => from[each], window);
  }
  const { open } = await import(`./${file}`);
  const peer = await open(loadPackage, (name) => at(name).replace(/[^/]+$/, ""), peerName);
  const results = [];
  await raceWith({
    peerName,
    peer,
    pe: await load(),
    full: await loadFull(),
    only: new RegExp(pattern, "i"),
    rounds,
    onResult: (result) => results.push(result),
  });
  return results;
};
