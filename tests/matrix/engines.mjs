// Browsers of other engines. No driver controls them: they open an address, and the page sends back what it found.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMiniBrowser, howToInstall } from "../../bindings/setup/debian-packages.mjs";
import { which } from "../../bindings/setup/paths.mjs";
import { said, startGroup, within } from "./commands.mjs";

/** Starts a program with a home of its own, which has no settings of the user's; `running` gets it. */
function atHome(command, args, { running, env = {}, files = {} }) {
  const home = mkdtempSync(join(tmpdir(), "posenc-browser-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content);
  const group = startGroup(command, args(home), { cwd: home, env: { HOME: home, XDG_RUNTIME_DIR: home, ...env } });
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  group.ended.then(remove, remove);
  running.push(group);
  return group;
}

/** No first-run pages, updates or reports: they would only cost time. */
const QUIET = `user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
`;

async function firefox(address, running) {
  const args = (home) => ["--headless", "--no-remote", "--profile", home, address];
  atHome("firefox-esr", args, { running, files: { "user.js": QUIET } });
}

/** The number of a display, once its server has said it, behind warnings where another server has the first number. */
export const displayOf = async (server) => (await said(server, /^\d+(?=\n)/m))[0];

/** WebKitGTK's MiniBrowser needs a display: a virtual one, whose number its server chooses. */
async function webkit(address, running) {
  const server = atHome("Xvfb", () => ["-displayfd", "1", "-nolisten", "tcp"], { running });
  const display = await within(30, displayOf(server), "no display");
  const env = { DISPLAY: `:${display}`, GDK_BACKEND: "x11", NO_AT_BRIDGE: "1" };
  atHome(findMiniBrowser(), () => [address], { running, env });
}

const unless = (packages) => () => {
  const missing = Object.keys(packages).filter((name) => !packages[name]());
  return missing.length > 0 ? howToInstall(missing) : undefined;
};

/** Name, how to open an address in it, the Debian package that its version is read from, and what is missing here. */
export const ENGINES = [
  {
    name: "Firefox ESR",
    browser: firefox,
    debian: "firefox-esr",
    missing: unless({ "firefox-esr": () => which("firefox-esr") }),
  },
  {
    name: "WebKitGTK",
    browser: webkit,
    debian: "libwebkit2gtk-4.1-0",
    missing: unless({ "libwebkit2gtk-4.1-0": findMiniBrowser, xvfb: () => which("Xvfb") }),
  },
];
