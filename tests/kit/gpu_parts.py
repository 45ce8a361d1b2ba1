"""The parts of `./run gpu`. Each takes the kit and a Clock and returns its results: "summary" is printed, "why" says
what is not whole.
"""
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TESTS = "*OnDevice*:Device.*:Ceilings.Gpu*"
# The work for compute-sanitizer, some hundred times as slow: each kind of machine once.
SANITIZED = ("MachinesOnDevice.SumModesInBothDirections:MachinesOnDevice.WeighMeans:"
             "*RowsOnDevice.AreComputedInBfloat16/0")
# Shapes and codes that the project's goals name: B H, T, d, k.
BENCHES = [
    ("1024,512,64,64", ["1-10-1-0", "1-3-1-0", "1-4-1-0", "1-1-1-0", "1-9-1-0", "fwp"]),
    ("1024,512,128,128", ["1-10-1-0", "1-3-1-0", "fwp"]),
    ("64,512,512,128", ["1-10-1-0", "1-3-1-0", "1-1-1-0"]),
    ("256,4096,128,128", ["1-10-1-0"]),
    ("16,4096,512,1", ["0-2-0-0", "0-ces-0-0", "0-ema-0-0"]),
]
SIZES = {"d": 512, "k": 128, "layers": 10, "words": 50265, "batch": 64, "length": 512}
LANGUAGE_MODEL = [*(f"model.{name}={SIZES[name]}" for name in ("d", "k", "layers")), f"optim.batch={SIZES['batch']}",
                  f"task.length={SIZES['length']}", "optim.precision=bf16"]
MQAR = ["optim.batch=256", "task.length=256", "optim.precision=bf16"]
STEPS = [  # models, settings beside the task's
    ("text", ["1-10-1-0", "1-3-1-0"], [*LANGUAGE_MODEL, "task.tokens=gpt2"]),  # 50,265 words
    ("text", ["1-10-1-0", "1-3-1-0", "1-1-1-0", "1-9-1-0"], LANGUAGE_MODEL),
    ("mqar", ["1-10-1-0", "1-3-1-0", "attention"], MQAR),
]
SWEEP = """\
title = "Killed and resumed"
extends = "quickstart"

[base]
run.device = "cuda"
eval.steps = 100

[grid]
model.code = ["1-3-1-2", "1-9-1-2", "1-10-1-2"]
seed = [1]

[[claim]]
claim = "1-3-1-2 > 1-10-1-2 in test.accuracy"
"""
# Steps that were computed again after a kill count as one row if they are equal.
NUMBERS = """SELECT DISTINCT id, metric, step, value FROM history
WHERE metric LIKE 'train.loss' OR metric LIKE 'valid.%' OR metric LIKE 'test.%' ORDER BY id, metric, step, value"""


class Clock:
    """The seconds that a part has left."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def left(self, share=1.0):
        return max(1.0, share * (self.end - time.monotonic()))


def result_of(work, kit, seconds):
    try:
        return work(kit, Clock(seconds))
    except Exception as error:  # of any type: other parts continue
        return {"why": f"{type(error).__name__}: {str(error)[:500]}"}


def command(words, environment, seconds, folder=None):
    """(output, why it is not whole or "")."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            ended = subprocess.run(words, env=environment, cwd=folder or scratch, text=True, timeout=seconds,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, errors="replace", check=False)
        except subprocess.TimeoutExpired as late:
            return (late.stdout or b"").decode(errors="replace"), f"cut off after {seconds:.0f} s"
        except OSError as error:
            return "", str(error)
    return ended.stdout, "" if ended.returncode == 0 else f"ended with status {ended.returncode}"


def json_of(words, environment, seconds):
    """The JSON that a program prints, among messages, or {"error": ...}."""
    output, why = command(words, environment, seconds)
    try:
        return json.JSONDecoder().raw_decode(output, output.index("{"))[0]
    except ValueError:
        return {"error": why or "printed no JSON", "output": output[-2000:]}


def side_by_side(jobs):
    """Their results in order; half as many at once as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // 2)) as pool:
        return list(pool.map(lambda job: job(), jobs))


def whys(errors):
    return "; ".join(sorted({error for error in errors if error}))


def microseconds(result):
    """Of forward, and forward + backward, of our side."""
    ours = result["contestants"][0]
    return "".join(f"{1e6 * ours[name]['median']:10.1f} us" for name in ("forward", "forward_backward"))


def eos(kit, clock):
    train, environment = kit.program("lcsm-train"), kit.environment()

    def words(dtype, shape, codes, budget):
        return [train, "bench", "eos", "--device", "cuda", "--alone", "--json", "--budget", str(budget),
                "--dtype", dtype, "--shape", shape, "--codes", *codes]

    cases = [(dtype, shape, codes) for dtype in ("bf16", "fp32") for shape, codes in BENCHES]
    # Compiles all kernels first, in parallel, so that the timed runs find them.
    side_by_side([lambda case=(dtype, shape, [code]): command(words(*case, 0.01), environment, clock.left(0.5))
                  for dtype, shape, codes in cases for code in codes])
    parts, times = [], {}
    for dtype, shape, codes in cases:
        measured = json_of(words(dtype, shape, codes, 0.5), environment, clock.left())
        parts.append({"dtype": dtype, "shape": shape, "measured": measured})
        times.update({(shape, result["code"], dtype): microseconds(result) for result in measured.get("results", [])})
    lines = ["B,T,D,K: forward, forward + backward in bf16; the same in fp32"]
    for shape, codes in BENCHES:
        lines.append(shape)
        lines += [f"  {code:12}{times.get((shape, code, 'bf16'), '-')}{times.get((shape, code, 'fp32'), '-')}"
                  for code in codes]
    return {"results": parts, "summary": lines, "why": whys(part["measured"].get("error") for part in parts)}


def step(kit, clock):
    train, environment, parts, lines = kit.program("lcsm-train"), kit.environment(), [], []
    for task, models, settings in STEPS:
        words = [train, "bench", "step", "--device", "cuda", "--alone", "--json", "--budget", "2", "--task", task]
        for setting in settings:
            words += ["--set", setting]
        # Each model by itself: one that does not fit costs its own line.
        for model in models:
            measured = json_of([*words, "--models", model], environment, clock.left(0.6))
            parts.append({"task": task, "settings": settings, "model": model, "measured": measured})
            for result in measured.get("results", []):
                for each in result["models"]:
                    lines.append(f"  {task:6}{each['model']:12}{1e3 * each['step']['median']:10.2f} ms a step")
            if "error" in measured:
                lines.append(f"  {task:6}{model:12}{measured['error']}")
    return {"results": parts, "summary": lines, "why": whys(part["measured"].get("error") for part in parts)}


def ets(kit, clock):
    words = [kit.program("lcsm-train"), "bench", "ets", "--device", "cuda", "--alone", "--budget", "0.5", "--json"]
    measured = json_of(words, kit.environment(), clock.left())
    lines = [f"  {result['case']:12}{microseconds(result)}" for result in measured.get("results", [])]
    return {"measured": measured, "summary": lines, "why": measured.get("error", "")}


def count(word, output):
    return sum(int(n) for n in re.findall(rf"\[ +{word} +\] (\d+) tests?", output))


def tests(kit, clock):
    """Shards of all programs side by side: kernels are compiled meanwhile, which takes most of the time."""
    shards = max(1, min(8, (os.cpu_count() or 1) // 2))

    def shard(path, n):
        environment = {**kit.environment(), "GTEST_TOTAL_SHARDS": str(shards), "GTEST_SHARD_INDEX": str(n),
                       "OMP_NUM_THREADS": "2"}
        return path, *command([path, "--gtest_brief=1", f"--gtest_filter={TESTS}"], environment, clock.left(0.9))

    results, lines = [], []
    jobs = [lambda path=path, n=n: shard(path, n) for path in kit.tests() for n in range(shards)]
    for path, output, why in side_by_side(jobs):
        part = {word.lower(): count(word, output) for word in ("PASSED", "FAILED", "SKIPPED")}
        if sum(part.values()) == 0 and not why:
            continue  # no test of this shard
        if why and not part["failed"]:
            part["failed"] = 1
        part.update(program=os.path.basename(path), why=why)
        if part["failed"] or part["skipped"]:
            part["output"] = output[-4000:]
            lines += [f"  {line}" for line in output.splitlines() if "Failure" in line or "FAILED" in line]
            lines += [f"  {part['program']}: {why}"] if why else []
        results.append(part)
    totals = [sum(part[word] for part in results) for word in ("passed", "failed", "skipped")]
    told = "{} passed, {} failed, {} skipped".format(*totals)
    return {"results": results, "summary": [*lines[:39], told], "why": told if totals[1] or not totals[0] else ""}


def python(kit, clock):
    """The Python package on this GPU, with the torch and pytest of python3."""
    library = kit.file("libexec/liblcsm_python.so")
    if not os.path.exists(library):
        return {"why": "this kit was packed without the Python package"}
    environment = {**kit.environment(), "LCSM_LIBRARY": library, "LCSM_BUILD": kit.file(".")}
    environment["LD_LIBRARY_PATH"] = f"{kit.file('lib')}:{environment['LD_LIBRARY_PATH']}"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--show-capture=no", "--tb=short"]
    output, why = command([*words, kit.file("tests/runner/python/gpu_test.py")], environment, clock.left())
    return {"output": output[-8000:], "summary": output.splitlines()[-30:], "why": why}


def train(kit, clock):
    """A sweep that is killed twice and resumed ends with the numbers of an undisturbed one."""
    lcsm, environment, numbers, killed = kit.program("lcsm"), kit.environment(), {}, 0
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/sweep.toml", "w", encoding="utf-8") as file:
            file.write(SWEEP)

        def words(workspace, *more):
            return [lcsm, *more, "--workspace", f"{folder}/{workspace}"]

        for workspace, kills in (("killed", 2), ("whole", 0)):
            run = words(workspace, "run", "sweep.toml", "--plain")
            for _ in range(kills):
                started = subprocess.Popen(run, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
                try:
                    started.wait(min(5.0, clock.left(0.1)))
                except subprocess.TimeoutExpired:
                    os.killpg(started.pid, signal.SIGKILL)
                    started.wait()
                    killed += 1
            output, why = command(run, environment, clock.left(0.8), folder)
            if why:
                return {"why": f"{workspace}: {why}", "summary": output.splitlines()[-20:]}
            asked = words(workspace, "query", "--format", "csv", NUMBERS)
            numbers[workspace], why = command(asked, environment, clock.left(), folder)
            if why:
                return {"why": f"{workspace}: {why}", "summary": numbers[workspace].splitlines()[-20:]}
    same = numbers["killed"] == numbers["whole"] and "test.accuracy" in numbers["whole"]
    return {"results": numbers,
            "summary": [f"  killed {killed} times and undisturbed: {'' if same else 'not '}the same numbers"],
            "why": "a resumed sweep has other numbers" if not same else "" if killed else "it ended before it was killed"}


def json_lines(output):
    for line in output.splitlines():
        if line.startswith('{"'):
            try:
                yield json.loads(line)
            except ValueError:
                continue  # cut off


def fla_step(kit, environment, seconds):
    return command([sys.executable, kit.file("fla_step.py"), json.dumps(SIZES)], environment, seconds)


def model_steps(kit, environment, clock):
    """A training step of the language model: ours, then PyTorch's with fla, eager and compiled."""
    words = [kit.program("lcsm-train"), "bench", "step", "--device", "cuda", "--alone", "--json", "--budget", "2",
             "--task", "text", "--models", "1-10-1-0"]
    for setting in [*LANGUAGE_MODEL, "task.tokens=gpt2"]:
        words += ["--set", setting]
    measured = json_of(words, kit.environment(), clock.left(0.3))
    tokens = SIZES["batch"] * SIZES["length"]
    ours = [each["step"]["median"] for result in measured.get("results", []) for each in result["models"]]
    steps = [{"step": "ours", "median": median, "tokens_per_second": tokens / median} for median in ours]
    if "error" in measured:
        steps = [{"step": "ours", "error": measured["error"]}]
    output, why = fla_step(kit, environment, clock.left())
    return [*steps, *json_lines(output), *([{"step": "fla", "error": why}] if why else [])]


def step_line(step):
    name = f"  {step['step']:10}"
    if "error" in step:
        return name + step["error"]
    return f"{name}{1e3 * step['median']:10.2f} ms a step{step['tokens_per_second']:12.0f} tokens/s"


def tune(kit, clock):
    """The choices of kernels: all variants, and the table to commit, as far as it came."""
    with tempfile.TemporaryDirectory() as folder:
        words = [kit.program("lcsm-train"), "tune", "--json", "--budget", "0.5", "--out", f"{folder}/choices.csv"]
        measured = json_of(words, kit.environment(), clock.left())
        table = ""
        if os.path.exists(words[-1]):
            with open(words[-1], encoding="utf-8") as file:
                table = file.read()
    lines = []
    for each in measured.get("results", []):
        rules = each["variant"] == "rules"
        name = each["case"] if rules else f"  {each['variant']}"
        if "refused" in each and rules:
            lines.append(f"  {name} {each['refused'].splitlines()[0]}")
        elif rules or each.get("chosen"):
            lines.append(f"  {name:40}{1e3 * each['forward']:10.3f}{1e3 * each['forward_backward']:10.3f} ms")
    return {"measured": measured, "choices": table, "summary": lines, "why": measured.get("error", "")}


def baselines(kit, clock):
    """A line of JSON for each case, as far as it came."""
    environment = {**os.environ, "TRITON_CACHE_AUTOTUNING": "1"}
    library = kit.file("libexec/liblcsm_python.so")
    if os.path.exists(library):  # ours from Python, beside them
        environment |= {"LCSM_LIBRARY": library,
                        "PYTHONPATH": os.pathsep.join([kit.file("runner/python"), os.environ.get("PYTHONPATH", "")]),
                        "LD_LIBRARY_PATH": f"{kit.file('lib')}:{os.environ.get('LD_LIBRARY_PATH', '')}"}

    def fla(benches, seconds, *more):
        return command([sys.executable, kit.file("beside_fla.py"), json.dumps(benches), *more], environment, seconds)

    # Triton compiles 14 to 128 s for each case: all at once.
    side_by_side([lambda: fla_step(kit, environment, clock.left(0.6)),
                  *(lambda case=[shape, [code]]: fla([case], clock.left(0.6), "--prepare")
                    for shape, codes in BENCHES for code in codes)])
    output, why = fla(BENCHES, clock.left(0.6))
    steps = model_steps(kit, environment, clock)
    results, lines = [], [step_line(step) for step in steps]
    for each in json_lines(output):
        results.append(each)
        if "skipped" in each or "error" in each:
            lines.append(f"  {each.get('shape', '')} {each.get('op', '')} {each.get('skipped', each.get('error'))}")
            why = why or each.get("skipped", "")
        elif "forward" in each:
            times = "".join(f"{1e6 * each[name]['median']:10.1f} us" for name in ("forward", "forward_backward"))
            ours = f"{1e6 * each['ours']['median']:10.1f} us by lcsm.eos" if "ours" in each else ""
            lines.append(f"  {each['shape']} {each['op']:18}{times}{ours}")
    return {"results": results, "steps": steps, "output": output[-2000:] if why else "", "summary": lines, "why": why}


def sanitize(kit, clock):
    tool = shutil.which("compute-sanitizer")
    if tool is None:
        return {"why": "no compute-sanitizer on PATH"}
    words = [tool, "--error-exitcode", "9", kit.program("lcsm_tests"), "--gtest_brief=1", f"--gtest_filter={SANITIZED}"]
    output, why = command(words, kit.environment(), clock.left())
    return {"output": output[-4000:], "summary": output.splitlines()[-20:], "why": why}
