// What every command begins with: the machine's packages, the toolchain and node_modules.
import { ensurePackages } from "./debian-packages.mjs";
import { ensureNodePackages } from "./node-modules.mjs";
import { runSteps } from "./steps.mjs";
import { compilerPackages, ensureToolchain } from "./toolchain.mjs";

/** Debian's packages by what they are for. */
const PACKAGES = {
  build: ["python3", "cmake", "ninja-build"],
  test: ["g++", "clang-format-19", "chromium-headless-shell", "fonts-dejavu-core", "fonts-wqy-microhei"],
  tidy: ["clang-tidy-19"],
  clang: ["clang-19", "llvm-19", "libclang-rt-19-dev"],
  fonts: ["fonts-noto-cjk"],
  interop: ["python3-numpy", "python3-onnx"],
  notebooks: ["jupyter-nbconvert"],
  matrix: ["chromium", "firefox-esr", "libwebkit2gtk-4.1-0", "xvfb"],
  bench: ["g++"],
};

/** Makes what a build needs, and installs these kinds of packages besides; all wait for the network, beside each other. */
export function setUp(kinds = [], options = {}) {
  const packages = ["build", ...kinds].flatMap((kind) => PACKAGES[kind]);
  const network = { processors: 0 };
  return runSteps(
    [
      { ...network, name: "node-packages", title: "package-lock.json can be installed", run: ensureNodePackages },
      {
        ...network,
        name: "system-packages",
        title: "the machine's packages are there",
        run: (line) => ensurePackages([...new Set([...packages, ...compilerPackages()])], line),
      },
      { ...network, name: "toolchain", title: "Emscripten, Catch2 and xsimd are there", run: ensureToolchain },
    ],
    options,
  );
}
