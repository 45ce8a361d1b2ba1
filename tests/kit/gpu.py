"""What `./run gpu` does: tests on the GPU, compute-sanitizer, benches beside flash-linear-attention where python3 has
it, all in one JSON.

It ends within nine minutes: each part gets what time is left, and what had to be cut off is said.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

MINUTES = 9
TESTS = "*OnDevice*:Device.*:Ceilings.Gpu*"
# What compute-sanitizer, some hundred times as slow, gets through: each kind of machine once.
SANITIZED = ("MachinesOnDevice.SumModesInBothDirections:MachinesOnDevice.WeighMeans:"
             "*RowsOnDevice.AreComputedInBfloat16/0")
# Shapes and codes that the project's goals name: B H, T, d, k.
BENCHES = [
    ("1024,512,64,64", ["1-10-1-0", "1-4-1-0", "1-1-1-0", "1-9-1-0", "fwp"]),
    ("1024,512,128,128", ["1-10-1-0", "1-1-1-0"]),
    ("64,256,64,64", ["1-10-1-0", "1-1-1-0"]),
    ("16,4096,512,1", ["0-ces-0-0", "0-ema-0-0", "0-2-0-0"]),
]


class Clock:
    """The seconds that are left."""

    def __init__(self):
        self.end = time.monotonic() + 60 * MINUTES

    def left(self, share=1.0):
        return max(1.0, share * (self.end - time.monotonic()))


def command(words, environment, seconds):
    """(output, why it is not whole or "")."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            ended = subprocess.run(words, env=environment, cwd=folder, text=True, timeout=seconds,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, errors="replace", check=False)
        except subprocess.TimeoutExpired as late:
            return (late.stdout or b"").decode(errors="replace"), f"cut off after {seconds:.0f} s"
        except OSError as error:
            return "", str(error)
    return ended.stdout, "" if ended.returncode == 0 else f"ended with status {ended.returncode}"


def json_of(words, environment, seconds):
    """The JSON that a program prints, or {"error": ...}."""
    output, why = command(words, environment, seconds)
    try:
        return json.loads(output[output.index("{"):])
    except ValueError:
        return {"error": why or "printed no JSON", "output": output[-2000:]}


def count(word, output):
    return sum(int(n) for n in re.findall(rf"\[ +{word} +\] (\d+) tests?", output))


def run_tests(kit, clock):
    """Shards of all programs side by side: kernels are compiled meanwhile, which takes most of the time."""
    shards = max(1, min(8, (os.cpu_count() or 1) // 2))
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(2 * shards) as pool:
        for path in kit.tests():
            for shard in range(shards):
                environment = {**kit.environment(), "GTEST_TOTAL_SHARDS": str(shards),
                               "GTEST_SHARD_INDEX": str(shard), "OMP_NUM_THREADS": "2"}
                words = [path, "--gtest_brief=1", f"--gtest_filter={TESTS}"]
                jobs.append((path, pool.submit(command, words, environment, clock.left(0.5))))
    results = []
    for path, job in jobs:
        output, why = job.result()
        part = {word.lower(): count(word, output) for word in ("PASSED", "FAILED", "SKIPPED")}
        if sum(part.values()) == 0 and not why:
            continue  # no test of this shard
        if why and not part["failed"]:
            part["failed"] = 1
        part.update(program=os.path.basename(path), why=why)
        if part["failed"] or part["skipped"]:
            part["output"] = output[-4000:]
            print(output, flush=True)
        results.append(part)
    return results


def sanitized(kit, clock):
    tool = shutil.which("compute-sanitizer")
    if tool is None:
        return {"skipped": "no compute-sanitizer on PATH"}
    path = kit.program("lcsm_tests")
    words = [tool, "--error-exitcode", "9", path, "--gtest_brief=1", f"--gtest_filter={SANITIZED}"]
    output, why = command(words, kit.environment(), min(90.0, clock.left(0.3)))
    return {"why": why, "output": output[-4000:]}


def benches(kit, clock):
    train = kit.program("lcsm-train")
    environment = kit.environment()
    parts = []
    for dtype in ("bf16", "fp32"):
        for shape, codes in BENCHES:
            words = [train, "bench", "eos", "--dtype", dtype, "--shape", shape, "--json", "--codes", *codes]
            measured = json_of([*words, "--device", "cuda", "--budget", "1"], environment, clock.left(0.4))
            parts.append({"dtype": dtype, "shape": shape, "measured": measured})
    return parts


def beside_fla(clock):
    """A line of JSON for each case, as far as it came."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "beside_fla.py")
    output, why = command([sys.executable, script, json.dumps(BENCHES)], os.environ, clock.left())
    results = []
    for line in output.splitlines():
        if line.startswith('{"'):
            try:
                results.append(json.loads(line))
            except ValueError:
                continue  # cut off
            if "skipped" in results[-1]:
                print(results[-1]["skipped"], flush=True)
    return {"why": why, "output": output[-2000:] if why else "", "results": results}


def rows_of(part):
    """(code, pass, measured us) of a bench."""
    for result in part["measured"].get("results", []):
        ours = result["contestants"][0]
        for name in ("forward", "forward_backward"):
            yield result["code"], name, 1e6 * ours[name]["median"]


def table(parts, fla):
    lines, theirs = [], {(line["shape"], line["code"]): line for line in fla["results"] if "code" in line}
    for part in parts:
        lines.append(f"{part['dtype']} B,T,D,K = {part['shape']}")
        for code, name, measured in rows_of(part):
            share = ""
            other = theirs.get((part["shape"], code), {}) if part["dtype"] == "bf16" else {}
            if name in other:
                share += f"{1e6 * other[name]['median']:10.1f} us by fla's {other['op']}"
            elif "error" in other:
                share += f"  fla's {other['op']}: {other['error']}"
            lines.append(f"  {code:12} {name:17}{measured:10.1f} us {share}")
        if "error" in part["measured"]:
            lines.append(f"  {part['measured']['error']}")
    return "\n".join(lines)


def run(kit, gpu, out):
    clock = Clock()
    train = kit.program("lcsm-train")
    report = {"schema": "lcsm.kit-gpu/1", "gpu": gpu, "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}

    def save():
        with open(out, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)

    for name, work in (("doctor", lambda: json_of([train, "doctor", "--json"], kit.environment(), clock.left(0.2))),
                       ("tests", lambda: run_tests(kit, clock)),
                       ("sanitizer", lambda: sanitized(kit, clock)),
                       ("eos", lambda: benches(kit, clock)),
                       ("ets", lambda: json_of([train, "bench", "ets", "--device", "cuda", "--budget", "1", "--json"],
                                               kit.environment(), clock.left(0.5))),
                       ("step", lambda: json_of([train, "bench", "step", "--device", "cuda", "--json"],
                                                kit.environment(), clock.left(0.7))),
                       ("fla", lambda: beside_fla(clock))):
        report[name] = work()
        save()  # what there is, should this be cut off
        print(f"----- {name}: {60 * MINUTES - clock.left():.0f} s", flush=True)
    print(table(report["eos"], report["fla"]))
    totals = [sum(part[word] for part in report["tests"]) for word in ("passed", "failed", "skipped")]
    print(f"{out}\n{totals[0]} passed, {totals[1]} failed, {totals[2]} skipped")
    sys.exit(0 if totals[0] and not totals[1] else 1)
