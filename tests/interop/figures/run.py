"""Runs the code of figures, which is for PyTorch.

    python run.py torch|numpy FILE...

Prints, as JSON, for each file what it printed and the error that it ended with, or null.
"""

import contextlib
import io
import json
import math
import re
import sys

framework, *files = sys.argv[1:]
NAMES = {
    "import torch\n": "import numpy as np\n",
    "torch.tensor(": "np.array(",
    "torch.cat(": "np.concatenate(",
    "torch.softmax(": "softmax(",
    "torch.": "np.",
    ".to(": ".astype(",
}


def on_numpy(text):
    for name, there in NAMES.items():
        text = text.replace(name, there)
    return re.sub(r"\bdim=-1", "axis=-1", text)


def softmax(x, axis):
    powers = math.e ** (x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


told = []
for file in files:
    printed, error = io.StringIO(), None
    with open(file) as text, contextlib.redirect_stdout(printed):
        try:
            code = text.read() if framework == "torch" else on_numpy(text.read())
            exec(compile(code, file, "exec"), {"__name__": "__main__", "softmax": softmax})
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
    told.append({"printed": printed.getvalue(), "error": error})
print(json.dumps(told))
