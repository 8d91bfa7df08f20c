// Emscripten: the user's own if it is new enough, else Debian 13's unpacked into the toolchain folder.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "./atomic.mjs";
import { unpackDeb } from "./debian-suite.mjs";
import { binaries, build, toolchain, which } from "./paths.mjs";

export const OLDEST = "3.1.69";

/** Its Debian packages. The loader and libraries are for binaryen, which needs a newer C library than Debian 12 has. */
export const EMSCRIPTEN_PACKAGES = ["emscripten", "binaryen", "node-acorn", "libc6", "libstdc++6", "libgcc-s1"];

// Lists what the packages hold that no build here reads: nine tenths of a gigabyte.
const NOT_NEEDED = [
  "./usr/share/doc",
  "./usr/share/emscripten/test",
  "*/wasm64-emscripten",
  "*/wasm32-emscripten/pic",
  "*/wasm32-emscripten/lto-pic",
];

/** The name changes with what is made there, so a folder of an older set-up is not taken for a new one. */
export const unpackedAt = join(toolchain, "emscripten-1");

/** Whether version `a` is at least `b`; of "5.0.0-git" the numbers count. */
function atLeast(a, b) {
  const [left, right] = [a, b].map((text) => /\d+\.\d+\.\d+/.exec(text)?.[0]);
  return left !== undefined && left.localeCompare(right, "en", { numeric: true }) >= 0;
}

const homeIn = (tree) => join(tree, "usr", "share", "emscripten");

const isHome = (folder) => existsSync(join(folder, "cmake", "Modules", "Platform", "Emscripten.cmake"));

/** Emscripten's own folder, seen from em++: packagers put it beside that, under it or far from it. */
function homeOnPath(path) {
  const program = which("em++", path);
  if (!program) return undefined;
  const folder = dirname(realpathSync(program));
  return [folder, join(folder, "..", "libexec"), "/usr/share/emscripten", "/usr/lib/emscripten"].find(isHome);
}

/**
 * The Emscripten to use: { home, version, unpacked }, or undefined when it has to be unpacked. `say` is told of each
 * one that is passed over.
 */
export function findEmscripten({ env = process.env, tree = unpackedAt, say = () => {} } = {}) {
  const own = homeIn(tree);
  const places = {
    "em++ on PATH": homeOnPath(env.PATH),
    EMSDK: env.EMSDK && join(env.EMSDK, "upstream", "emscripten"),
    "the unpacked one": own,
  };
  for (const [name, home] of Object.entries(places)) {
    if (!home || !isHome(home)) continue;
    const version = readFileSync(join(home, "emscripten-version.txt"), "utf8").replaceAll('"', "").trim();
    const unpacked = isHome(own) && realpathSync(home) === realpathSync(own);
    if (atLeast(version, OLDEST)) return { home, version, unpacked };
    say(`${name} is ${version}, older than ${OLDEST}: passed over`);
  }
  return undefined;
}

/** The unpacked one writes to a cache of this clone: its folder may be shared by clones, and belong to another user. */
const ownCache = join(build, "emscripten-cache");

/** Makes that cache, with a link to the libraries that were unpacked, unless it is there. */
export async function makeCache(home, cache = ownCache) {
  const libraries = join(home, "cache", "sysroot");
  const link = join(cache, "sysroot");
  if (existsSync(link) && realpathSync(link) === realpathSync(libraries)) return;
  await makeFolder(cache, (part) => {
    cpSync(join(home, "cache", "sysroot_install.stamp"), join(part, "sysroot_install.stamp"));
    symlinkSync(libraries, join(part, "sysroot"));
  });
}

/** The environment in which the presets, em++ and tsc work with that Emscripten. */
export function emscriptenEnvironment({ home, unpacked }, path = process.env.PATH) {
  const own = unpacked && {
    EM_NODE_JS: process.execPath,
    EM_CLOSURE_COMPILER: join(binaries, "google-closure-compiler"),
    EM_CACHE: ownCache,
  };
  return { ...own, EMSCRIPTEN_ROOT: home, PATH: [home, binaries, path].join(":") };
}

const inTree = (tree, folder, name) =>
  readdirSync(join(tree, folder))
    .filter((entry) => name.test(entry))
    .map((entry) => join(folder, entry));

/** Each of binaryen's programs becomes a link to a script that starts it through the unpacked loader. */
function wrapBinaryen(tree) {
  const [libraries] = inTree(tree, "usr/lib", /-linux-gnu/);
  const [loader] = inTree(tree, libraries, /^ld-linux.*\.so\.\d+$/);
  const script = `#!/bin/sh
tree=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$tree/${loader}" --library-path "$tree/${libraries}" "$tree/programs/$(basename "$0")" "$@"
`;
  mkdirSync(join(tree, "programs"));
  writeFileSync(join(tree, "programs", "through-loader"), script, { mode: 0o755 });
  for (const program of inTree(tree, "usr/bin", /^wasm-|^wasm2js$/)) {
    renameSync(join(tree, program), join(tree, program.replace("usr/bin", "programs")));
    symlinkSync("../../programs/through-loader", join(tree, program));
  }
}

/** Emscripten reads this from its own folder. Node and Closure come from each clone's environment. */
const CONFIG = `import os
home = os.path.dirname(os.path.realpath(os.environ['EM_CONFIG']))
LLVM_ROOT = '/usr/bin'
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
BINARYEN_ROOT = os.path.dirname(os.path.dirname(home))
FROZEN_CACHE = False
CACHE = os.path.join(home, 'cache')
`;

/** Makes the tree in `tree` from the fetched packages. */
export async function unpackEmscripten(tree, files, line) {
  for (const [done, file] of files.entries()) {
    line.progress(`unpacking ${done + 1}/${files.length}`);
    await unpackDeb(file, tree, NOT_NEEDED);
  }
  wrapBinaryen(tree);
  mkdirSync(join(homeIn(tree), "node_modules"), { recursive: true });
  symlinkSync("../../nodejs/acorn", join(homeIn(tree), "node_modules", "acorn"));
  writeFileSync(join(homeIn(tree), ".emscripten"), CONFIG);
  // The tree may be inside a checkout whose package.json says that .js files are ES modules; Emscripten's are not.
  writeFileSync(join(tree, "package.json"), '{ "type": "commonjs" }\n');
}
