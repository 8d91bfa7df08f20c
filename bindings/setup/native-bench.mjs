// `npm run bench:native`: the benchmark of the C++ library; options after "--" are Google Benchmark's.
import { join } from "node:path";
import { alone } from "./build-steps.mjs";
import { buildPreset } from "./cmake.mjs";
import { build } from "./paths.mjs";
import { stream } from "./processes.mjs";

export const NATIVE_BENCH_PACKAGES = ["g++", "libbenchmark-dev"];

const PROGRAM = join(build, "native-bench", "tests", "bench", "native", "posenc_native_bench");

export const nativeBenchSteps = (args) => [
  {
    name: "native-bench-build",
    title: "Native bench: build",
    run: alone((line) => buildPreset("native-bench", ["posenc_native_bench"], line)),
  },
  { name: "native-bench", title: "Native bench", run: (line) => stream(PROGRAM, args, line) },
];
