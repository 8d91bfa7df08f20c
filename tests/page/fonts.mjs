import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "../../bindings/setup/paths.mjs";

// `node tests/page/fonts.mjs` unpacks Debian's packages of fonts below build/fonts, without installing them;
// `POSENC_FONTS=desktop npx playwright test --config tests/page/playwright.config.mjs` then runs the tests of the page as
// on a machine that has these fonts, and no others than those of `npm test`.

/** Fonts that machines have beside those of `npm test`, by Debian's packages. */
const SETS = {
  bare: [],
  desktop: ["fonts-urw-base35", "gsfonts", "fonts-liberation", "fonts-stix"],
  noto: ["fonts-noto-core"],
};
/** The fonts that `npm test` installs. */
const COMMON = ["truetype/dejavu", "truetype/wqy", "opentype/noto"].map((name) => `/usr/share/fonts/${name}`);

const fonts = join(build, "fonts");
const fileOf = (set) => join(fonts, set, "fonts.conf");

/** Sets in a browser's environment what gives it the fonts of a set alone. */
export function fontsOf(set) {
  if (!existsSync(fileOf(set))) throw new Error(`No fonts called ${set}: node tests/page/fonts.mjs unpacks them`);
  return { FONTCONFIG_FILE: fileOf(set) };
}

function unpack([set, packages]) {
  const folder = join(fonts, set);
  mkdirSync(folder, { recursive: true });
  if (packages.length > 0) execFileSync("apt-get", ["download", "-qq", ...packages], { cwd: folder, stdio: "inherit" });
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".deb")))
    execFileSync("dpkg", ["-x", file, folder], { cwd: folder });
  const rules = join(folder, "usr/share/fontconfig/conf.avail");
  const own = existsSync(rules) ? readdirSync(rules).map((name) => join(rules, name)) : [];
  const lines = [
    ...["/etc/fonts/conf.d", ...own].map((path) => `<include>${path}</include>`),
    ...[...COMMON, join(folder, "usr/share/fonts")].map((path) => `<dir>${path}</dir>`),
    `<cachedir>${join(folder, "cache")}</cachedir>`,
  ];
  writeFileSync(fileOf(set), `<?xml version="1.0"?>\n<fontconfig>\n${lines.join("\n")}\n</fontconfig>\n`);
}

/** Unpacks all sets. */
export const unpackFonts = () => Object.entries(SETS).forEach(unpack);

if (argv[1] === fileURLToPath(import.meta.url)) unpackFonts();
