// Knip: files, exports and dependencies that nothing uses, and imports that lead nowhere.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { root } from "../../bindings/setup/paths.mjs";
import { packages } from "./install.mjs";

const config = join(root, "tests", "hygiene", "knip.config.mjs");

/** Runs knip on a folder; its report includes needless lines of its configuration. */
function knip(directory, configuration) {
  const args = ["--directory", directory, "--config", configuration, "--no-progress", "--treat-config-hints-as-errors"];
  const options = { encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(packages, "knip", "bin", "knip.js"), ...args],
    options,
  );
  return { status, output: stdout + stderr };
}

test("nothing is left over", () => {
  const { status, output } = knip(root, config);
  assert.equal(status, 0, output);
});

test("what is left over is found", () => {
  const project = mkdtempSync(join(tmpdir(), "posenc-knip-"));
  const files = {
    "package.json": JSON.stringify({ name: "stranger", type: "module", dependencies: { unwanted: "1.0.0" } }),
    "knip.json": JSON.stringify({ entry: ["src/main.mjs"], project: ["src/*.mjs"] }),
    "src/main.mjs": 'import { used } from "./used.mjs";\nused();\n',
    "src/used.mjs": "export const used = () => {};\nexport const unused = 1;\n",
    "src/dead.mjs": "export {};\n",
  };
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), content);
    }
    const { status, output } = knip(project, join(project, "knip.json"));
    assert.equal(status, 1);
    for (const leftOver of ["dead.mjs", "unused ", "unwanted"]) assert.ok(output.includes(leftOver), output);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});
