// The toolchain as a whole: Emscripten, and the C++ libraries that CMake would otherwise fetch. These are handed over as
// source folders by environment variables that CMakePresets.json passes on (see there); without them FetchContent goes to
// the network as for everybody else.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ensureFolder, writeWhole } from "./atomic.mjs";
import { ensurePackages } from "./debian-packages.mjs";
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

// Downloads stay until everything is unpacked: a run after an interrupted one does not fetch them again.
const downloads = join(toolchain, "downloads");
const fetched = join(downloads, "fetched.json"); // names them, once all are there

/** Catch2 comes as its source package, which is what FetchContent wants. */
async function unpackCatch2(folder, files) {
  const archive = files.find((file) => /\.orig\.tar\.\w+$/.test(file));
  await capture("tar", ["-x", "-f", archive, "-C", folder, "--strip-components=1"], { log: "catch2" });
}

// Only the headers count, and Debian's own CMake files ask for another library (xtl) that nothing here uses.
const XSIMD_PROJECT = `cmake_minimum_required(VERSION 3.25)
project(xsimd LANGUAGES CXX)
add_library(xsimd INTERFACE)
target_include_directories(xsimd SYSTEM INTERFACE include)
`;

/** xsimd comes as its header package: not every mirror keeps the source package. */
async function unpackXsimd(folder, [archive]) {
  const tree = join(downloads, "xsimd");
  mkdirSync(tree, { recursive: true });
  await unpackDeb(archive, tree);
  cpSync(join(tree, "usr", "include"), join(folder, "include"), { recursive: true });
  writeFileSync(join(folder, "CMakeLists.txt"), XSIMD_PROJECT);
}

const EMSCRIPTEN = { folder: unpackedAt, binaries: EMSCRIPTEN_PACKAGES, unpack: unpackEmscripten };
const LIBRARIES = [
  { variable: "POSENC_CATCH2_SOURCE", folder: join(toolchain, "catch2-1"), sources: ["catch2"], unpack: unpackCatch2 },
  {
    variable: "POSENC_XSIMD_SOURCE",
    folder: join(toolchain, "xsimd-1"),
    binaries: ["libxsimd-dev"],
    unpack: unpackXsimd,
  },
];

const isDebianFamily = () => which("apt-get") !== undefined && which("dpkg-deb") !== undefined;

/**
 * Lists what this machine's archive has to provide for the unpacked Emscripten; nothing when the user's own is used.
 */
export const compilerPackages = () => (findEmscripten()?.unpacked === false ? [] : ["clang-19", "lld-19", "llvm-19"]);

const missingParts = () => [
  ...(findEmscripten() ? [] : [EMSCRIPTEN]),
  ...LIBRARIES.filter(({ folder }) => !existsSync(folder)),
];

/** Does `work` on the parts that are missing, under the lock: its previous owner may have made them. */
async function onMissing(work, line) {
  if (!isDebianFamily() || missingParts().length === 0) return;
  await withLock(
    join(toolchain, "lock"),
    async () => {
      const parts = missingParts();
      if (parts.length > 0) await work(parts);
    },
    (pid) => line.print(`waiting for process ${pid}, which is setting up ${toolchain}`),
  );
}

/** Fetches the packages of what is missing; resolves to a line for the user. */
export async function fetchToolchain(line) {
  const found = findEmscripten({ say: (text) => line.print(text) });
  if (!found && !isDebianFamily())
    throw new SetupFailure(
      `Emscripten ${OLDEST} or newer is needed and this machine has no apt to unpack it with: install it (em++ on PATH, or EMSDK set).`,
    );
  let outcome = "all there";
  await onMissing(async (parts) => {
    await ensurePackages(["debian-archive-keyring"], line);
    const aptState = join(downloads, "apt");
    mkdirSync(aptState, { recursive: true });
    const fetch = await openSuite(SUITE, aptState, line);
    const packagesOf = (kind) => parts.flatMap((part) => part[kind] ?? []);
    const [binaries, sources] = [packagesOf("binaries"), packagesOf("sources")];
    const files = [
      ...(binaries.length > 0 ? await fetch(["download", ...binaries], downloads) : []),
      ...(sources.length > 0 ? await fetch(["source", "--download-only", ...sources], downloads) : []),
    ];
    writeWhole(fetched, JSON.stringify(files.map((file) => basename(file))));
    outcome = "fetched";
  }, line);
  return outcome;
}

async function unpackParts(parts, line) {
  if (!existsSync(fetched)) throw new SetupFailure(`${fetched} is gone. Run the same command again.`);
  const files = JSON.parse(readFileSync(fetched, "utf8"));
  for (const { folder, binaries = [], sources = [], unpack } of parts) {
    const isOurs = (file) => [...binaries, ...sources].includes(file.split("_")[0]);
    const ours = files.filter(isOurs).map((file) => join(downloads, file));
    await ensureFolder(folder, (part) => unpack(part, ours, line));
  }
  rmSync(downloads, { recursive: true, force: true });
}

/** Makes Emscripten and the C++ libraries of what was fetched, and of node_modules; resolves to a line for the user. */
export async function unpackToolchain(line) {
  const before = findEmscripten();
  await onMissing((parts) => unpackParts(parts, line), line);
  const { version, home, unpacked } = findEmscripten();
  if (unpacked) await makeCache(home);
  return `${version}${before ? "" : " unpacked"}${unpacked ? "" : ` in ${home}`}`;
}

/** The variables, beyond those of this process, in which CMake's presets and Emscripten work. */
export const toolEnvironment = () => ({
  ...emscriptenEnvironment(findEmscripten()),
  ...Object.fromEntries(
    LIBRARIES.filter(({ folder }) => existsSync(folder)).map(({ variable, folder }) => [variable, folder]),
  ),
});
