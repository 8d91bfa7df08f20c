// CMake by preset: configure when needed, build, test.
import { join } from "node:path";
import { capture, report } from "./processes.mjs";
import { fingerprint, unlessStamped } from "./stamps.mjs";
import { toolEnvironment } from "./toolchain.mjs";

// ninja configures again by itself when a CMakeLists.txt changed. Beyond that, only the presets and the tools they
// were configured with matter, and a cache made with other tools is useless: hence --fresh.
function configure(preset, environment, line) {
  const { EMSCRIPTEN_ROOT, POSENC_CATCH2_SOURCE, POSENC_XSIMD_SOURCE } = environment;
  const tools = preset.startsWith("wasm") ? { EMSCRIPTEN_ROOT } : {};
  const value = fingerprint(["CMakePresets.json"], { ...tools, POSENC_CATCH2_SOURCE, POSENC_XSIMD_SOURCE });
  return unlessStamped(`configure-${preset}`, value, [join("build", preset, "build.ninja")], () => {
    line.progress("configuring");
    const env = { ...process.env, ...environment };
    return capture("cmake", ["--preset", preset, "--fresh"], { log: `configure-${preset}`, env });
  });
}

/** Makes build/<preset> ready for ninja (and compile_commands.json for clang-tidy). */
export const configurePreset = (preset, line) => configure(preset, toolEnvironment(), line);

/** Builds the targets of a preset (all when none is named). */
export async function buildPreset(preset, targets, line) {
  const environment = toolEnvironment();
  await configure(preset, environment, line);
  const wanted = targets.length > 0 ? ["--target", ...targets] : [];
  const onLine = (text) => {
    const counts = text.match(/^\[(\d+\/\d+)\]/);
    if (counts) line.progress(`building ${counts[1]}`);
  };
  const env = { ...process.env, ...environment };
  const output = await capture("cmake", ["--build", "--preset", preset, ...wanted], {
    log: `build-${preset}`,
    env,
    onLine,
  });
  return /no work to do/.test(output) ? "up to date" : "built";
}

/** Runs a preset's tests and prints what they say. */
export const testPreset = (preset, line) =>
  report("ctest", ["--preset", preset], line, {
    log: `test-${preset}`,
    env: { ...process.env, ...toolEnvironment() },
  });
