// posenc bench: how fast this machine rotates, and a plain loop beside it.

import type * as t from "../../js/types/index.js";
import { filesOf, numberOf, readArguments, texts } from "../arguments.js";
import { codes } from "../failure.js";
import { print, printJson, short } from "../print.js";
import { withProgress } from "../progress.js";

/** A few seconds in all. */
const rounds = 15;
const least = 60; // milliseconds a round

/** Rotates as people write it without a library: cosines and sines from tables, two products each. */
function plainLoop(x: Float32Array, cosines: Float32Array, sines: Float32Array, heads: number, dim: number): void {
  const half = dim / 2;
  const tokens = cosines.length / half;
  for (let token = 0; token < tokens; ++token) {
    for (let head = 0; head < heads; ++head) {
      const at = (token * heads + head) * dim;
      for (let i = 0; i < half; ++i) {
        const [cos, sin] = [cosines[token * half + i] as number, sines[token * half + i] as number];
        const [a, b] = [x[at + i] as number, x[at + half + i] as number];
        x[at + i] = a * cos - b * sin;
        x[at + half + i] = a * sin + b * cos;
      }
    }
  }
}

/** Milliseconds a call, at least `least` of them together. */
function timed(run: () => void, calls: number): number {
  const began = performance.now();
  for (let i = 0; i < calls; ++i) run();
  return (performance.now() - began) / calls;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

export async function bench(args: readonly string[], load: () => Promise<t.PosencTools>): Promise<number> {
  const given = readArguments(args, texts("dim", "heads", "tokens"));
  filesOf(given, 0, 0, "none: --dim 128 --heads 32 --tokens 256");
  const [dim, heads, tokens] = [
    numberOf(given, "dim") ?? 128,
    numberOf(given, "heads") ?? 32,
    numberOf(given, "tokens") ?? 256,
  ] as const;
  const pe = await load();
  const rotary = pe.rotary({ dim, layout: "half" });
  const buffer = pe.buffer(tokens * heads * dim);
  const x = Float32Array.from(buffer.view, (_, i) => ((i * 7) % 13) - 6);
  buffer.view.set(x);
  const { cos, sin } = pe.rotaryCache({ rotary, form: "onnx", length: tokens });
  const shape = [tokens, heads, dim];
  const all = {
    posenc: () => void rotary.apply(buffer.view, { shape, seqAxis: 0, offset: 0 }),
    loop: () => plainLoop(x, cos.data, sin.data, heads, dim),
  };
  const names = Object.keys(all) as (keyof typeof all)[];
  const calls = names.map((name) => Math.max(1, Math.ceil(least / Math.max(timed(all[name], 3), 1e-3))));
  const times = names.map((): number[] => []);
  await withProgress(given.language === "en" ? "Measuring" : "测量", (progress) => {
    for (let round = 0; round < rounds; ++round) {
      // In turn, so that what else runs disturbs both.
      for (const [i, name] of names.entries()) times[i]?.push(timed(all[name], calls[i] as number));
      progress((round + 1) / rounds);
    }
  });
  const medians = times.map(median);
  const perSecond = (milliseconds: number) => (tokens * heads * 1000) / milliseconds;
  const [posenc, loop] = medians as [number, number];
  const result = { dim, heads, tokens, rounds, posenc: perSecond(posenc), loop: perSecond(loop), ratio: loop / posenc };
  if (given.isJson) printJson(result);
  else if (given.language === "zh") {
    print(`每秒旋转的头（[${shape.join(", ")}]，float32，${rounds} 轮的中位数，一个线程）：`);
    print(`  posenc ${short(result.posenc)}，普通循环 ${short(result.loop)}：${short(result.ratio)} 倍`);
  } else {
    print(`Heads rotated a second ([${shape.join(", ")}], float32, median of ${rounds} rounds, one thread):`);
    print(
      `  posenc ${short(result.posenc)}, a plain loop with tables ${short(result.loop)}: ${short(result.ratio)} times`,
    );
  }
  return codes.fine;
}
