"""Times flash-linear-attention on the shapes of gpu_parts.py, in bfloat16, and beside it our own operators for Python
where it has them: a line of JSON for each case, as it is done.

  beside_fla.py '[["B,T,D,K", ["CODE", ...]], ...]' [--prepare]

A case is timed only if its values and gradients are those of the definition, a plain loop. What cannot be
imported, computed or captured in a graph is a reason in its line, not the end. --prepare computes each case once, so
that its kernels are compiled.
"""
import importlib
import json
import sys
from functools import partial

# Of a code: the folder of fla.ops, the function in it, its options.
OPS = {
    "1-10-1-0": ("linear_attn", "chunk_linear_attn", {"scale": 1.0, "normalize": False}),
    "1-4-1-0": ("gla", "chunk_gla", {"scale": 1.0}),
    "fwp": ("delta_rule", "chunk_delta_rule", {"scale": 1.0}),
    "0-2-0-0": ("hgrn", "chunk_hgrn", {}),
}
# Timed by lcsm.eos, too, on equal inputs: a symbol and its place among the inputs.
OURS = {"1-10-1-0": {}, "fwp": {"p": 3}}
TOLERANCE = 3e-2  # of the largest number: bfloat16 in what goes in and out of products
REPLAYS, REPEATS = 10, 20


def reason(error):  # of any type: a broken installation may raise anything
    return f"{type(error).__name__}: {str(error)[:300]}"


def inputs_of(torch, code, shape):
    """q, k, v [B, T, 1, width] and what is beside them, or x and g [B, T, D]; g is the logarithm of the decay."""
    B, T, D, K = shape
    torch.manual_seed(5)

    some = partial(torch.randn, device="cuda")
    made = [some(B, T, 1, K) / K**0.5, some(B, T, 1, K), some(B, T, 1, D)]
    if code == "0-2-0-0":
        made = [some(B, T, D), -some(B, T, D).exp()]
    elif code == "1-4-1-0":
        made.append(-0.1 * some(1, 1, 1, K).exp().expand(B, T, 1, K))
    elif code == "fwp":
        made[1] = torch.nn.functional.normalize(made[1], dim=-1)
        made.append(some(B, T, 1).sigmoid())
    return [x.to(torch.bfloat16).contiguous().requires_grad_() for x in made]


def by_definition(torch, code, inputs):
    """m_t = o_t m_(t-1) + k_t v_t, y_t = q_t m_t in float32; the delta rule writes beta (v_t - k_t m_(t-1))."""
    inputs, m, y = [x.float() for x in inputs], 0.0, []
    for t in range(inputs[0].shape[1]):
        at = [x[:, t] for x in inputs]
        if code == "0-2-0-0":
            m = at[1].exp() * m + at[0]
            y.append(m)
            continue
        q, k, v = at[0][..., None], at[1][..., None], at[2][..., None, :]  # [B, 1, K, 1] and [B, 1, 1, D]
        if code == "1-4-1-0":
            m = at[3].exp()[..., None] * m
        if code == "fwp":
            v = at[3][..., None, None] * (v - (k * m).sum(-2, keepdim=True))
        m = m + k * v
        y.append((q * m).sum(-2))
    return torch.stack(y, 1)


def off(torch, code, shape, run):
    """The largest difference from the definition, of y and of all gradients."""
    inputs = inputs_of(torch, code, (2, 130, *shape[2:]))
    got, exact = run(inputs), by_definition(torch, code, inputs)
    weights = torch.randn_like(got)
    pairs = zip([got, *torch.autograd.grad(got, inputs, weights)],
                [exact, *torch.autograd.grad(exact, inputs, weights.float())])
    return max(float((a.float() - b.float()).abs().max() / b.float().abs().max()) for a, b in pairs)


def ready(torch, work):
    """What replays a graph of it, or the work itself and why there is no graph."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    try:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        return graph.replay, ""
    except Exception as error:
        return work, reason(error)


def median_seconds(torch, run):
    times = []
    for _ in range(REPEATS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(REPLAYS):
            run()
        end.record()
        torch.cuda.synchronize()
        times.append(1e-3 * float(start.elapsed_time(end)) / REPLAYS)
    return sorted(times)[len(times) // 2]


def timed(torch, work, evict):
    """Medians in seconds: with warm and cold caches, and of the calls one by one."""
    run, why = ready(torch, work)
    empty = ready(torch, evict)[0]
    both = ready(torch, lambda: (evict(), work()))[0]
    return {"median": median_seconds(torch, run), "eager": median_seconds(torch, work),
            "cold": median_seconds(torch, both) - median_seconds(torch, empty), "no_graph": why}


def timed_ours(torch, code, shape, evict):
    lcsm = importlib.import_module("lcsm")
    inputs = [x.detach().squeeze(2).requires_grad_() for x in inputs_of(torch, code, shape)]
    symbols = {name: inputs[n] for name, n in OURS[code].items()}
    run = lambda: lcsm.eos(code, s=inputs[0], e=inputs[1], i=inputs[2], **symbols)[0]
    d_y = torch.randn_like(run())
    return timed(torch, lambda: torch.autograd.grad(run(), inputs, d_y), evict)


def result_of(torch, code, shape, evict, prepare):
    folder, name, options = OPS[code]
    op = getattr(importlib.import_module(f"fla.ops.{folder}"), name)

    run = lambda inputs: op(*inputs, **options)[0]
    difference = off(torch, code, shape, run)
    if not difference <= TOLERANCE:
        raise ValueError(f"its values or gradients are off by {difference:.2g} of the largest")
    inputs = inputs_of(torch, code, shape)
    d_y = torch.randn_like(run(inputs))

    forward = torch.no_grad()(lambda: run(inputs))
    both = lambda: torch.autograd.grad(run(inputs), inputs, d_y)
    if prepare:
        return {"prepared": bool(both())}
    result = {"off": difference, "forward": timed(torch, forward, evict), "forward_backward": timed(torch, both, evict)}
    if code in OURS:
        try:
            result["ours"] = timed_ours(torch, code, shape, evict)
        except Exception as error:
            result["no_ours"] = reason(error)
    return result


def main(benches, prepare):
    try:
        torch, fla = importlib.import_module("torch"), importlib.import_module("fla")
        if not torch.cuda.is_available():
            raise RuntimeError("torch finds no GPU")
    except Exception as error:
        return print(json.dumps({"skipped": f"no flash-linear-attention: {reason(error)}"}))
    print(json.dumps({"fla": str(fla.__version__), "torch": str(torch.__version__)}), flush=True)
    space = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")  # more than any L2
    for shape, codes in benches:
        for code in filter(OPS.get, codes):
            result = {"shape": shape, "code": code, "op": OPS[code][1]}
            try:
                result.update(result_of(torch, code, tuple(map(int, shape.split(","))), space.zero_, prepare))
            except Exception as error:
                result["error"] = reason(error)
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), "--prepare" in sys.argv[2:])
