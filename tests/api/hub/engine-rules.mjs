// Rules by which engines read keys and flags, written again from a reading of their sources, to compare with a model's plans:
// radians a position for each pair, and the factor of cosines and sines.

const range = (count) => Array.from({ length: count }, (_, i) => i);
const growth = (factor, m = 1) => (factor <= 1 ? 1 : 0.1 * m * Math.log(factor) + 1);
const clamp = (x) => Math.min(1, Math.max(0, x));

/** The index at which a frequency makes so many rotations in `length` positions. */
const indexOf = (rotations, { dim, base, length }) =>
  (dim * Math.log(length / (rotations * 2 * Math.PI))) / (2 * Math.log(base));

/** YaRN: `round` says whether the ramp's ends are whole. */
function yarn({ dim, base, factor, length, fast = 32, slow = 1, isRounded = true }) {
  const [low, high] = [indexOf(fast, { dim, base, length }), indexOf(slow, { dim, base, length })];
  const ends = isRounded ? [Math.floor(low), Math.ceil(high)] : [low, high];
  const [from, to] = [Math.max(0, ends[0]), Math.min(dim - 1, ends[1])];
  return range(dim / 2).map((i) => {
    const ramp = clamp((i - from) / Math.max(0.001, to - from));
    const own = base ** ((-2 * i) / dim);
    return (own / factor) * ramp + own * (1 - ramp);
  });
}

const plain = (dim, base, divisor = 1) => range(dim / 2).map((i) => base ** ((-2 * i) / dim) / divisor);

function llama3({ dim, base, factor, low, high, length }) {
  return plain(dim, base).map((own) => {
    const wavelength = (2 * Math.PI) / own;
    if (wavelength < length / high) return own;
    if (wavelength > length / low) return own / factor;
    const smooth = (length / wavelength - low) / (high - low);
    return ((1 - smooth) * own) / factor + smooth * own;
  });
}

/** llama.cpp: flags, and the key that --override-kv has; common/arg.cpp, llama_context, ggml_rope_yarn. */
export function ofFlags(flags, { dim, divisors }) {
  const of = (name) => {
    const at = flags.indexOf(name);
    return at < 0 ? undefined : flags[at + 1];
  };
  const base = Math.fround(Number(of("--rope-freq-base")));
  const kind = of("--rope-scaling");
  const scale = kind === "none" ? 1 : 1 / Number(of("--rope-scale") ?? 1);
  const multiplier = Number(/attn_factor=float:(.*)$/.exec(of("--override-kv") ?? "")?.[1] ?? 1);
  if (kind !== "yarn") {
    const frequencies = plain(dim, base, 1 / scale).map((own, i) => own / (divisors?.[i] ?? 1));
    return { frequencies, factor: multiplier };
  }
  const [fast, slow] = [Number(of("--yarn-beta-fast") ?? 32), Number(of("--yarn-beta-slow") ?? 1)];
  const length = Number(of("--yarn-orig-ctx"));
  // The context sets what ggml multiplies again.
  const set = (growth(1 / scale) / (1 + 0.1 * Math.log(1 / scale))) * multiplier;
  return {
    frequencies: yarn({ dim, base, factor: 1 / scale, length, fast, slow }),
    factor: set * (1 + 0.1 * Math.log(1 / scale)),
  };
}

/** Reads a dictionary by the rule that `read` takes for YaRN's factor. */
function ofDictionary({ rope_theta: base, ...keys }, { dim, name, factorOf, isRounded = () => true }) {
  const length = keys.original_max_position_embeddings;
  const { factor } = keys;
  if (name === "default" || name === "mrope") return { frequencies: plain(dim, base), factor: 1 };
  if (name === "linear") return { frequencies: plain(dim, base, factor), factor: 1 };
  if (name === "llama3") {
    const [low, high] = [keys.low_freq_factor, keys.high_freq_factor];
    return { frequencies: llama3({ dim, base, factor, low, high, length }), factor: 1 };
  }
  if (name !== "yarn") throw new Error(`${name}: no such rule here`);
  const { beta_fast: fast = 32, beta_slow: slow = 1 } = keys;
  return {
    frequencies: yarn({ dim, base, factor, length, fast, slow, isRounded: isRounded(keys) }),
    factor: factorOf(keys),
  };
}

const ratio = (factor, m, all) => growth(factor, m) / growth(factor, all);

/** By engine: which of two names it takes, and YaRN's factor. */
export const engineRules = {
  /** mlx_lm/models/rope_utils.py: initialize_rope, YarnRoPE. */
  mlx: (keys, dim) => {
    const name = keys.type || keys.rope_type || "default";
    const factorOf = ({ factor, mscale = 1, mscale_all_dim: all = 0 }) => ratio(factor, mscale, all);
    return ofDictionary(keys, { dim, name, factorOf });
  },
  /** src/transformers/modeling_rope_utils.py: _compute_yarn_parameters. */
  transformers: (keys, dim) => {
    const factorOf = ({ factor, attention_factor, mscale, mscale_all_dim: all }) =>
      attention_factor ?? (mscale && all ? ratio(factor, mscale, all) : growth(factor));
    const isRounded = ({ truncate = true }) => truncate;
    return ofDictionary(keys, { dim, name: keys.rope_type ?? keys.type, factorOf, isRounded });
  },
  /** python/sglang/srt/layers/rotary_embedding/factory.py and yarn.py. */
  sglang: (keys, dim) => {
    const factorOf = ({ factor, attn_factor = 1, mscale, mscale_all_dim: all }) =>
      attn_factor * (mscale !== undefined && all !== undefined ? ratio(factor, mscale, all) : growth(factor));
    const isRounded = ({ truncate = true }) => truncate;
    return ofDictionary(keys, { dim, name: keys.rope_type ?? keys.type, factorOf, isRounded });
  },
  /** src/python/py/models/builders/base.py: make_rope_init, make_mscale. */
  onnx: (keys, dim) => {
    const isYarn = "beta_fast" in keys;
    const given = keys.rope_type ?? keys.type;
    const name = isYarn ? "yarn" : ["linear", "llama3"].includes(given) ? given : "default";
    const factorOf = ({ factor, mscale = 0, mscale_all_dim: all = 0 }) =>
      mscale > 0 && all > 0 ? ratio(factor, mscale, all) : mscale > 0 ? mscale : growth(factor);
    return ofDictionary(keys, { dim, name, factorOf, isRounded: () => false });
  },
};

/** The divisors of rope_freqs.weight, as conversion/llama.py makes them. */
export const llama3Divisors = ({ dim, base, factor, low, high, length }) => {
  const made = llama3({ dim, base, factor, low, high, length });
  return plain(dim, base).map((own, i) => own / made[i]);
};
