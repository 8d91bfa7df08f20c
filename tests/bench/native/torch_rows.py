"""The rows of bench:native that PyTorch has too, one thread, medians: printed beside them where Debian's python3-torch
is installed. Its products are those of the BLAS that is there: libopenblas0 makes them ten times as fast as libblas3."""

import statistics
import time

try:
    import torch
    from torch.nn import functional
except ImportError:
    print("PyTorch is not here (apt install python3-torch): its rows are left out")
    raise SystemExit from None

torch.set_num_threads(1)
torch.manual_seed(1)


def attention(query, key, value, causal=False):
    scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
    if causal:
        seen = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = scores.masked_fill(~seen, float("-inf"))
    return scores.softmax(-1) @ value


def linear(rows, width):
    x, weight = torch.randn(rows, width), torch.randn(width, width)
    return lambda: functional.linear(x, weight)


def linear_backward(rows, width):
    x, weight = torch.randn(rows, width, requires_grad=True), torch.randn(width, width, requires_grad=True)
    bias = torch.zeros(width, requires_grad=True)
    y = functional.linear(x, weight, bias)
    gradient = torch.randn(rows, width)
    return lambda: torch.autograd.grad(y, (x, weight, bias), gradient, retain_graph=True)


def heads(queries=512, keys=512, count=8, dim=64):
    return [torch.randn(count, n, dim) for n in (queries, keys, keys)]


def attention_backward():
    inputs = [one.requires_grad_() for one in heads()]
    y = attention(*inputs)
    gradient = torch.randn_like(y)
    return lambda: torch.autograd.grad(y, inputs, gradient, retain_graph=True)


def optimiser(kind, **options):
    parameters = torch.randn(1 << 20, requires_grad=True)
    parameters.grad = torch.randn(1 << 20)
    return kind([parameters], lr=1e-3, **options).step


def rotation(seq, layout):
    x = torch.randn(seq, 32, 128)
    angles = torch.arange(seq)[:, None] * 10000 ** (-torch.arange(64) / 64)
    if layout == "interleaved":
        turn = torch.polar(torch.ones_like(angles), angles)[:, None]
        return lambda: torch.view_as_real(torch.view_as_complex(x.view(seq, 32, 64, 2)) * turn)
    cos, sin = (torch.cat([part, part], -1)[:, None] for part in (angles.cos(), angles.sin()))
    return lambda: x * cos + torch.cat([-x[..., 64:], x[..., :64]], -1) * sin


def table(rows, dim):
    def make():
        angles = torch.arange(rows)[:, None] * 10000 ** (-torch.arange(0, dim, 2) / dim)
        out = torch.empty(rows, dim)
        out[:, 0::2], out[:, 1::2] = angles.sin(), angles.cos()
        return out

    return make


def rows_of(values=1 << 20):
    x, other = torch.randn(values), torch.randn(values)
    ids = torch.randint(2048, (4096,))
    weights = torch.randn(2048, 256)
    gradient = torch.randn(4096, 256)
    tokens, positions = torch.randn(4, 1024, 256), torch.randn(1024, 256)
    distances = torch.arange(1024)[None] - torch.arange(1024)[:, None]
    slopes = 2.0 ** (-8 * (torch.arange(16) + 1) / 16)
    return {
        "linear/1024/256": linear(1024, 256),
        "linear/256/32": linear(256, 32),
        "linear_backward/1024/256": linear_backward(1024, 256),
        "linear_backward/256/32": linear_backward(256, 32),
        "softmax": lambda: x.view(1024, 1024).softmax(-1),
        "attention/whole": lambda given=heads(): attention(*given),
        "attention/causal": lambda given=heads(): attention(*given, causal=True),
        "attention_backward": attention_backward(),
        "one_query": lambda given=heads(1, 4096, 32, 128): attention(*given),
        "adam_step": optimiser(torch.optim.AdamW, weight_decay=0.01),
        "sgd_step": optimiser(torch.optim.SGD, momentum=0.9),
        "dropout": lambda: functional.dropout(x, 0.1),
        "add": lambda: tokens + positions,
        "lookup_rows": lambda: functional.embedding(ids, weights),
        "rows_gradient": lambda: torch.zeros(2048, 256).index_add_(0, ids, gradient),
        "convert<posenc::Float16>": lambda: other.half(),
        "convert<posenc::BFloat16>": lambda: other.bfloat16(),
        "alibi": lambda: slopes[:, None, None] * -distances.abs(),
        "rotation_with_cache/half/256": rotation(256, "half"),
        "rotation_with_cache/half/2048": rotation(2048, "half"),
        "rotation_with_cache/interleaved/256": rotation(256, "interleaved"),
        "rotation_with_cache/interleaved/2048": rotation(2048, "interleaved"),
        "table/2048/512": table(2048, 512),
        "table/8192/1024": table(8192, 1024),
    }


def milliseconds(run, budget=0.5):
    run()
    times = []
    start = time.perf_counter()
    while len(times) < 3 or time.perf_counter() - start < budget:
        begin = time.perf_counter()
        run()
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times)


print(f"PyTorch {torch.__version__}, one thread")
for name, run in rows_of().items():
    print(f"{name:40} {milliseconds(run):10.3f} ms", flush=True)
