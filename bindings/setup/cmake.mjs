// CMake by preset: configure when needed, build, test.
import { join } from "node:path";
import { capture, report } from "./processes.mjs";
import { fingerprint, isMade, stamp } from "./stamps.mjs";
import { toolEnvironment } from "./toolchain.mjs";

const environment = () => ({ ...process.env, ...toolEnvironment() });

// ninja configures again by itself when a CMakeLists.txt changed. Beyond that, only the presets, the tools and the
// folder matter (a copied build compiles what it came from), and a cache made with others is useless: hence --fresh.
export async function configurePreset(preset, line) {
  const { EMSCRIPTEN_ROOT, ...libraries } = toolEnvironment();
  const name = `configure-${preset}`;
  const tools = [
    preset.startsWith("wasm") && EMSCRIPTEN_ROOT,
    libraries.POSENC_CATCH2_SOURCE,
    libraries.POSENC_XSIMD_SOURCE,
  ];
  const value = fingerprint(["CMakePresets.json"], [import.meta.url, ...tools]);
  if (isMade(name, value, [join("build", preset, "build.ninja")])) return;
  line.progress("configuring");
  await capture("cmake", ["--preset", preset, "--fresh"], { log: name, env: environment() });
  stamp(name, value);
}

/** Builds the targets of a preset (all when none is named). */
export async function buildPreset(preset, targets, line) {
  await configurePreset(preset, line);
  const wanted = targets.length > 0 ? ["--target", ...targets] : [];
  const onLine = (text) => {
    const [, counts] = text.match(/^\[(\d+\/\d+)\]/) ?? [];
    if (counts) line.progress(`building ${counts}`);
  };
  const args = ["--build", "--preset", preset, ...wanted];
  const output = await capture("cmake", args, { log: `build-${preset}`, env: environment(), onLine });
  return /no work to do/.test(output) ? "up to date" : "built";
}

/** Runs a preset's tests, those that CTest's options choose. */
export const testPreset = (preset, options, line) =>
  report("ctest", ["--preset", preset, ...options], line, { log: `test-${preset}`, env: environment() });
