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
import { binaries, build, root, toolchain, which } from "./paths.mjs";

export const OLDEST = "3.1.69";

/** Its Debian packages. The loader and libraries are for binaryen, which needs a newer C library than Debian 12 has. */
export const EMSCRIPTEN_PACKAGES = ["emscripten", "binaryen", "libc6", "libstdc++6", "libgcc-s1"];

// Lists what the packages hold that no build here reads: nine tenths of a gigabyte.
const NOT_NEEDED = [
  "./usr/share/doc",
  "./usr/share/emscripten/test",
  "*/wasm64-emscripten",
  "*/wasm32-emscripten/pic",
  "*/wasm32-emscripten/lto-pic",
];

/** The name changes with what unpack() makes, so a folder of an older set-up is not taken for a new one. */
export const unpackedAt = join(toolchain, "emscripten-1");

/** Whether version `a` is at least `b`; of "5.0.0-git" the numbers count. */
export function atLeast(a, b) {
  const [left, right] = [a, b].map((text) => /\d+\.\d+\.\d+/.exec(text)?.[0]);
  return left !== undefined && left.localeCompare(right, "en", { numeric: true }) >= 0;
}

const PLATFORM_FILE = join("cmake", "Modules", "Platform", "Emscripten.cmake");

const homeIn = (tree) => join(tree, "usr", "share", "emscripten");

/** Emscripten's own folder, seen from a program of it: packagers put em++ beside it, under it or far from it. */
function homeOf(program) {
  const folder = dirname(realpathSync(program));
  return [folder, join(folder, "..", "libexec"), "/usr/share/emscripten", "/usr/lib/emscripten"].find((candidate) =>
    existsSync(join(candidate, PLATFORM_FILE)),
  );
}

const versionOf = (home) => readFileSync(join(home, "emscripten-version.txt"), "utf8").replaceAll('"', "").trim();

function onPath(path) {
  const program = which("em++", path);
  return program && homeOf(program);
}

function inSdk(sdk) {
  const home = sdk && join(sdk, "upstream", "emscripten");
  return home && existsSync(join(home, PLATFORM_FILE)) ? home : undefined;
}

const isSame = (a, b) => existsSync(b) && realpathSync(a) === realpathSync(b);

/**
 * The Emscripten to use: { home, version, unpacked }, or undefined when it has to be unpacked. `say` is told of each
 * one that is passed over.
 */
export function findEmscripten({ env = process.env, tree = unpackedAt, say = () => {} } = {}) {
  const own = homeIn(tree);
  const places = [
    { name: "em++ on PATH", home: onPath(env.PATH) },
    { name: "EMSDK", home: inSdk(env.EMSDK) },
    { name: "the unpacked one", home: existsSync(own) ? own : undefined },
  ];
  for (const { name, home } of places.filter(({ home }) => home)) {
    const version = versionOf(home);
    if (atLeast(version, OLDEST)) return { home, version, unpacked: isSame(home, own) };
    say(`${name} is ${version}, older than ${OLDEST}: passed over`);
  }
  return undefined;
}

/**
 * The unpacked Emscripten writes to a cache of this clone: its folder may be shared by clones, and belong to another
 * user.
 */
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
  const own = unpacked
    ? {
        EM_NODE_JS: process.execPath,
        EM_CLOSURE_COMPILER: join(binaries, "google-closure-compiler"),
        EM_CACHE: ownCache,
      }
    : {};
  return { ...own, EMSCRIPTEN_ROOT: home, PATH: [home, binaries, path].join(":") };
}

const inTree = (tree, folder, name) =>
  readdirSync(join(tree, folder))
    .filter((entry) => name.test(entry))
    .map((entry) => join(folder, entry));

/** Each of binaryen's programs becomes a script that starts it through the unpacked loader; paths stay relative. */
function wrapBinaryen(tree) {
  const [libraries] = inTree(tree, "usr/lib", /-linux-gnu/);
  const [loader] = inTree(tree, libraries, /^ld-linux.*\.so\.\d+$/);
  mkdirSync(join(tree, "programs"));
  for (const program of inTree(tree, "usr/bin", /^wasm-|^wasm2js$/)) {
    const real = join("programs", program.slice("usr/bin/".length));
    renameSync(join(tree, program), join(tree, real));
    const script = `#!/bin/sh
tree=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
exec "$tree/${loader}" --library-path "$tree/${libraries}" "$tree/${real}" "$@"
`;
    writeFileSync(join(tree, program), script, { mode: 0o755 });
  }
}

/** The configuration, read by Emscripten from its own folder. Node and Closure come from each clone's environment. */
function configure(tree) {
  const config = `import os
home = os.path.dirname(os.path.realpath(os.environ['EM_CONFIG']))
LLVM_ROOT = '/usr/bin'
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
BINARYEN_ROOT = os.path.dirname(os.path.dirname(home))
FROZEN_CACHE = False
CACHE = os.path.join(home, 'cache')
`;
  writeFileSync(join(homeIn(tree), ".emscripten"), config);
  // The tree may be inside a checkout whose package.json says that .js files are ES modules; Emscripten's are not.
  writeFileSync(join(tree, "package.json"), '{ "type": "commonjs" }\n');
}

/** acorn is a package of its own in Debian; npm's is the same program. */
function addAcorn(tree) {
  cpSync(join(root, "node_modules", "acorn"), join(homeIn(tree), "node_modules", "acorn"), {
    recursive: true,
    dereference: true,
  });
}

/** Makes the tree in `tree` from the fetched packages. */
export async function unpackEmscripten(tree, files, line) {
  for (const [done, file] of files.entries()) {
    line.progress(`unpacking ${done + 1}/${files.length}`);
    await unpackDeb(file, tree, NOT_NEEDED);
  }
  wrapBinaryen(tree);
  addAcorn(tree);
  configure(tree);
}
