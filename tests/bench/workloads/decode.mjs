// One token of 32 heads, another position at each call, as in decoding: there the cost is that of the calls themselves.

import { angleTables, rotateHalf, rotateInterleaved } from "../javascript/rotary.mjs";
import { SCALAR, SCRIPT, WITHOUT_SIMD } from "../row.mjs";
import { instanceOf } from "../yardsticks.mjs";

const HEADS = 32;
const DIM = 128;
const COUNT = HEADS * DIM;
/** As many positions as the JavaScript loop has cosines and sines for. */
const ROWS = 4096;
const MUST = { half: 9, interleaved: 10 };
const TOKENS = 64;

/** The loop in the thread in which a program decodes; SCRIPT is the same in a thread of its own (scripts.mjs). */
const BESIDE = "JavaScript, in the library's thread";

/** As in decoding; the others jump. */
const NEXT = "posenc, step to the next";

const plainOf = { half: rotateHalf, interleaved: rotateInterleaved };

/** Every position once in 4096 calls, no two adjacent ones in succession. */
function positions() {
  let id = 0;
  return () => {
    id = (id + 1597) % ROWS;
    return id;
  };
}

function token(pe) {
  const buffer = pe.buffer(COUNT);
  buffer.view.fill(1);
  return buffer;
}

function script(layout) {
  const { cos, sin } = angleTables(ROWS, DIM);
  const x = new Float32Array(COUNT).fill(1);
  const rotate = plainOf[layout];
  const next = positions();
  return { run: () => rotate(x, cos, sin, next(), 1, HEADS, DIM) };
}

function contestants({ pe, scalar, kernels }, layout) {
  const rope = pe.rotary({ dim: DIM, layout });
  const shape = [1, HEADS, DIM];
  const step = rope.step(token(pe), { shape, seqAxis: 0 });
  const plain = scalar.rotary({ dim: DIM, layout }).step(token(scalar), { shape, seqAxis: 0 });
  const following = rope.step(token(pe), { shape, seqAxis: 0 });
  const steps = positions();
  let id = 0;
  const kernel = instanceOf(kernels);
  const decoder = kernel.decoder(layout === "half" ? 1 : 0, HEADS, DIM);
  return {
    contestants: {
      [NEXT]: () => following.apply(id++ % ROWS),
      "posenc, step": () => step.apply(steps()),
      [SCALAR]: () => plain.apply(id++ % ROWS),
      [BESIDE]: script(layout).run,
      "core alone": () => kernel.decode(decoder, TOKENS),
    },
  };
}

export const decode = ["half", "interleaved"].map((layout) => ({
  name: `decode ${layout} [1, ${HEADS}, ${DIM}]`,
  // Many tokens a call: the cost of a call from JavaScript is not the kernel's.
  per: { "core alone": TOKENS },
  goals: [
    { of: NEXT, against: BESIDE, must: MUST[layout] },
    { of: "posenc, step", against: BESIDE, must: MUST[layout] },
    WITHOUT_SIMD,
    { of: "posenc, step", against: "core alone", measure: "cost", must: 1.1 },
  ],
  scripts: { [SCRIPT]: () => script(layout) },
  make: (modules) => contestants(modules, layout),
}));
