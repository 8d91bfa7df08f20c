// The toolchain as a whole: the parts that are missing are fetched together, under one lock.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder } from "./atomic.mjs";
import { ensurePackages } from "./debian-packages.mjs";
import { openSuite } from "./debian-suite.mjs";
import { emscriptenEnvironment, findEmscripten, OLDEST, unpackEmscripten, unpackedAt } from "./emscripten.mjs";
import { SetupFailure } from "./failure.mjs";
import { withLock } from "./lock.mjs";
import { toolchain, which } from "./paths.mjs";
import { SOURCES, sourcesEnvironment } from "./sources.mjs";

const SUITE = "trixie"; // Debian 13: Emscripten 3.1.69, xsimd 13.2.0, Catch2 3.7.1

const EMSCRIPTEN = { name: "Emscripten", folder: unpackedAt, unpack: unpackEmscripten };

const isDebianFamily = () => which("apt-get") !== undefined && which("dpkg-deb") !== undefined;

/** What this machine's archive has to provide for the unpacked Emscripten; nothing when the user's own is used. */
export const compilerPackages = () => (findEmscripten()?.unpacked === false ? [] : ["clang-19", "lld-19", "llvm-19"]);

const missingParts = () => [
  ...(findEmscripten() ? [] : [EMSCRIPTEN]),
  ...SOURCES.filter(({ folder }) => !existsSync(folder)),
];

async function unpackMissing(line) {
  const parts = missingParts(); // checked again under the lock: its previous owner may have unpacked them
  if (parts.length === 0) return;
  await ensurePackages(["debian-archive-keyring", "dpkg-dev"], line);
  // Downloads stay until everything is unpacked: a run after an interrupted one does not fetch them again.
  const downloads = join(toolchain, "downloads");
  const aptState = join(downloads, "apt");
  mkdirSync(aptState, { recursive: true });
  const suite = await openSuite(SUITE, aptState, line);
  for (const { name, folder, unpack } of parts) {
    const into = join(downloads, name);
    mkdirSync(into, { recursive: true });
    await ensureFolder(folder, (part) => unpack(part, into, suite, line));
  }
  rmSync(downloads, { recursive: true, force: true });
}

function mustInstall() {
  return new SetupFailure(
    `Emscripten ${OLDEST} or newer is needed and this machine has no apt to unpack it with: install it (em++ on PATH, or EMSDK set).`,
  );
}

/** Makes Emscripten and the C++ libraries available; resolves to a line for the user. */
export async function ensureToolchain(line) {
  const before = findEmscripten({ say: (text) => line.note(text) });
  if (!isDebianFamily()) {
    if (!before) throw mustInstall();
    return `${before.version} in ${before.home}`; // CMake fetches the libraries itself
  }
  if (missingParts().length > 0)
    await withLock(
      join(toolchain, "lock"),
      () => unpackMissing(line),
      (pid) => line.note(`waiting for process ${pid}, which is setting up ${toolchain}`),
    );
  const { version, home, unpacked } = findEmscripten();
  return `${version}${before ? "" : " unpacked"}${unpacked ? "" : ` in ${home}`}`;
}

/** The variables, beyond those of this process, in which CMake's presets and Emscripten work. */
export const toolEnvironment = () => ({ ...emscriptenEnvironment(findEmscripten()), ...sourcesEnvironment() });
