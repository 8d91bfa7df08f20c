import { load } from "../../../dist/full.js";
import { expect, test } from "../fixtures.mjs";
import { checks, expected, firstSize } from "./checks.mjs";

// Verdicts follow from computations: a library that computes something else has another verdict, for every statement.

const each = (x, change) => ({ ...x, data: x.data.map(change) });
const range = (length, value) => Array.from({ length }, (_, at) => value(at));

/** A rotary that gives something else than rotated values. */
const rotaryWith = (apply) => (pe) => ({
  rotary: (options) => ({ apply, cache: (positions) => pe.rotary(options).cache(positions) }),
});

/** The relative code of post A's class: columns overwritten, and the exponent doubled. */
const asInThePost = (pe) => ({
  relativeSinusoidal: ({ queries, keys, dim }) => {
    const positions = range(queries * keys, (at) => ((at % keys) - Math.floor(at / keys) + keys) % keys);
    return { ...pe.sinusoidal({ positions, dim, exponent: "double-stepped" }), shape: [queries, keys, dim] };
  },
});

/** Attention that looks at distances, though nobody asked for it. */
const attentionByDistance = (pe) => ({
  attention: (options) => {
    const [n] = options.query.shape;
    const bias = { ...pe.alibi({ heads: 1, queries: n, keys: n }), shape: [n, n] };
    return pe.attention({ ...options, bias, biasScaled: false });
  },
});

const unrefusing = (pe) => ({
  lookupRows: (table, { ids, ...rest }) =>
    pe.lookupRows(table, ids ? { ...rest, ids: Array.from(ids, (id) => id % table.shape[0]) } : rest),
});

/** Ways to compute something else, and the verdicts that follow. */
const MUTANTS = {
  "encodings a thousandth too large": [
    (pe) => ({ sinusoidal: (options) => each(pe.sinusoidal(options), (x) => 1.001 * x) }),
    { A1: "refuted", A4: "refuted", B6: "refuted", D3: "refuted", E1: "refuted", E5: "refuted" },
  ],
  "encodings that fade": [
    (pe) => ({
      sinusoidal: (options) =>
        each(pe.sinusoidal(options), (x) => x / (1 + (options.offset ?? options.positions?.[0] ?? 0))),
    }),
    { A2: "refuted", D2: "holds", E4: "refuted" },
  ],
  "encodings that crowd together": [
    (pe) => ({
      sinusoidal: ({ length, offset = 0, positions = range(length, (p) => p + offset), ...rest }) =>
        pe.sinusoidal({ ...rest, positions: Array.from(positions, Math.log1p) }),
    }),
    { B1: "holds" },
  ],
  "encodings that do not know where they begin": [
    (pe) => ({ sinusoidal: ({ offset: _, ...rest }) => pe.sinusoidal(rest) }),
    { A2: "refuted", C5: "refuted" },
  ],
  "encodings of nothing": [
    (pe) => ({ sinusoidal: (options) => each(pe.sinusoidal(options), () => 0) }),
    { C2: "refuted", D5: "holds", E3: "refuted" },
  ],
  "sums that are too large": [
    (pe) => ({ add: (a, b) => each(pe.add(a, b), (x) => x + 0.1) }),
    { C3: "refuted", E1: "refuted", E2: "refuted" },
  ],
  "sums with noise": [(pe) => ({ add: (a, b) => each(pe.add(a, b), (x) => x + Math.random()) }), { E6: "holds" }],
  "bfloat16 with all digits": [() => ({ convert: (x) => x }), { A3: "holds" }],
  "relative codes with the class's two mistakes": [asInThePost, { A5: "holds" }],
  "rotation by neighbours where halves are asked for": [
    (pe) => ({ rotary: (options) => pe.rotary({ ...options, layout: "interleaved" }) }),
    { A6: "refuted", D4: "refuted" },
  ],
  "rotation by nothing": [
    rotaryWith((x) => x),
    {
      A7: "refuted",
      C7: "refuted",
      C8: "holds",
      C11: "refuted",
      C12: "refuted",
      C15: "refuted",
      D4: "refuted",
    },
  ],
  "rotation that lengthens": [rotaryWith((x) => x.map((value) => 1.001 * value)), { C14: "refuted" }],
  "rotation by doubled exponents": [
    (pe) => ({ rotary: (options) => pe.rotary({ ...options, exponent: "double-stepped" }) }),
    { C10: "conditional", C12: "refuted" },
  ],
  "a matrix that rotates back": [
    (pe) => ({ rotaryMatrix: ({ position, ...rest }) => pe.rotaryMatrix({ ...rest, position: -position }) }),
    { C13: "refuted" },
  ],
  "patches that are not rotated": [
    (pe) => ({ rotaryGrid: (options) => ({ ...pe.rotaryGrid(options), apply: (x) => x }) }),
    { C16: "refuted" },
  ],
  "frequencies that are all the same": [
    (pe) => ({ frequencies: (options) => each(pe.frequencies(options), () => 1) }),
    { C4: "refuted" },
  ],
  "attention that forgets its bias": [
    (pe) => ({ attention: ({ bias: _, biasScaled: __, ...rest }) => pe.attention(rest) }),
    { B2: "refuted", B5: "refuted" },
  ],
  "attention that is not divided": [
    (pe) => ({ attention: (options) => pe.attention({ ...options, scale: 1 }) }),
    { B4: "refuted" },
  ],
  "attention by distance": [attentionByDistance, { C1: "refuted" }],
  "linear attention that is a thousandth too large": [
    (pe) => ({ linearAttention: (options) => each(pe.linearAttention(options), (x) => 1.001 * x) }),
    { C17: "refuted" },
  ],
  "differences that are all 1": [
    (pe) => ({ relativeOffsets: (options) => each(pe.relativeOffsets(options), () => 1) }),
    { B3: "refuted", C6: "holds" },
  ],
  "a learned table that is not trained": [() => ({ adamStep: () => undefined }), { B7: "refuted" }],
  "tables without an end": [unrefusing, { B7: "holds", C18: "refuted" }],
  "random vectors that are parallel": [
    (pe) => ({ learnedTable: (options) => each(pe.learnedTable(options), () => 1) }),
    { C9: "holds" },
  ],
  "a BERT with sinusoids": [
    () => ({ hubConfig: () => ({ encoding: { type: "sinusoidal", firstRow: 0 } }) }),
    { D1: "holds" },
  ],
};

test("every statement has a wrong library that changes its verdict", () => {
  const changed = new Set(Object.values(MUTANTS).flatMap(([, verdicts]) => Object.keys(verdicts)));
  expect(Object.keys(expected).filter((id) => !changed.has(id))).toEqual([]);
});

for (const [name, [change, verdicts]] of Object.entries(MUTANTS))
  test(`with ${name} the verdict is another: ${Object.keys(verdicts).join(", ")} @all`, async () => {
    const [pe, { claims, verdictOf }] = await Promise.all([load(), checks()]);
    const wrong = { ...pe, ...change(pe) };
    for (const [id, verdict] of Object.entries(verdicts)) {
      expect(verdict, id).not.toBe(expected[id]);
      const finding = claims[id].check(wrong, { seed: 1, size: firstSize(claims[id]) });
      expect(verdictOf(finding), `${id}: ${JSON.stringify(finding.numbers)}`).toBe(verdict);
    }
  });
