// npm run bench -- --growth: time and memory of decoding and of rotation by length, heads and dtype, for the guide's page.

import { load } from "posenc/full";
import { digits, duration } from "./report.mjs";
import { machine } from "./rounds.mjs";

const DIM = 128;
const MOST = 2 ** 31 - 2 ** 25; // of the module's memory

/** What the processor was busy with this program alone, in milliseconds. */
function spent() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** The least of some calls, repeated until they can be measured; after those by which engines compile what is hot. */
function least(run) {
  for (const begin = spent(); spent() - begin < 300; ) run();
  const times = [];
  for (let round = 0; round < 7; ++round) {
    const start = spent();
    let calls = 0;
    for (; calls === 0 || spent() - start < 20; ++calls) run();
    times.push((spent() - start) / calls);
  }
  return Math.min(...times);
}

const tensor = (data, ...shape) => ({ data, shape });

/** A query of every head of a cache that is full, and the token before it: what a layer does for one token. */
function decoding(pe, length, heads, dtype) {
  const rope = pe.rotary({ dim: DIM, layout: "half" });
  const cache = pe.kvCache({ heads, capacity: length, dim: DIM, seqAxis: 1, rope, dtype });
  const one = tensor(new Float32Array(heads * DIM).fill(0.1), 1, 1, heads, DIM);
  const many = Math.min(length, 1000);
  const part = tensor(new Float32Array(many * heads * DIM).fill(0.1), 1, many, heads, DIM);
  for (let at = 0; at < length; at += many) cache.append(part, part);
  const time = least(() => {
    cache.truncate(length - 1);
    cache.append(one, one);
    cache.attend(one);
  });
  cache.dispose();
  return time;
}

/** All tokens rotated in a buffer. */
function rotation(pe, length, heads, dtype) {
  const rope = pe.rotary({ dim: DIM, layout: "half" });
  const buffer = pe.buffer(length * heads * DIM, { dtype });
  const options = { shape: [length, heads, DIM], seqAxis: 0, ...(dtype === "float32" ? {} : { dtype }) };
  const time = least(() => rope.apply(buffer.view, options));
  buffer.dispose();
  return time;
}

/** Prints a row for each dtype, number of heads and length whose arrays fit. */
export async function growth() {
  const pe = await load();
  console.log(`Time of the processor, ${machine()}; heads of ${DIM}:`);
  for (const [what, measure, arrays] of [
    ["decoding", decoding, 2],
    ["rotation", rotation, 1],
  ])
    for (const dtype of ["float32", "bfloat16", "float16"])
      for (const heads of [1, 8, 32])
        for (const length of [1e3, 1e4, 1e5, 1e6]) {
          const bytes = arrays * length * heads * DIM * (dtype === "float32" ? 4 : 2);
          if (bytes > MOST / 2) continue;
          const time = measure(pe, length, heads, dtype);
          const each = digits((time * 1e6) / (length * heads));
          console.log(
            `| ${what} | ${dtype} | ${heads} | ${length} | ${duration(time)} | ${each} ns | ${digits(bytes / 1e6)} MB |`,
          );
        }
}
