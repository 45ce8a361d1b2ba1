"""Times a table of many runs by `lcsm table`, by SQL and by pandas, in turns.

results_pandas.py WORKSPACE LCSM [TIMES]: a workspace kept by LCSM_BENCH_WORKSPACE=... results_bench,
and the program. All compute the mean over seeds of the last valid.ppl, by code and learning rate.
lcsm also selects the rate and adds marks, and includes the start of its process. Needs pandas.
"""
import pathlib
import sqlite3
import subprocess
import sys
import time

import pandas

workspace, lcsm = sys.argv[1:3]
times = int(sys.argv[3]) if len(sys.argv) > 3 else 5
database = sqlite3.connect(f"{pathlib.Path(workspace, 'results.db').resolve().as_uri()}?mode=ro", uri=True)


def by_pandas():
    history = pandas.read_sql("SELECT id, step, value FROM history WHERE metric = 'valid.ppl'", database)
    settings = pandas.read_sql(
        "SELECT id, key, value FROM settings WHERE key IN ('model.code', 'optim.lr')", database)
    last = history.sort_values("step").groupby("id")["value"].last()
    wide = settings.pivot(index="id", columns="key", values="value").join(last)
    return wide.groupby(["model.code", "optim.lr"])["value"].agg(["mean", "count"])["mean"].to_dict()


def by_sql():
    rows = database.execute("SELECT code, lr, avg(last), count(*) FROM outcomes"
                            " WHERE metric = 'valid.ppl' GROUP BY code, lr")
    return {(code, lr): mean for code, lr, mean, _ in rows}


def by_lcsm():
    words = [lcsm, "table", "bench", "--workspace", workspace, "--rows", "model.code",
             "--columns", "optim.lr", "--values", "valid.ppl", "--format", "json"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def least(works):
    took = {name: [] for name in works}
    for _ in range(times):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            took[name].append(time.perf_counter() - start)
    return {name: min(each) for name, each in took.items()}


ours, theirs = by_sql(), by_pandas()
assert ours.keys() == theirs.keys() and all(abs(ours[k] - theirs[k]) < 1e-9 for k in ours), "SQL and pandas disagree"
for name, seconds in least({"lcsm table": by_lcsm, "SQL": by_sql, "pandas": by_pandas}).items():
    print(f"{name:12} {seconds:8.3f} s")
