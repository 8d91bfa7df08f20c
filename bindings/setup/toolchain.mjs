// The toolchain as a whole: Emscripten, and the C++ libraries that CMake would otherwise fetch. These are handed over as
// source folders by environment variables that CMakePresets.json passes on (see there); without them FetchContent goes to
// the network as for everybody else.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./atomic.mjs";
import { openSuite, unpackDeb } from "./debian-suite.mjs";
import {
  EMSCRIPTEN_PACKAGES,
  emscriptenEnvironment,
  findEmscripten,
  makeCache,
  OLDEST,
  unpackEmscripten,
  unpackedAt,
} from "./emscripten.mjs";
import { SetupFailure } from "./failure.mjs";
import { withLock } from "./lock.mjs";
import { toolchain, which } from "./paths.mjs";
import { capture } from "./processes.mjs";

const SUITE = "trixie"; // Debian 13: Emscripten 3.1.69, xsimd 13.2.0, Catch2 3.7.1

/** Catch2 comes as its source package, which is what FetchContent wants. */
async function unpackCatch2(folder, files) {
  const archive = files.find((file) => /\.orig\.tar\.\w+$/.test(file));
  await capture("tar", ["-x", "-f", archive, "-C", folder, "--strip-components=1"], { log: "catch2" });
}

// Only the headers count, and Debian's own CMake files ask for another library (xtl) that nothing here uses.
const XSIMD_PROJECT = `cmake_minimum_required(VERSION 3.25)
project(xsimd LANGUAGES CXX)
add_library(xsimd INTERFACE)
target_include_directories(xsimd SYSTEM INTERFACE usr/include)
`;

/** xsimd comes as its header package: not every mirror keeps the source package. */
async function unpackXsimd(folder, [archive]) {
  await unpackDeb(archive, folder);
  writeFileSync(join(folder, "CMakeLists.txt"), XSIMD_PROJECT);
}

const EMSCRIPTEN = { folder: unpackedAt, packages: EMSCRIPTEN_PACKAGES, unpack: unpackEmscripten };
const LIBRARIES = {
  POSENC_CATCH2_SOURCE: { folder: join(toolchain, "catch2-1"), sources: ["catch2"], unpack: unpackCatch2 },
  POSENC_XSIMD_SOURCE: { folder: join(toolchain, "xsimd-1"), packages: ["libxsimd-dev"], unpack: unpackXsimd },
};

/**
 * Lists what this machine's archive has to provide for the unpacked Emscripten; nothing when the user's own is used.
 */
export const compilerPackages = () => (findEmscripten()?.unpacked === false ? [] : ["clang-19", "lld-19", "llvm-19"]);

const missingParts = () => [
  ...(findEmscripten() ? [] : [EMSCRIPTEN]),
  ...Object.values(LIBRARIES).filter(({ folder }) => !existsSync(folder)),
];

/** Fetches and unpacks what is missing. Downloads stay until all is unpacked, for the run after an interrupted one. */
async function makeMissing(line) {
  const parts = missingParts(); // asked under the lock: its previous owner may have made them
  if (parts.length === 0) return;
  const downloads = join(toolchain, "downloads");
  const apt = await openSuite(SUITE, downloads, line);
  const namesOf = (kind) => parts.flatMap((part) => part[kind] ?? []);
  for (const [kind, command] of Object.entries({ packages: ["download"], sources: ["source", "--download-only"] }))
    if (namesOf(kind).length > 0) await apt([...command, ...namesOf(kind)]);
  const files = readdirSync(downloads);
  for (const { folder, packages = [], sources = [], unpack } of parts) {
    const isOurs = (file) => [...packages, ...sources].includes(file.split("_")[0]);
    const ours = files.filter(isOurs).map((file) => join(downloads, file));
    await makeFolder(folder, (part) => unpack(part, ours, line));
  }
  rmSync(downloads, { recursive: true, force: true });
}

/** Makes the toolchain; resolves to a line for the user. */
export async function ensureToolchain(line) {
  const before = findEmscripten({ say: (text) => line.print(text) });
  const isDebianFamily = which("apt-get") !== undefined && which("dpkg-deb") !== undefined;
  if (!before && !isDebianFamily)
    throw new SetupFailure(
      `Emscripten ${OLDEST} or newer is needed and this machine has no apt to unpack it with: install it (em++ on PATH, or EMSDK set).`,
    );
  if (isDebianFamily && missingParts().length > 0) {
    mkdirSync(toolchain, { recursive: true });
    const say = (pid) => line.print(`waiting for process ${pid}, which is setting up ${toolchain}`);
    await withLock(join(toolchain, "lock"), () => makeMissing(line), say);
  }
  const { version, home, unpacked } = findEmscripten();
  if (unpacked) await makeCache(home);
  return `${version}${before ? "" : " unpacked"}${unpacked ? "" : ` in ${home}`}`;
}

/** The variables, beyond those of this process, in which CMake's presets and Emscripten work. */
export const toolEnvironment = () => ({
  ...emscriptenEnvironment(findEmscripten()),
  ...Object.fromEntries(
    Object.entries(LIBRARIES)
      .filter(([, { folder }]) => existsSync(folder))
      .map(([variable, { folder }]) => [variable, folder]),
  ),
});
