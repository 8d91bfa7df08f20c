// The steps that every command begins with: they wait for the network, and so run beside each other.
import { ensurePackages } from "./debian-packages.mjs";
import { ensureNodePackages } from "./node-modules.mjs";
import { compilerPackages, fetchToolchain, unpackToolchain } from "./toolchain.mjs";

const BUILD = ["python3", "cmake", "ninja-build", "fonts-dejavu-core", "fonts-wqy-microhei"];

/** Debian's packages by what they are for. */
const PACKAGES = {
  tests: ["g++", "clang-format-19", "chromium-headless-shell"],
  "more tests": [
    ...["clang-tidy-19", "clang-19", "llvm-19", "libclang-rt-19-dev"],
    ...["fonts-noto-cjk", "jupyter-nbconvert", "python3-numpy"],
  ],
  windows: ["chromium"],
  matrix: ["firefox-esr", "libwebkit2gtk-4.1-0", "xvfb"],
  "native bench": ["g++", "libbenchmark-dev"],
};

/** The steps for what a build needs, and besides for these kinds of packages. */
export const setupSteps = (kinds = []) => {
  const more = [...new Set(kinds.flatMap((kind) => PACKAGES[kind]))];
  return [
    { name: "node-packages", title: "Node packages", processors: 0, run: ensureNodePackages },
    {
      name: "system-packages",
      title: "System packages",
      processors: 0,
      run: (line) => ensurePackages([...new Set([...BUILD, ...compilerPackages()])], line),
    },
    { name: "toolchain-download", title: "Toolchain: download", processors: 0, run: fetchToolchain },
    {
      name: "toolchain",
      title: "Toolchain",
      needs: ["node-packages", "toolchain-download"], // one of Emscripten's own is copied
      processors: 0,
      run: unpackToolchain,
    },
    {
      name: "test-packages",
      title: "System packages, tests",
      needs: ["system-packages"],
      processors: 0,
      run: (line) => ensurePackages(more, line),
    },
  ].filter(({ name }) => name !== "test-packages" || more.length > 0);
};
