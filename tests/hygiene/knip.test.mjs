// Knip: files, exports and dependencies that nothing uses, and imports that lead nowhere.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../bindings/setup/paths.mjs";
import { packages } from "./install.mjs";

test("nothing is left over, and no line of knip's configuration is needless", () => {
  const config = join(root, "tests", "hygiene", "knip.config.mjs");
  const args = ["--directory", root, "--config", config, "--no-progress", "--treat-config-hints-as-errors"];
  const options = { encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(packages, "knip", "bin", "knip.js"), ...args],
    options,
  );
  assert.equal(status, 0, stdout + stderr);
});
