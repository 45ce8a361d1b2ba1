"""What `./run gpu` does: parts that stand alone. Each has its own limit, ends with a summary of at most 40 lines and
leaves its results in one JSON. What fails or is cut off is a line of its part; the other parts go on.
"""
import json
import sys
import time
from typing import Callable, NamedTuple

import gpu_parts

MINUTES = 8  # of the parts that run unless others are named
MOST_LINES = 40


class Part(NamedTuple):
    name: str
    seconds: int  # at most
    work: Callable
    usual: bool = True  # runs unless others are named


# The most valuable first.
PARTS = [
    Part("eos", 110, gpu_parts.eos),
    Part("step", 90, gpu_parts.step),
    Part("tests", 120, gpu_parts.tests),
    Part("python", 50, gpu_parts.python),
    Part("ets", 40, gpu_parts.ets),
    Part("train", 70, gpu_parts.train),
    Part("baselines", 180, gpu_parts.baselines, usual=False),
    Part("tune", 180, gpu_parts.tune, usual=False),
    Part("sanitize", 120, gpu_parts.sanitize, usual=False),
]


def stop(sentence):
    sys.exit(f"kit: {sentence}")


def chosen(names):
    known = {part.name: part for part in PARTS}
    for name in names:
        if name not in known:
            stop(f'expected a part of "gpu", got "{name}": one of {" ".join(known)}.')
    return [known[name] for name in names] or [part for part in PARTS if part.usual]


def run(kit, card, arguments):
    """Arguments: names of parts, and a file that ends in .json."""
    files = [word for word in arguments if word.endswith(".json")]
    parts = chosen([word for word in arguments if word not in files])
    out = files[-1] if files else "gpu.json"
    began = time.monotonic()
    report = {"schema": "lcsm.kit-gpu/2", "gpu": card, "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    for part in parts:
        start = time.monotonic()
        left = 60 * MINUTES - (start - began) if len(parts) > 1 else part.seconds
        if left < 5:
            report[part.name] = {"why": "no time was left"}
        else:
            report[part.name] = gpu_parts.result_of(part.work, kit, min(part.seconds, left))
        lines = report[part.name].pop("summary", [])
        report[part.name]["seconds"] = round(time.monotonic() - start, 1)
        with open(out, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
        print(f"----- {part.name}: {report[part.name]['seconds']:.0f} s", *lines[:MOST_LINES], sep="\n", flush=True)
        if report[part.name].get("why"):
            print(f"  {report[part.name]['why']}", flush=True)
    failed = [part.name for part in parts if report[part.name].get("why")]
    print(f"{out}: {len(parts) - len(failed)} of {len(parts)} parts whole" + (f"; not {' '.join(failed)}" if failed else ""))
    sys.exit(1 if failed else 0)
