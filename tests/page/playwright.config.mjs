import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { build } from "../../bindings/setup/paths.mjs";
import { launchOptions } from "./browser.mjs";
import { fontsOf } from "./fonts.mjs";

// `npx playwright test --config tests/page/playwright.config.mjs` runs the tests of the page. Tests tagged @all take long,
// as they go over every figure or row one by one: `--grep-invert @all` leaves them to `npm run test:all`. A failed test
// leaves its trace below build/page-tests, which `npx playwright show-trace` opens.

const MINUTE = 60_000;
const { POSENC_FONTS, ...env } = process.env;
if (POSENC_FONTS) Object.assign(env, fontsOf(POSENC_FONTS));

export default defineConfig({
  testMatch: "**/*.test.mjs",
  outputDir: join(build, "page-tests"),
  build: { external: ["**/dist/**", "**/build/**"] },
  workers: availableParallelism(),
  // A test fails by what it finds, and not because the machine is busy.
  timeout: 15 * MINUTE,
  expect: { timeout: 2 * MINUTE },
  reporter: "list",
  forbidOnly: true,
  use: {
    launchOptions: { ...launchOptions, env },
    // Pictures of every step would cost a third of the time.
    trace: { mode: "retain-on-failure", snapshots: false, screenshots: false, sources: false },
    screenshot: "only-on-failure",
  },
});
