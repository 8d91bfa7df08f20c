// Runs the code of figures: node run.mjs FILE... Prints, as JSON, for each file what it printed and its error, or null.

import { pathToFileURL } from "node:url";

const { log } = console;
const told = [];
for (const file of process.argv.slice(2)) {
  const printed = [];
  console.log = (...words) => printed.push(`${words.join(" ")}\n`);
  const error = await import(pathToFileURL(file).href).then(() => null, String);
  told.push({ printed: printed.join(""), error });
}
log(JSON.stringify(told));
