// The C++ libraries that CMake would otherwise fetch: handed over as source folders by environment variables that
// CMakePresets.json passes on (see there); without them FetchContent goes to the network, as without this set-up.
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unpackDeb } from "./debian-suite.mjs";
import { toolchain } from "./paths.mjs";
import { capture } from "./processes.mjs";

/** Catch2 comes as its source package, which is what FetchContent wants. */
async function unpackCatch2(folder, downloads, suite) {
  const files = await suite.sources(["catch2"], downloads);
  const archive = files.find((file) => /\.orig\.tar\.\w+$/.test(file));
  await capture("tar", ["-x", "-f", archive, "-C", folder, "--strip-components=1"], { log: "catch2" });
}

// Only the headers matter, and Debian's own CMake files require another library (xtl) that nothing here uses.
const XSIMD_PROJECT = `cmake_minimum_required(VERSION 3.25)
project(xsimd LANGUAGES CXX)
add_library(xsimd INTERFACE)
target_include_directories(xsimd SYSTEM INTERFACE include)
`;

/** xsimd comes as its header package: not every mirror keeps the source package. */
async function unpackXsimd(folder, downloads, suite) {
  const [archive] = await suite.binaries(["libxsimd-dev"], downloads);
  const tree = join(downloads, "tree");
  mkdirSync(tree, { recursive: true });
  await unpackDeb(archive, tree);
  cpSync(join(tree, "usr", "include"), join(folder, "include"), { recursive: true });
  writeFileSync(join(folder, "CMakeLists.txt"), XSIMD_PROJECT);
}

export const SOURCES = [
  { name: "Catch2", variable: "POSENC_CATCH2_SOURCE", folder: join(toolchain, "catch2-1"), unpack: unpackCatch2 },
  { name: "xsimd", variable: "POSENC_XSIMD_SOURCE", folder: join(toolchain, "xsimd-1"), unpack: unpackXsimd },
];

/** The variables for the source folders that are there. */
export const sourcesEnvironment = () =>
  Object.fromEntries(
    SOURCES.filter(({ folder }) => existsSync(folder)).map(({ variable, folder }) => [variable, folder]),
  );
