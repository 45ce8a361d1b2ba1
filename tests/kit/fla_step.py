"""Times training steps of our language model (skeleton wikitext, code 1-10-1-0) as a user of PyTorch and
flash-linear-attention would write it: autocast to bfloat16, fused AdamW; eager, then compiled. A line of JSON each, as it
is done.

  fla_step.py '{"d": 512, "k": 128, "layers": 10, "words": 50265, "batch": 64, "length": 512}' [--cpu]

--cpu computes with fla's naive form, to try the script where there is no GPU.
"""
import importlib
import json
import math
import sys
import time

STEPS, REPEATS = 3, 10  # to warm up, timed


def reason(error):  # of any type: a broken installation may raise anything
    return f"{type(error).__name__}: {str(error)[:300]}"


def model_of(torch, recurrence, sizes):
    """Tokens [B, T] to logits [B, T, words]."""
    from torch import nn

    d, k = sizes["d"], sizes["k"]

    class Mixer(nn.Module):
        def __init__(self):
            super().__init__()
            self.input, self.output = (nn.Linear(d, d, bias=False) for _ in range(2))
            self.expand, self.shrink = (nn.Linear(d, k, bias=False) for _ in range(2))
            self.norm = nn.LayerNorm(d)

        def forward(self, x):
            s, e, i = (each(x)[:, :, None] for each in (self.shrink, self.expand, self.input))  # [B, T, 1, width]
            return self.output(self.norm(recurrence(s, e, i).flatten(2)))

    class Glu(nn.Module):
        def __init__(self, width=4 * d // 3):
            super().__init__()
            self.gate, self.value = (nn.Linear(d, width, bias=False) for _ in range(2))
            self.output = nn.Linear(width, d, bias=False)

        def forward(self, x):
            return self.output(self.gate(x) * self.value(x))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(sizes["words"], d)
            nn.init.normal_(self.embedding.weight, std=d**-0.5)
            self.parts = nn.ModuleList(part() for _ in range(sizes["layers"]) for part in (Mixer, Glu))
            self.norms = nn.ModuleList(nn.LayerNorm(d) for _ in self.parts)
            self.norm = nn.LayerNorm(d)

        def forward(self, tokens):
            x = math.sqrt(d) * self.embedding(tokens)
            for norm, part in zip(self.norms, self.parts):
                x = x + part(norm(x))
            return nn.functional.linear(self.norm(x), self.embedding.weight)

    return Model()


def recurrence_of(on_cpu):
    if on_cpu:
        naive = importlib.import_module("fla.ops.linear_attn.naive").naive_chunk_linear_attn
        return lambda s, e, i: naive(s, e, i, scale=1.0, normalize=False)
    chunk = importlib.import_module("fla.ops.linear_attn").chunk_linear_attn
    return lambda s, e, i: chunk(s, e, i, scale=1.0, normalize=False)[0]


def timed(torch, sizes, compiled, on_cpu):
    device = "cpu" if on_cpu else "cuda"
    torch.manual_seed(5)
    model = model_of(torch, recurrence_of(on_cpu), sizes).to(device)
    parameters = sum(p.numel() for p in model.parameters())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    forward = torch.compile(model) if compiled else model
    tokens = torch.randint(sizes["words"], (sizes["batch"], sizes["length"] + 1), device=device)
    wait = (lambda: None) if on_cpu else torch.cuda.synchronize

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device, dtype=torch.bfloat16):
            logits = forward(tokens[:, :-1])
            loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        return loss.detach()

    first = float(step())
    for _ in range(STEPS):
        step()
    times = []
    for _ in range(REPEATS):
        wait()
        start = time.perf_counter()
        loss = step()
        wait()
        times.append(time.perf_counter() - start)
    median = sorted(times)[len(times) // 2]
    return {"parameters": parameters, "losses": [first, float(loss)], "median": median,
            "tokens_per_second": sizes["batch"] * sizes["length"] / median,
            "peak_bytes": 0 if on_cpu else torch.cuda.max_memory_allocated()}


def main(sizes, on_cpu):
    for compiled in (False, True):
        result = {"step": "compiled" if compiled else "eager"}
        try:
            result.update(timed(importlib.import_module("torch"), sizes, compiled, on_cpu))
        except Exception as error:
            result["error"] = reason(error)
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), "--cpu" in sys.argv[2:])
