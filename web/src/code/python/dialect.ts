/** What differs between PyTorch and NumPy with JAX. */
export interface Dialect {
  readonly import: string;
  /** Of doubles, and of what is stored. */
  readonly module: string;
  readonly stores: string;
  /** 0, 1, … below a number, as doubles. */
  range(count: number | string): string;
  /** Lists and expressions as doubles, and as float32. */
  array(values: string): string;
  double(name: string): string;
  single(values: string): string;
  /** As a type that counts. */
  whole(name: string): string;
  /** An array in float32 from now on. */
  rounded(expression: string): string;
  stored(name: string, like: string): string;
  join(parts: string): string;
  pairs(a: string, b: string): string;
  running(x: string): string;
  softmax(x: string): string;
}

export const pytorch: Dialect = {
  import: "import torch",
  module: "torch",
  stores: "torch",
  range: (count) => `torch.arange(${count}, dtype=torch.float64)`,
  array: (values) => `torch.tensor(${values}, dtype=torch.float64)`,
  double: (name) => `${name}.to(torch.float64)`,
  single: (values) => `torch.tensor(${values}, dtype=torch.float32)`,
  whole: (name) => `${name}.long()`,
  rounded: (expression) => `${expression}.float()`,
  stored: (name, like) => `${name}.to(${like}.dtype)`,
  join: (parts) => `torch.cat((${parts}), dim=-1)`,
  pairs: (a, b) => `torch.stack((${a}, ${b}), dim=-1).flatten(-2)`,
  running: (x) => `torch.cumsum(${x}, dim=-1)`,
  softmax: (x) => `torch.softmax(${x}, dim=-1)`,
};

export const jax: Dialect = {
  // Angles in NumPy's doubles: JAX has float32 unless it is told otherwise.
  import: "import jax.numpy as jnp\nimport numpy as np",
  module: "np",
  stores: "jnp",
  range: (count) => `np.arange(${count}, dtype=np.float64)`,
  array: (values) => `np.array(${values}, dtype=np.float64)`,
  double: (name) => `np.asarray(${name}, dtype=np.float64)`,
  single: (values) => `jnp.array(${values}, dtype=jnp.float32)`,
  whole: (name) => `${name}.astype(int)`,
  rounded: (expression) => `jnp.asarray(${expression}, dtype=jnp.float32)`,
  stored: (name, like) => `jnp.asarray(${name}, dtype=${like}.dtype)`,
  join: (parts) => `jnp.concatenate((${parts}), axis=-1)`,
  pairs: (a, b) => `jnp.stack((${a}, ${b}), axis=-1).reshape(*${a}.shape[:-1], -1)`,
  running: (x) => `np.cumsum(${x}, axis=-1)`,
  softmax: (x) => `jax.nn.softmax(${x}, axis=-1)`,
};

/** A number that Python takes for a double. */
export const float = (value: number) => (Number.isSafeInteger(value) ? `${value}.0` : String(value));

/** base^(-2i/d) for the first `count` pairs. */
export const powers = (base: number, count: number, dim: number, { range }: Dialect) =>
  `${float(base)} ** (-2 * ${range(count)} / ${dim})`;

/** Slices of the last axis: the pairs' first dimensions and their second ones. */
export const slices = (layout: string, name: string, half: number): readonly [string, string] =>
  layout === "half"
    ? [`${name}[..., :${half}]`, `${name}[..., ${half}:]`]
    : [`${name}[..., 0::2]`, `${name}[..., 1::2]`];
