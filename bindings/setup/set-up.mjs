// The steps that every command begins with: they wait for the network, and so run beside each other.
import { ensurePackages } from "./debian-packages.mjs";
import { ensureNodePackages } from "./node-modules.mjs";
import { compilerPackages, fetchToolchain, unpackToolchain } from "./toolchain.mjs";

const BUILD = ["python3", "cmake", "ninja-build"];

/** Debian's packages by what they are for. */
const PACKAGES = {
  test: ["g++", "clang-format-19", "chromium-headless-shell", "fonts-dejavu-core", "fonts-wqy-microhei"],
  more: [
    ...["clang-tidy-19", "clang-19", "llvm-19", "libclang-rt-19-dev"],
    ...["fonts-noto-cjk", "jupyter-nbconvert", "python3-numpy", "python3-onnx"],
  ],
  matrix: ["chromium", "firefox-esr", "libwebkit2gtk-4.1-0", "xvfb"],
  bench: ["g++"],
};

let apt = Promise.resolve();

/** A step that installs what is missing of `packages`: one at a time, since apt locks its lists. */
const installing = (name, title, packages) => ({
  name,
  title,
  guards: "the machine's packages are there",
  processors: 0,
  run: (line) => {
    const install = () => ensurePackages(packages, line);
    apt = apt.then(install, install);
    return apt;
  },
});

/** The steps for what a build needs, and besides for these kinds of packages. */
export const setupSteps = (kinds = []) => [
  {
    name: "node-packages",
    title: "Node packages",
    guards: "package-lock.json can be installed",
    processors: 0,
    run: ensureNodePackages,
  },
  installing("system-packages", "System packages", [...new Set([...BUILD, ...compilerPackages()])]),
  {
    name: "toolchain-download",
    title: "Toolchain: download",
    guards: "Emscripten, Catch2 and xsimd are there",
    processors: 0,
    run: fetchToolchain,
  },
  {
    name: "toolchain",
    title: "Toolchain",
    guards: "the same, unpacked",
    needs: ["node-packages", "toolchain-download"], // one of Emscripten's own is copied
    processors: 0,
    run: unpackToolchain,
  },
  ...kinds.map((kind) => installing(`${kind}-packages`, `System packages: ${kind}`, PACKAGES[kind])),
];
