// Reads the built page in a browser: accessibility faults, numbers and verdicts.
import { EventEmitter, on } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "../../bindings/setup/paths.mjs";
import { everything } from "../page/panels/states.mjs";
import { serveFiles } from "../page/static-server.mjs";
import { within } from "./commands.mjs";

const folder = join(build, "page");
const PAGES = ["index.html", "more.html", "checked.html", "tools.html"];

/** Seconds without a word after which a page is given up: its longest wait is 60. */
const SILENCE = 120;

/** The states that numbers are compared in, as links: as the page opens, and with every row changed. */
const STATES = [
  "",
  "n=2048&d=512&p=700&k=320",
  `${new URLSearchParams({ ...everything, lang: "en", theme: "light" })}`,
];

/** The pages with a script before their own, which the policy lets in as it is of the same origin. */
function probed() {
  const files = PAGES.map((name) => {
    const page = readFileSync(join(folder, name), "utf8");
    return [
      name,
      page.replace("</title>", '</title><script src="./axe.js"></script><script src="./probe.js"></script>'),
    ];
  });
  const probe = readFileSync(new URL("page-probe.js", import.meta.url), "utf8");
  return new Map([
    ...files,
    ["axe.js", readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"))],
    ["probe.js", `const STATES = ${JSON.stringify(STATES)};\n${probe}`],
  ]);
}

/** The next report among what the pages send; they also say what they are doing, which silence is named by. */
async function nextReport(messages) {
  let doing = "to be opened";
  for (;;) {
    const [message] = (await within(SILENCE, messages.next(), `the page was ${doing}: no word`)).value;
    if (!message.doing) return message;
    doing = `at "${message.doing}"`;
  }
}

/**
 * Serves the page, has `open(address)` open it, and resolves to { faults, tables, verdicts } once all pages have
 * sent what they found.
 */
export async function reportOf(open) {
  const posts = new EventEmitter();
  const server = await serveFiles(folder, {
    instead: probed(),
    serves: (path) => path !== "service-worker.js", // it would only fetch everything once more
    onPost: (json) => posts.emit("message", JSON.parse(json)),
  });
  try {
    const messages = on(posts, "message");
    await open(`${server.address}index.html`);
    const whole = { faults: [], tables: {} };
    for (let seen = 0; seen < PAGES.length; seen++) {
      const report = await nextReport(messages);
      if (report.error) throw new Error(report.error);
      const { faults, tables, ...rest } = report;
      whole.faults.push(...faults);
      Object.assign(whole.tables, tables);
      Object.assign(whole, rest);
    }
    return whole;
  } finally {
    server.stop();
  }
}

const chromiumReports = new WeakMap();

/** The page's report in this Chromium, made once. */
export function chromiumReport(browser) {
  if (!chromiumReports.has(browser)) chromiumReports.set(browser, inChromium(browser));
  return chromiumReports.get(browser);
}

async function inChromium(browser) {
  const context = await browser.newContext({ serviceWorkers: "block" });
  try {
    return await reportOf(async (address) => (await context.newPage()).goto(address));
  } finally {
    await context.close();
  }
}

/** The first line in which two texts differ. */
function firstDifference(own, other) {
  const [lines, others] = [own, other].map((text) => text.split("\r\n"));
  const at = lines.findIndex((line, index) => line !== others[index]);
  return `line ${at + 1}: ${lines[at]?.slice(0, 200)} | ${others[at]?.slice(0, 200)}`;
}

/** Lists the faults of a report, on its own and compared with Chromium's. */
export function compared(own, other) {
  const different = (kind, say = (a, b) => `${a}, in Chromium ${b}`) =>
    [...new Set([...Object.keys(own[kind]), ...Object.keys(other[kind])])]
      .filter((name) => own[kind][name] !== other[kind][name])
      .map((name) => `${kind}, ${name}: ${say(own[kind][name] ?? "", other[kind][name] ?? "")}`);
  const empty = ["tables", "verdicts"].filter((kind) => Object.keys(own[kind]).length === 0);
  return [
    ...empty.map((kind) => `no ${kind}`),
    ...own.faults,
    ...other.faults.map((fault) => `in Chromium: ${fault}`),
    ...different("tables", firstDifference),
    ...different("verdicts"),
  ];
}
