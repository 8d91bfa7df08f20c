// What a peer is raced in, in Node and in a page alike.

import { angleTables } from "../javascript/rotary.mjs";
import { resultOf } from "../results.mjs";
import { race } from "../rounds.mjs";
import { BIASED, DECODING, GROUPED, HEADED } from "./packages.mjs";

/**
 * Races a peer beside posenc in every workload whose name matches `only` and that it does; gives each result to `onResult`.
 * `pe` and `full` are posenc's entries, loaded; `training`, where there is one, makes the race of a training step.
 */
export async function raceWith({ peerName, peer, pe, full, training, only, rounds, onResult }) {
  /** The largest difference of two results: both must have done the same work, to float32 angles at least. */
  function checked(mine, theirs) {
    if (mine.length !== theirs.length) throw new Error(`${peerName}: ${theirs.length} values, expected ${mine.length}`);
    const worst = mine.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs[i])), 0);
    if (!(worst < 0.02)) throw new Error(`${peerName}: off by ${worst}`);
    return worst;
  }

  async function table(length, dim) {
    const buffer = pe.buffer(length * dim);
    const options = { length, dim, order: "split" };
    const positions = Float32Array.from({ length }, (_, i) => i);
    const frequencies = Float32Array.from(pe.frequencies({ dim }).data);
    const { run, result } = await peer.table({ positions, frequencies });
    const worst = checked(pe.sinusoidal(options).data, await result());
    const what = "posenc exact, in a buffer";
    return {
      what,
      worst,
      contestants: { posenc: () => pe.sinusoidal({ ...options, out: buffer.view }), [peerName]: run },
    };
  }

  const ROWS = 4096;

  async function rotation(layout, seq) {
    const [heads, dim] = [32, 128];
    const shape = [seq, heads, dim];
    const buffer = pe.buffer(seq * heads * dim);
    const x = Float32Array.from({ length: buffer.length }, (_, i) => ((i * 7919) % 2003) / 1001 - 1);
    const rope = pe.rotary({ dim, layout });
    const { cos, sin } = angleTables(seq === 1 ? ROWS : seq, dim);
    let id = 0;
    const next = seq === 1 ? () => (id = (id + 1597) % ROWS) : () => 0;
    const first = seq === 1 ? 1 : 0; // the position at which a token is rotated, for the comparison
    const { run, result } = await peer.rotation({ x, cos, sin, layout, seq, heads, dim, next, first });
    const worst = checked(rope.apply(x.slice(), { shape, seqAxis: 0, offset: first }), await result());
    buffer.view.set(x);
    const step = rope.step?.(buffer, { shape, seqAxis: 0 });
    const mine =
      step && seq === 1
        ? () => step.apply(next())
        : () => rope.apply(buffer.view, { shape, seqAxis: 0, offset: next() });
    const what = "the peer's cos/sin ready, posenc's built in the call";
    return { what, worst, contestants: { posenc: mine, [peerName]: run } };
  }

  /** Numbers from -1 to 1 in a tensor; posenc finds them in its own memory, as the others in theirs. */
  function tensor(...shape) {
    const length = shape.reduce((all, extent) => all * extent, 1);
    const data = Float32Array.from({ length }, (_, i) => ((i * 7919) % 2003) / 1001 - 1);
    return { data, shape };
  }

  /** One call of posenc's full entry, into a buffer, beside the peer's `task` of that name. */
  async function beside(task, inputs, shape, call) {
    const mine = Object.fromEntries(
      Object.entries(inputs).map(([name, { data, shape }]) => {
        const buffer = full.buffer(data.length);
        buffer.view.set(data);
        return [
          name,
          {
            buffer,
            shape,
            get data() {
              return buffer.view;
            },
          },
        ];
      }),
    );
    const out = full.buffer(shape.reduce((all, extent) => all * extent, 1));
    const posenc = () => call(mine, out.view);
    posenc();
    const { run, result } = await peer[task](inputs);
    const worst = checked(out.view, await result());
    return { what: "float32, in a buffer", worst, must: 1.3, contestants: { posenc, [peerName]: run } };
  }

  /** A token of a model with grouped heads: its query and key rotated, key and value kept, all keys attended to. */
  async function decoding({ heads, keyHeads, keys, dim }) {
    const [held, pairs] = [keys - 1, dim / 2];
    const [query, key, value] = [heads, keyHeads, keyHeads].map((n) => tensor(n, 1, dim));
    const [cachedKeys, cachedValues] = [0, 0].map(() => tensor(keyHeads, held, dim));
    const [cos, sin] = ["cos", "sin"].map((name) => ({ data: angleTables(keys, dim)[name], shape: [keys, pairs] }));
    const { run, result } = await peer.decoding({ query, key, value, cachedKeys, cachedValues, cos, sin });

    const [q, k] = [query, key].map(({ data }) => full.buffer(data.length));
    const caches = [cachedKeys, cachedValues].map(({ data }) => {
      const buffer = full.buffer(keyHeads * keys * dim);
      for (let head = 0; head < keyHeads; ++head)
        buffer.view.set(data.subarray(head * held * dim, (head + 1) * held * dim), head * keys * dim);
      return buffer;
    });
    const out = full.buffer(heads * dim);
    const rope = full.rotary({ dim, layout: "half" });
    const [rotateQ, rotateK] = [
      [q, heads],
      [k, keyHeads],
    ].map(([buffer, n]) => rope.step(buffer, { shape: [1, n, dim], seqAxis: 0 }));
    const shape = [keyHeads, keys, dim];
    const posenc = () => {
      q.view.set(query.data);
      k.view.set(key.data);
      rotateQ.apply(held);
      rotateK.apply(held);
      [k.view, value.data].forEach((rows, i) => {
        for (let head = 0; head < keyHeads; ++head)
          caches[i].view.set(rows.subarray(head * dim, (head + 1) * dim), (head * keys + held) * dim);
      });
      const [ofKeys, ofValues] = caches.map(({ view: data }) => ({ data, shape }));
      const ofQuery = { data: q.view, shape: [heads, 1, dim] };
      full.attention({
        query: ofQuery,
        key: ofKeys,
        value: ofValues,
        cache: { length: keys },
        out: { output: out.view },
      });
    };
    posenc();
    const worst = checked(out.view, await result());
    return { what: "float32, caches in buffers", worst, must: 1.3, contestants: { posenc, [peerName]: run } };
  }

  const PRODUCTS = [
    {
      name: "linear [1024, 256] x [256, 256]",
      task: "linear",
      make: () =>
        beside("linear", { x: tensor(1024, 256), weight: tensor(256, 256) }, [1024, 256], ({ x, weight }, out) =>
          full.linear(x, weight, { out }),
        ),
    },
    {
      name: "softmax [1024, 1024]",
      task: "softmax",
      make: () => beside("softmax", { x: tensor(1024, 1024) }, [1024, 1024], ({ x }, out) => full.softmax(x, { out })),
    },
    {
      name: `attention [${HEADED.join(", ")}]`,
      task: "attention",
      make: () => {
        const [query, key, value] = [0, 0, 0].map(() => tensor(...HEADED));
        return beside("attention", { query, key, value }, HEADED, ({ query: q, key: k, value: v }, output) =>
          full.attention({ query: q, key: k, value: v, out: { output } }),
        );
      },
    },
    {
      name: BIASED,
      task: "attention",
      make: () => {
        const [query, key, value] = [0, 0, 0].map(() => tensor(...HEADED));
        const [heads, n] = HEADED;
        const inputs = { query, key, value, bias: tensor(heads, n, n) };
        return beside("attention", inputs, HEADED, ({ query: q, key: k, value: v, bias }, output) =>
          full.attention({ query: q, key: k, value: v, bias, biasScaled: false, out: { output } }),
        );
      },
    },
    {
      name: DECODING,
      task: "decoding",
      make: () => decoding(GROUPED),
    },
  ];

  const WORKLOADS = [
    ...[
      [2048, 512],
      [8192, 1024],
      [131072, 128],
    ].map(([length, dim]) => ({
      name: `table ${length} x ${dim}`,
      task: "table",
      make: () => table(length, dim),
    })),
    ...[2048, 256].flatMap((seq) =>
      ["half", "interleaved"].map((layout) => ({
        name: `RoPE ${layout} [${seq}, 32, 128]`,
        task: "rotation",
        make: () => rotation(layout, seq),
      })),
    ),
    ...["half", "interleaved"].map((layout) => ({
      name: `decode ${layout} [1, 32, 128]`,
      task: "rotation",
      make: () => rotation(layout, 1),
    })),
    ...PRODUCTS,
    { name: "training step, language model", task: "training", make: training },
  ];

  /** Not every peer does everything. */
  const raced = WORKLOADS.filter(({ name, task, make }) => only.test(name) && peer[task] && make);
  for (const { name, make } of raced) {
    const { what, worst, must, contestants } = await make();
    const times = await race(contestants, rounds);
    const goals = [{ of: "posenc", against: peerName, must }];
    onResult({ ...resultOf({ name, limit: "posenc", goals }, times), what, worst });
  }
}
