// Runs the code of figures: node run.mjs FILE... Prints the output and the error, or null, of each file as JSON.

import { pathToFileURL } from "node:url";

const { log } = console;
const outcomes = [];
for (const file of process.argv.slice(2)) {
  const printed = [];
  console.log = (...words) => printed.push(`${words.join(" ")}\n`);
  const error = await import(pathToFileURL(file).href).then(() => null, String);
  outcomes.push({ printed: printed.join(""), error });
}
log(JSON.stringify(outcomes));
