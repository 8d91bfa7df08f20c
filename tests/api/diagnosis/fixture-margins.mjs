// By how many tolerances each known mistake fails, and whether the pasted test of JavaScript names it.

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

/** Finds for a mistake in a dtype the largest score among those of its name, and the largest error, in tolerances. */
function marginsOf({ sections: [section], heads, keys, scoreTolerance }, mistake, port, dtype) {
  const size = section.positions[0].length * section.input.length;
  const x = Float32Array.from({ length: heads * size }, (_, i) => section.input[i % section.input.length]);
  const { q, k } = rotateBoth(
    port,
    section,
    x,
    x.map((value) => value * keys),
    section.positions,
    dtype,
  );
  const wrong = (port.skips === "keys" ? k.map((value) => value / keys) : q).slice(-size);
  const errors = section.indices.map((index, i) => wrong[index] - section.outputs[i]);
  const { dim } = section.dims;
  const sizes = errors.map((e, i) => Math.abs(e) / section.tolerances[dtype][Math.floor(section.indices[i] / dim)]);
  const scores = section.mistakes
    .filter(({ names, bfloat16 }) => names.includes(mistake) && !(dtype === "bfloat16" && bfloat16 === null))
    .map(({ times, at, moves, ...own }) => {
      const all = section.outputs.slice(0, section.rotated);
      const indices = times === undefined ? at : all.map((_, i) => i);
      const directions = times === undefined ? moves : all.map((y) => y * (times - 1));
      const sum = (of) => directions.reduce((total, move, i) => total + of(move, i), 0);
      return sum((move, i) => move * errors[indices[i]]) / sum((move) => move ** 2) / (own[dtype] ?? scoreTolerance);
    });
  return { score: Math.max(0, ...scores), error: Math.max(...sizes) };
}

/** Whether numbers tell it, in this dtype. */
const isTold = ({ mistakes }, mistake, dtype) =>
  mistakes.some(({ names, ...own }) => names.includes(mistake) && own[dtype] !== null);

/** Each mutant of each plan: { plan, mistake, dtype, isTold, problems, score, error }. */
export async function rows(dtypes = ["float32", "bfloat16"]) {
  const made = [];
  for (const [plan, options] of Object.entries(plans)) {
    const { json, files } = pe.fixtures(options);
    const problems = await pasted(files);
    for (const [mistake, port] of mutants(options))
      for (const dtype of dtypes) {
        const told = isTold(json.sections[0], mistake, dtype);
        const margins = marginsOf(json, mistake, port, dtype);
        made.push({
          plan,
          mistake,
          dtype,
          isTold: told,
          skips: port.skips,
          problems: problems(port, dtype),
          ...margins,
        });
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
