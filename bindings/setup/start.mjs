// `npm start`: makes the page, shows it, and makes the rest of the build while it is looked at.
import { setPriority } from "node:os";
import { buildSteps, firstSteps, isBuilt } from "./build-steps.mjs";
import { stayUntilStopped } from "./cleanup.mjs";
import { explain } from "./failure.mjs";
import { firstPage, LEFT_OUT } from "./first-page.mjs";
import { hasDesktop, openBrowser, servePage } from "./serve.mjs";
import { runSteps } from "./steps.mjs";

/** A part that the first page leaves out, with the promise `made` and what keeps and breaks it. */
function promised(part) {
  const whole = { ...part };
  whole.made = new Promise((keep, give) => Object.assign(whole, { keep, giveUp: give }));
  whole.made.catch(() => {}); // the server asks again
  return whole;
}

/** The build's steps, each of which puts beside the first page what it leaves out. */
const stepsThatAdd = (parts) =>
  buildSteps.map((step) => ({
    ...step,
    after: () => {
      for (const { add, keep } of parts.filter((part) => part.step === step.name)) {
        add();
        keep();
      }
    },
  }));

/** Makes what the first page leaves out, and what else `npm run build` makes. */
async function makeRest(parts) {
  console.log(
    "While it is open, the rest is made: the library for engines without SIMD, the package, the reference.\n",
  );
  setPriority(10); // the browser comes first
  try {
    await runSteps(stepsThatAdd(parts));
    console.log("\nAll is made.");
  } catch (error) {
    for (const { giveUp } of parts) giveUp(error);
    console.error(`\n${explain(error)}\nThe page is served without it. Ctrl-C, then the same command, tries again.`);
  }
}

/** Runs the steps of `setup`, shows the page and stays until it is stopped. */
export async function startPage(setup, { open }) {
  await runSteps([...setup, ...firstSteps]);
  const isWhole = isBuilt();
  const parts = isWhole ? [] : LEFT_OUT.map(promised);
  const { address } = await servePage(isWhole ? {} : { folder: firstPage, pending: parts });
  stayUntilStopped();
  console.log(`\nThe page is at ${address} (Ctrl-C ends it)`);
  if (open && hasDesktop()) openBrowser(address);
  if (!isWhole) await makeRest(parts);
}
