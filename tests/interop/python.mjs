// Python, where it has NumPy, and PyTorch beside it.

import { spawnSync } from "node:child_process";
import { findNumpy } from "../../bindings/setup/debian-packages.mjs";

export const numpy = findNumpy();

export const findTorch = () => numpy && spawnSync(numpy, ["-c", "import torch"], { stdio: "ignore" }).status === 0;
