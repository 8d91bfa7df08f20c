// Another Debian suite's packages, fetched with an apt state of their own: signatures are checked as always, while the
// system's sources, lists and packages stay as they are.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aptGet, mayInstall, refreshLists } from "./debian-packages.mjs";
import { SetupFailure } from "./failure.mjs";
import { capture } from "./processes.mjs";

const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** The address of the machine's Debian mirror: read each time, kept nowhere. */
async function mirror(line, isRefreshed = false) {
  const format = ["--format", "$(LABEL)|$(REPO_URI)", "Created-By: Packages"];
  const table = await capture("apt-get", ["indextargets", ...format], { log: "apt-mirror" });
  const [, address] = /^Debian\|(.*)$/m.exec(table) ?? [];
  if (address) return address;
  if (isRefreshed)
    throw new SetupFailure(
      "This machine's package archive is not Debian's, so Emscripten cannot be unpacked from it. " +
        "Install Emscripten 3.1.69 or newer (em++ on PATH, or EMSDK set).",
    );
  // apt lists no targets before its first update, as in a fresh container.
  if (!mayInstall()) throw new SetupFailure("The package lists have never been fetched. Type: sudo apt-get update");
  await refreshLists(line);
  return mirror(line, true);
}

/** Opens `suite` with its state in `folder`; resolves to a function that runs apt-get on it, there. */
export async function openSuite(suite, folder, line) {
  const address = await mirror(line);
  for (const part of ["state/lists/partial", "cache/archives/partial"])
    mkdirSync(join(folder, part), { recursive: true });
  const source = `[signed-by=${KEYRING}] ${address} ${suite} main\n`;
  writeFileSync(join(folder, "sources"), `deb ${source}deb-src ${source}`);
  const settings = {
    "Dir::State": join(folder, "state"),
    "Dir::Cache": join(folder, "cache"),
    // Containers tell apt to keep neither: each of the commands below would read all lists again.
    "Dir::Cache::pkgcache": "pkgcache.bin",
    "Dir::Cache::srcpkgcache": "srcpkgcache.bin",
    "Dir::Etc::SourceList": join(folder, "sources"),
    "Dir::Etc::SourceParts": "/dev/null",
    "Dir::State::status": "/var/lib/dpkg/status",
    "Acquire::Languages": "none",
    "APT::Update::Error-Mode": "any",
    // As root, apt would fetch as a user of its own, who may not enter a folder in a home directory.
    ...(mayInstall() ? { "APT::Sandbox::User": "root" } : {}),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  const apt = (args) => aptGet([...options, ...args], { log: `${suite}-${args[0]}`, line, cwd: folder });
  line.progress(`reading the lists of ${suite}`);
  await apt(["update"]);
  return apt;
}

/** Unpacks a .deb into `into`; `exclude` takes tar's patterns. */
export async function unpackDeb(file, into, exclude = []) {
  const patterns = exclude.map((pattern) => `--exclude=${pattern}`);
  const script = 'file=$1; shift; dpkg-deb --fsys-tarfile "$file" | tar -x "$@"';
  // On a full disk tar names every file: the cause is told instead.
  await capture("sh", ["-c", script, "sh", file, "-C", into, ...patterns], { log: "unpack", fetches: true });
}
