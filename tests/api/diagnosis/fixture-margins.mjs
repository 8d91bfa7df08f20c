// Whether the pasted test of JavaScript passes right ports and names the mistake of each other.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { load } from "posenc/tools";
import { mutants, plans, rightPort } from "./fixture-plans.mjs";
import { rotateBoth } from "./fixture-port.mjs";

const pe = await load();

const call = /throw new Error\("call the port in rotate\(\)".*/;
const framework = 'import { test } from "node:test";';

/** Runs the pasted test on a port: its own `problems`, with a call of ours in its marked place. */
export async function pasted(files) {
  const folder = mkdtempSync(join(tmpdir(), "posenc-fixtures-"));
  try {
    for (const { name, data } of files) writeFileSync(join(folder, name), data);
    const text = files.find(({ name }) => name === "rope.test.mjs").data;
    if (!call.test(text) || !text.includes(framework)) throw new Error("the pasted test has no place for a port");
    const filled = text.replace(call, "return globalThis.port(section, q, k, positions, dtype);");
    const file = join(folder, "filled.mjs");
    writeFileSync(file, filled.replace(framework, "const test = () => {};"));
    const { problems } = await import(pathToFileURL(file));
    return (port, dtype, rounding = dtype) => {
      globalThis.port = (section, q, k, positions) => rotateBoth(port, section, q, k, positions, rounding);
      return problems(dtype);
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether numbers tell it, in this dtype. */
const isTold = ({ mistakes }, mistake, dtype) =>
  mistakes.some(({ names, ...own }) => names.includes(mistake) && own[dtype] !== null);

/** Each mutant of each plan: { plan, mistake, dtype, isTold, problems }. */
export async function rows(dtypes = ["float32", "bfloat16"]) {
  const made = [];
  for (const [plan, options] of Object.entries(plans)) {
    const { json, files } = pe.fixtures(options);
    const problems = await pasted(files);
    for (const [mistake, port] of mutants(options))
      for (const dtype of dtypes) {
        const told = isTold(json.sections[0], mistake, dtype);
        made.push({ plan, mistake, dtype, isTold: told, skips: port.skips, problems: problems(port, dtype) });
      }
  }
  return made;
}

/** Lists what is right, in all its ways. */
export async function rightRows() {
  const made = [];
  for (const [plan, options] of Object.entries(plans)) {
    const problems = await pasted(pe.fixtures(options).files);
    const right = rightPort(options);
    const ways = [
      ["float32", "exact", "float32"],
      ["float32", "float32", "float32"],
      ...(options.scaling ? [] : [["float32", "product", "float32"]]),
      ["bfloat16", "float32", "bfloat16"],
      ["bfloat16", "float32", "bfloat16, rounded once"],
      ["bfloat16", "exact", "bfloat16, of a cache"],
    ];
    for (const [dtype, arithmetic, rounding] of ways)
      made.push({ plan, dtype, arithmetic, rounding, problems: problems({ ...right, arithmetic }, dtype, rounding) });
  }
  return made;
}

/** Whether the mistake is what the pasted test says, of the side that has it. */
export const isNamed = ({ mistake, skips, problems }) =>
  problems.length === (skips ? 1 : 2) &&
  problems.every((text) => text.split(";")[0].includes(`${mistake} (`) && (!skips || text.includes(`, ${skips}, `)));
