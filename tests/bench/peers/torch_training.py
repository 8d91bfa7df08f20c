"""posenc's language model in PyTorch, one thread. Says its version, then answers the lines that it reads: a model is made
from parameters, steps are made with batches."""

import json
import math
import sys
import time

try:
    import torch
    from torch.nn import functional
except ImportError:
    print(json.dumps({}), flush=True)
    raise SystemExit from None

torch.set_num_threads(1)


def tensor(one):
    return torch.tensor(one["data"], dtype=torch.float32).view(one["shape"])


class Model:
    def __init__(self, sizes, parameters, bias):
        self.sizes = sizes
        self.of = {one["name"]: tensor(one).requires_grad_() for one in parameters}
        self.bias = tensor(bias)
        self.optimizer = torch.optim.Adam(self.of.values(), lr=1, betas=(0.9, 0.98), eps=1e-9)

    def norm(self, x, gain):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * self.of[gain]

    def attention(self, x, at):
        batch, length, width = x.shape
        heads = self.sizes["heads"]
        parts = functional.linear(x, self.of[at + "query_key_value"]).view(batch, length, 3, heads, width // heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-1, -2) * (1 / math.sqrt(width // heads)) + self.bias
        mixed = (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, width)
        return functional.linear(mixed, self.of[at + "attention_output"])

    def logits(self, tokens):
        x = functional.embedding(tokens, self.of["embedding"])
        for layer in range(self.sizes["layers"]):
            at = f"layers.{layer}."
            x = x + self.attention(self.norm(x, at + "attention_norm"), at)
            up = functional.linear(self.norm(x, at + "mlp_norm"), self.of[at + "up"], self.of[at + "up_bias"][0])
            gate = functional.gelu(up, approximate="tanh")
            x = x + functional.linear(gate, self.of[at + "down"], self.of[at + "down_bias"][0])
        return functional.linear(self.norm(x, "last_norm"), self.of["output"])

    def step(self, tokens, targets, rate):
        ids = torch.tensor(tokens).view(-1, self.sizes["length"])
        logits = self.logits(ids)
        loss = functional.cross_entropy(logits.view(-1, logits.shape[-1]), torch.tensor(targets))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.of.values(), 1)
        self.optimizer.param_groups[0]["lr"] = rate
        self.optimizer.step()
        return loss.item()


print(json.dumps({"version": torch.__version__}), flush=True)
model = None
for line in sys.stdin:
    asked = json.loads(line)
    answer = {}
    if "model" in asked:
        model = Model(**asked["model"])
    else:
        start = time.perf_counter()
        losses = [model.step(one["tokens"], one["targets"], one["rate"]) for one in asked["batches"]]
        answer = {"losses": losses, "milliseconds": (time.perf_counter() - start) * 1e3}
    print(json.dumps(answer), flush=True)
