// Runs in the project's page, in whatever browser has it open: looks at all of it and sends what it found.
/* global STATES, axe */

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const send = (message) => fetch("./result", { method: "POST", body: JSON.stringify(message) });

/** Tells what comes next, so that silence can be named. */
const say = (doing) => void send({ doing });

async function until(condition, what) {
  say(what);
  for (let waited = 0; waited < 60_000; waited += 20) {
    if (condition()) return;
    await sleep(20);
  }
  throw new Error(`${what}: not within a minute`);
}

/** Two frames: what was asked for is drawn. */
const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));

/** Files that the page saves arrive here. */
const files = [];
URL.createObjectURL = (file) => {
  files.push(file);
  return "#";
};
HTMLAnchorElement.prototype.click = () => undefined;

async function follow(state) {
  say(`the state ${state}`);
  location.hash = `#${state}`;
  await settled();
  await settled();
}

const WAYS = ["en", "zh"].flatMap((lang) => ["light", "dark"].map((theme) => `lang=${lang}&theme=${theme}`));

/** Runs axe in both languages and themes. */
async function faults(page) {
  const found = [];
  for (const way of WAYS) {
    await follow(way);
    say(`axe, ${page}, ${way}`);
    const { violations, passes } = await axe.run(document, { resultTypes: ["violations"] });
    if (passes.length < 10) found.push(`${page}, ${way}: axe ran ${passes.length} rules`);
    for (const { id, nodes } of violations)
      for (const { target, failureSummary } of nodes)
        found.push(`${page}, ${way}: ${id}: ${target}: ${failureSummary}`);
  }
  return found;
}

/** A panel's numbers, as its file has them. */
async function table(panel) {
  files.length = 0;
  const button = (tool) => document.querySelector(`#${panel} [data-tool="${tool}"]`);
  if (!button("csv")) button("menu").click();
  await until(() => button("csv"), `the menu of ${panel}`);
  button("csv").click();
  await until(() => files.length > 0, `the file of ${panel}`);
  return files[0].text();
}

/** From the top to a figure, Back to the top, and forward again. */
async function wayBack() {
  const isAt = (id) => Math.abs(document.getElementById(id).getBoundingClientRect().top) < 200;
  scrollTo({ top: 0, behavior: "instant" });
  await sleep(1000); // the place where the reader is has been noted
  document.querySelector('#contents a[href*="at=decay"]').dispatchEvent(new MouseEvent("click", { cancelable: true }));
  await until(() => location.hash.includes("at=decay") && isAt("decay"), "the figure that a link leads to");
  await sleep(1000);
  history.back();
  await until(() => !location.hash.includes("at=") && scrollY === 0, "Back to the top");
  await sleep(1000);
  history.forward();
  await until(() => location.hash.includes("at=decay") && isAt("decay"), "forward to the figure");
}

/** The numbers of all figures of a page, once `first` is there. */
async function numbers(name, first) {
  // Before the others have their places, nothing on the page waits to be drawn.
  const isReady = () => document.querySelector(first) && document.querySelectorAll("main section").length > 1;
  await until(isReady, "the first figure, and the places of the others");
  dispatchEvent(new Event("beforeprint"));
  await until(() => document.querySelector("main") && !document.querySelector(".waiting"), "all figures");
  const report = { faults: await faults(name), tables: {} };
  const panels = [...document.querySelectorAll("main section")].map(({ id }) => id);
  for (const [at, state] of STATES.entries()) {
    await follow(state);
    for (const panel of panels) report.tables[`${panel}, state ${at}`] = await table(panel);
  }
  return report;
}

async function figures() {
  const report = await numbers("index", "#problem .problem-picture");
  await wayBack();
  return report;
}

const more = () => numbers("more", "#lab figure");

async function checked() {
  await until(() => document.querySelector("article button"), "the statements");
  const verdicts = {};
  for (const article of document.querySelectorAll("article")) {
    article.scrollIntoView();
    await until(() => article.querySelector(".verdict, .problem"), article.id);
    verdicts[article.id] = article.querySelector(".verdict")?.dataset.verdict ?? article.textContent;
  }
  return { faults: await faults("checked"), verdicts };
}

async function tools() {
  await until(() => document.querySelector("#result .verdict"), "the answer");
  return { faults: await faults("tools") };
}

/** The pages in their order, and what is reported of each. */
const PAGES = { index: figures, more, checked, tools };

async function probe() {
  const names = Object.keys(PAGES);
  const at = names.findIndex((name) => location.pathname.endsWith(`${name}.html`));
  const report = await PAGES[names[at]]().catch((error) => ({ error: `${error}\n${error.stack}` }));
  await send(report);
  if (at + 1 < names.length && !report.error) location.href = `./${names[at + 1]}.html`;
}

addEventListener("load", probe);
