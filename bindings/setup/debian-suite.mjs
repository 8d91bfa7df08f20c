// Another Debian suite's packages, fetched with an apt state of their own: signatures are checked as always, while the
// system's sources, lists and packages stay as they are.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { aptStatus, mayInstall, refreshLists } from "./debian-packages.mjs";
import { adviceFor, SetupFailure } from "./failure.mjs";
import { capture, ended, start } from "./processes.mjs";

const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** The address of the machine's Debian mirror: read each time, kept nowhere. Undefined when there is none. */
async function mirror() {
  const format = ["--format", "$(LABEL)|$(REPO_URI)", "Created-By: Packages"];
  const table = await capture("apt-get", ["indextargets", ...format], { log: "apt-mirror" });
  return table
    .split("\n")
    .map((row) => row.split("|"))
    .find(([label]) => label === "Debian")?.[1];
}

/** apt lists no targets before its first update, as in a fresh container. */
async function mirrorAfterRefresh(line) {
  const known = await mirror();
  if (known) return known;
  if (!mayInstall()) throw new SetupFailure("The package lists have never been fetched. Type: sudo apt-get update");
  await refreshLists(line);
  const found = await mirror();
  if (found) return found;
  throw new SetupFailure(
    "This machine's package archive is not Debian's, so Emscripten cannot be unpacked from it. " +
      "Install Emscripten 3.1.69 or newer (em++ on PATH, or EMSDK set).",
  );
}

/** Opens `suite` with its state in `folder`; the result fetches packages into folders. */
export async function openSuite(suite, folder, line) {
  const address = await mirrorAfterRefresh(line);
  for (const part of ["state/lists/partial", "cache/archives/partial"])
    mkdirSync(join(folder, part), { recursive: true });
  const source = `[signed-by=${KEYRING}] ${address} ${suite} main\n`;
  writeFileSync(join(folder, "sources"), `deb ${source}deb-src ${source}`);
  const options = {
    "Dir::State": join(folder, "state"),
    "Dir::Cache": join(folder, "cache"),
    // Containers tell apt to keep neither: each of the commands below would read all lists again.
    "Dir::Cache::pkgcache": "pkgcache.bin",
    "Dir::Cache::srcpkgcache": "srcpkgcache.bin",
    "Dir::Etc::SourceList": join(folder, "sources"),
    "Dir::Etc::SourceParts": "/dev/null",
    "Dir::State::status": "/var/lib/dpkg/status",
    "Acquire::Retries": "3",
    "Acquire::Languages": "none",
    "APT::Status-Fd": "3",
    "APT::Update::Error-Mode": "any",
    // As root, apt would fetch as a user of its own, who may not enter a folder in a home directory.
    ...(mayInstall() ? { "APT::Sandbox::User": "root" } : {}),
  };
  const settings = Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  const apt = (args, cwd) =>
    capture("apt-get", [...settings, ...args], {
      log: `${suite}-${args[0]}`,
      cwd,
      fetches: true,
      env: { ...process.env, LC_ALL: "C.UTF-8" },
      onStatus: (text) => line.progress(aptStatus(text)),
    });
  line.progress(`reading the lists of ${suite}`);
  await apt(["update"], folder);
  /** Fetches into the folder `into` and resolves to the files; one that is there already and intact is kept. */
  const fetch = async (command, into) => {
    const listing = await apt([...command, "--print-uris"], folder); // asked in `into`, it leaves out what is there
    const files = [...listing.matchAll(/^'[^']+' (\S+) \d+/gm)].map(([, name]) => join(into, name));
    await apt(command, into);
    return files;
  };
  return {
    binaries: (packages, into) => fetch(["download", ...packages], into),
    sources: (packages, into) => fetch(["source", "--download-only", ...packages], into),
  };
}

/** Unpacks a .deb into `into`; `onBytes` is called for every chunk, `exclude` takes tar's patterns. */
export async function unpackDeb(file, into, { exclude = [], onBytes = () => {} } = {}) {
  const reader = start("dpkg-deb", ["--fsys-tarfile", file], { stdio: ["ignore", "pipe", "ignore"] });
  const patterns = exclude.map((pattern) => `--exclude=${pattern}`);
  const writer = start("tar", ["-x", "-C", into, ...patterns], { stdio: ["pipe", "ignore", "pipe"] });
  let complaints = "";
  writer.stderr.on("data", (chunk) => {
    complaints += chunk;
    if (complaints.length > 1000) writer.kill(); // on a full disk tar would name every file that it cannot write
  });
  const counter = new Transform({
    transform(chunk, _encoding, done) {
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  const codes = Promise.all([ended(reader), ended(writer)]);
  await pipeline(reader.stdout, counter, writer.stdin).catch(() => {}); // the exit codes tell what went wrong
  if ((await codes).every((code) => code === 0)) return;
  const [first] = complaints.split("\n");
  throw new SetupFailure(`${adviceFor(complaints) || first}\nUnpacking ${file} failed.`);
}

/** The size a .deb says it has when unpacked, in bytes. */
export async function unpackedSize(file) {
  return 1024 * Number(await capture("dpkg-deb", ["--field", file, "Installed-Size"], { log: "deb-size" }));
}
