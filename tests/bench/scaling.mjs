// Time against length and dim over four decades: the exponent of growth, and how far times are from a line, a fixed part
// (set-up) and so much a unit. Memory itself is not linear, as caches end: memory.fill of the same sizes stands beside.

import { fittedExponent, fittedLine } from "./fit.mjs";
import { modulesInNode } from "./in-node.mjs";
import { load as busy, machine, node } from "./machine.mjs";
import { duration } from "./report.mjs";
import { median, race } from "./rounds.mjs";
import { limitsFor } from "./yardsticks.mjs";

const DECADES = [1, 3.2, 10, 32, 100, 320, 1000, 3200, 10000];

const lengths = DECADES.map((step) => 32 * step);
const dims = DECADES.map((step) => 2 * Math.round(16 * step));

/** What grows, in which sizes, and what one call at a size does, on `view`, which has values enough. */
const SERIES = [
  {
    name: "table, length x 128",
    sizes: lengths.map(Math.round),
    values: 128,
    call: (pe, length, out) => () => pe.sinusoidal({ length, dim: 128, out }),
  },
  {
    name: "table, 64 x dim",
    sizes: dims,
    values: 64,
    call: (pe, dim, out) => () => pe.sinusoidal({ length: 64, dim, out }),
  },
  {
    name: "RoPE, [seq, 1, 128]",
    sizes: lengths.map(Math.round),
    values: 128,
    call: (pe, seq, x) => {
      const rope = pe.rotary({ dim: 128, layout: "half" });
      return () => rope.apply(x, { shape: [seq, 1, 128] });
    },
  },
];

async function measured({ pe, yardsticks }, { name, sizes, values, call }, rounds) {
  const buffer = pe.buffer(sizes.at(-1) * values);
  call(pe, sizes.at(-1), buffer.view)(); // afterwards memory does not grow any more, and a view stays valid
  const { view } = buffer;
  const contestants = {};
  for (const size of sizes) {
    contestants[`posenc ${size}`] = call(pe, size, view.subarray(0, size * values));
    contestants[`fill ${size}`] = limitsFor(yardsticks, size * values, ["memory.fill"])["memory.fill"];
  }
  const times = await race(contestants, rounds);
  buffer.delete();
  const of = (who) => sizes.map((size) => median(times[`${who} ${size}`]));
  return { name, sizes, ...summary("posenc", sizes, of("posenc")), ...summary("fill", sizes, of("fill")) };
}

const summary = (who, sizes, times) => ({
  [who]: { times, exponent: fittedExponent(sizes, times), line: fittedLine(sizes, times) },
});

function text({ name, sizes, posenc, fill }) {
  const rows = sizes.map((size, i) => {
    const each = ((posenc.times[i] / size) * 1e6).toPrecision(3);
    const cells = [String(size), duration(posenc.times[i]), each, duration(fill.times[i])];
    return `  ${cells.map((cell) => cell.padStart(12)).join("")}`;
  });
  const verdict = ({ exponent, line: { fixed, perUnit, factor, at } }) =>
    `size^${exponent.toFixed(3)}; ${duration(fixed)} + ${duration(perUnit)} x size, off by a factor of ${factor.toFixed(2)} at most (at ${at})`;
  return [
    name,
    `  ${["size", "posenc", "ns a unit", "memory.fill"].map((head) => head.padStart(12)).join("")}`,
    ...rows,
    `  posenc: ${verdict(posenc)}`,
    `  memory.fill: ${verdict(fill)}`,
  ].join("\n");
}

export async function main({ rounds, json }) {
  const modules = await modulesInNode();
  const where = `${machine}, ${node}${busy()}`;
  if (!json) console.log(`${where}\nMedians of ${rounds} shuffled rounds\n`);
  const series = [];
  for (const one of SERIES) {
    series.push(await measured(modules, one, rounds));
    if (!json) console.log(`${text(series.at(-1))}\n`);
  }
  if (json) console.log(JSON.stringify({ machine: where, rounds, series }, undefined, 2));
}
