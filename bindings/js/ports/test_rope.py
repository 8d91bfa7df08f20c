"""Whether a port rotates queries and keys as the model does (PyTorch).

fixtures.json, beside this file, says what is right, and what each known mistake would make of it. Fill in rotate() and
run "pytest test_rope.py" or "python test_rope.py". What fails is named.
"""

import json
import pathlib
import sys

import torch


def array(values, dtype):
    return torch.tensor(values, dtype=getattr(torch, dtype))

FIXTURES = json.loads(pathlib.Path(__file__).with_name("fixtures.json").read_text(encoding="utf-8"))

# The types that the port is tested in, by the names of fixtures.json; float16 may be tested as bfloat16 is.
DTYPES = ("float32", "bfloat16")


# ======================================================================================================================
# Call the port here. q and k are [1, heads, tokens, dim], FIXTURES["heads"] whole heads; positions are [1, tokens] or, where a
# token has several, [axes, 1, tokens]. section["name"] and section["layers"] say which layers are meant, section["dims"]
# which dimensions rotate. Return both, rotated.
def rotate(section, q, k, positions):
    raise NotImplementedError("call the port in rotate()")


# ======================================================================================================================


def moves_of(section, mistake):
    """By how much a mistake moves which outputs."""
    if "times" in mistake:
        at = range(section["rotated"])
        return at, [section["outputs"][i] * (mistake["times"] - 1) for i in at]
    return mistake["at"], mistake["moves"]


def problem(section, values, dtype):
    """What is wrong with outputs [tokens][dim], in words; None if nothing is."""
    dim = section["dims"]["dim"]
    tolerances = section["tolerances"][dtype]
    errors = [values[p // dim][p % dim] - y for p, y in zip(section["indices"], section["outputs"])]
    sizes = [abs(e) / tolerances[p // dim] for e, p in zip(errors, section["indices"])]
    worst = max(range(len(sizes)), key=lambda i: sizes[i] if sizes[i] == sizes[i] else float("inf"))
    passes = sizes[worst] <= 1
    best, left = None, FIXTURES["namedResidual"]
    for mistake in section["mistakes"]:
        at, moves = moves_of(section, mistake)
        squares = sum(m * m for m in moves)
        score = sum(errors[i] * m for i, m in zip(at, moves)) / squares
        tolerance = mistake.get(dtype, FIXTURES["scoreTolerance"])
        passes = passes and (tolerance is None or abs(score) <= tolerance)
        residual = sum((errors[i] - m) ** 2 for i, m in zip(at, moves)) / squares
        if residual <= left:
            best, left = mistake, residual
    if passes:
        return None
    index = section["indices"][worst]
    found = "none of the mistakes known here"
    if best is not None:
        found = " or ".join(name + " (" + FIXTURES["meanings"][name] + ")" for name in best["names"])
    return "%s; token %d, dimension %d is %.6g in place of %.6g, %.3g tolerances off" % (
        found,
        index // dim,
        index % dim,
        values[index // dim][index % dim],
        section["outputs"][worst],
        sizes[worst],
    )


def problems(dtype):
    """What is wrong in each section, in words."""
    found = []
    for section in FIXTURES["sections"]:
        tokens = len(section["positions"][0])
        heads = FIXTURES["heads"]
        queries = [[[section["input"]] * tokens] * heads]
        keys = [[[[x * FIXTURES["keys"] for x in section["input"]]] * tokens] * heads]
        positions = section["positions"] if len(section["positions"]) == 1 else [[axis] for axis in section["positions"]]
        q, k = rotate(section, array(queries, dtype), array(keys, dtype), array(positions, "int64"))
        for side, rotated, times in (("queries", q, 1), ("keys", k, FIXTURES["keys"])):
            values = rotated.astype("float32") if hasattr(rotated, "astype") else rotated.float()
            values = [[[x / times for x in token] for token in head] for head in values.reshape(heads, tokens, -1).tolist()]
            # All heads are alike. The last comes first: the first head's index, 0, looks like no rotation.
            wrong = [each for each in (problem(section, head, dtype) for head in reversed(values)) if each is not None]
            if wrong:
                found.append("%s, %s, %s: %s" % (section["name"], side, dtype, wrong[0]))
    return found


def test_rope():
    found = [wrong for dtype in DTYPES for wrong in problems(dtype)]
    assert not found, "\n" + "\n".join(found)


if __name__ == "__main__":
    try:
        test_rope()
    except AssertionError as wrong:
        sys.exit(str(wrong).strip())
    print("as the model does")
