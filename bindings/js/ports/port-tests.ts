// The tests of ports that `fixtures` writes: files of this folder, and two more in Python. They are real files of
// their languages, which editors highlight; each has one marked place for a call of the port.

import type { FixtureFile } from "../types/index.js";
import javascript from "./rope.test.mjs" with { type: "text" };
import cpp from "./rope_test.cpp" with { type: "text" };
import torch from "./test_rope.py" with { type: "text" };

/** The test for JAX is that for PyTorch but for the making of arrays. */
const jax = torch
  .replaceAll("PyTorch", "JAX")
  .replaceAll("test_rope.py", "test_rope_jax.py")
  .replace("import torch\n", "import jax.numpy as jnp\n")
  .replace(/return torch.*/, 'return jnp.asarray(values, dtype="int32" if dtype == "int64" else dtype)');

/** NumPy has no bfloat16. */
const numpy = torch
  .replaceAll("PyTorch", "NumPy")
  .replaceAll("test_rope.py", "test_rope_numpy.py")
  .replace("import torch\n", "import numpy as np\n")
  .replace(/return torch.*/, "return np.array(values, dtype=dtype)")
  .replace(
    /# The types that.*\n.*/,
    '# The types that the port is tested in; NumPy has no bfloat16.\nDTYPES = ("float32",)',
  );

export const portTests: readonly FixtureFile[] = [
  { name: "test_rope.py", data: torch },
  { name: "test_rope_jax.py", data: jax },
  { name: "test_rope_numpy.py", data: numpy },
  { name: "rope_test.cpp", data: cpp },
  { name: "rope.test.mjs", data: javascript },
];
