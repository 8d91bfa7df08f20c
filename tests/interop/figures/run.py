"""Runs the code of figures.

    python run.py torch|numpy FILE...

Prints, as JSON, for each file what it printed and the error that it ended with, or null. JAX's runs on NumPy in its
place: the functions that it calls have the same names and meanings there.
"""

import contextlib
import io
import json
import sys

framework, *files = sys.argv[1:]
if framework == "numpy":
    import types

    import numpy as np

    def softmax(x, axis):
        powers = np.exp(x - x.max(axis, keepdims=True))
        return powers / powers.sum(axis, keepdims=True)

    jax = types.ModuleType("jax")
    jax.numpy, jax.nn = np, types.SimpleNamespace(softmax=softmax)
    jax.config = types.SimpleNamespace(update=lambda *_: None)  # NumPy has doubles anyway
    sys.modules["jax"], sys.modules["jax.numpy"] = jax, np

told = []
for file in files:
    printed, error = io.StringIO(), None
    with open(file) as text, contextlib.redirect_stdout(printed):
        try:
            exec(compile(text.read(), file, "exec"), {"__name__": "__main__"})
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
    told.append({"printed": printed.getvalue(), "error": error})
print(json.dumps(told))
