// Packages of the machine's own archive: only what is missing is installed, and only by root.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SetupFailure } from "./failure.mjs";
import { which } from "./paths.mjs";
import { capture } from "./processes.mjs";

const CHROMIUM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const first = (programs) => programs.map((program) => which(program)).find(Boolean);

/** The browser for measurements and the matrix: the user's choice, else what is on PATH; undefined when there is none. */
export const findChromium = () => process.env.CHROMIUM_PATH || first(CHROMIUM_NAMES);

/** The browser for tests: the same engine without a window's machinery, half of the processor's work; else Chromium. */
export const findHeadless = () => process.env.CHROMIUM_PATH || first(["chromium-headless-shell", ...CHROMIUM_NAMES]);

/** The Python that has a package: the first on PATH, or the system's; undefined when neither does. */
const pythonWith = (name) =>
  [which("python3"), "/usr/bin/python3"].find(
    (python) => python && spawnSync(python, ["-c", `import ${name}`], { stdio: "ignore" }).status === 0,
  );
export const findNumpy = () => pythonWith("numpy");
export const findOnnx = () => pythonWith("onnx");

/** WebKitGTK's own small browser; it is in the library's folder, beside its helpers. */
export const findMiniBrowser = () =>
  first(["x86_64", "aarch64"].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`));

/** Elsewhere the system comes with such fonts. */
const hasFont = (file) => !which("apt-get") || existsSync(`/usr/share/fonts/${file}`);

/** How to tell that a package is not needed, unless there is a program of its name: another program, or a function. */
const PRESENT = {
  "ninja-build": "ninja",
  "python3-numpy": findNumpy,
  "python3-onnx": findOnnx,
  // The unpacked Emscripten needs its own in /usr/bin.
  "clang-19": "/usr/bin/clang-19",
  "lld-19": "/usr/bin/wasm-ld-19",
  "llvm-19": "/usr/bin/llvm-ar-19",
  "libclang-rt-19-dev": () => existsSync("/usr/lib/llvm-19/lib/clang/19/lib/linux"),
  "clang-tidy-19": "run-clang-tidy-19",
  chromium: findChromium,
  "chromium-headless-shell": findHeadless,
  "libwebkit2gtk-4.1-0": findMiniBrowser,
  xvfb: "Xvfb",
  "fonts-noto-cjk": () => hasFont("opentype/noto/NotoSansCJK-Regular.ttc"),
  "fonts-dejavu-core": () => hasFont("truetype/dejavu/DejaVuSans.ttf"),
  "fonts-wqy-microhei": () => hasFont("truetype/wqy/wqy-microhei.ttc"),
};

function isPresent(name) {
  const sign = PRESENT[name] ?? name;
  return typeof sign === "string" ? which(sign) : sign();
}

/** Whether this process may install packages. */
export const mayInstall = () => process.getuid?.() === 0;

/** Runs apt-get without questions; waits while another apt runs, finishes what a killed one left unfinished. */
export async function aptGet(args, { log, line, cwd }) {
  const options = {
    log,
    cwd,
    fetches: true,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C.UTF-8" },
    onStatus: (text) => line.progress(aptStatus(text)),
  };
  const all = ["-y", "-o", "Acquire::Retries=3", "-o", "DPkg::Lock::Timeout=600", "-o", "APT::Status-Fd=3", ...args];
  for (let busy = 0; ; busy += 1) {
    try {
      return await capture("apt-get", all, options);
    } catch (error) {
      const isBusy = /Could not get lock|Unable to lock/.test(error.output);
      if (/dpkg --configure -a/.test(error.output) && busy === 0) await capture("dpkg", ["--configure", "-a"], options);
      else if (!isBusy || busy > 200) throw error;
      line.progress("another apt is running");
      await sleep(3000);
    }
  }
}

/** Reads a line such as "dlstatus:1:20.5:Retrieving file 1 of 3" into "downloading 21 %". */
export function aptStatus(text) {
  const [kind, , percent] = text.split(":");
  const doing = { dlstatus: "downloading", pmstatus: "installing" }[kind] ?? "working";
  return Number.isFinite(Number(percent)) ? `${doing} ${Math.round(percent)} %` : doing;
}

let refreshed;

/** Fetches the machine's package lists from its mirrors, once. */
export const refreshLists = (line) => {
  refreshed ??= aptGet(["-o", "APT::Update::Error-Mode=any", "update"], { log: "apt-update", line });
  return refreshed;
};

/** The one line for users who may not install packages, or whose machine has no apt. */
export function howToInstall(packages) {
  const list = packages.join(" ");
  return which("apt-get")
    ? `Missing: ${packages.join(", ")}. Type: sudo apt-get update && sudo apt-get install --no-install-recommends ${list}`
    : `Missing: ${packages.join(", ")} (named as Debian does). Install them with this machine's package manager.`;
}

/** Installs what is missing of `packages`. */
export async function ensurePackages(packages, line) {
  const missing = packages.filter((name) => !isPresent(name));
  if (missing.length === 0) return "all there";
  if (!which("apt-get") || !mayInstall()) throw new SetupFailure(howToInstall(missing));
  // One of the user's repositories that does not answer may not matter: only if a package is not found does it.
  const stale = await refreshLists(line).then(
    () => undefined,
    (error) => error,
  );
  try {
    await aptGet(["install", "--no-install-recommends", ...missing], { log: "apt-install", line });
  } catch (error) {
    const absent = /Unable to locate package|has no installation candidate/.test(error.output);
    if (absent && stale) throw stale;
    if (!absent) throw error;
    const names = Array.from(
      error.output.matchAll(/^E: (?:Unable to locate package|Package) (.*)$/gm),
      ([, name]) => name,
    );
    throw new SetupFailure(
      `This machine's archive does not have: ${names.join(", ")}. Install it by hand, then run the same command again. ` +
        "clang, lld and llvm 19 are for the unpacked Emscripten: with one of your own, 3.1.69 or newer (em++ on PATH), they are not needed.",
    );
  }
  return `installed ${missing.join(", ")}`;
}
