"""Runs a sweep and reads its results as frames, by the program `lcsm`."""

from __future__ import annotations

import difflib
import io
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from .programs import Error, ask, flags, follow

if TYPE_CHECKING:
    import pandas

    from ._frames import Results

PathLike = Union[str, "os.PathLike[str]"]
Settings = Mapping[str, Any]
Runs = Union[PathLike, Sequence[str], "pandas.DataFrame", None]


def results(
    workspace: PathLike | None = None,
    *,
    runs: Runs = None,
    scale: str | None = None,
    set: Settings | None = None,
) -> Results:
    """The runs of a workspace, a row each: id, status, steps, attempts, every key, the last value of every
    metric.

    workspace: its folder; by default that of `runs`, LCSM_WORKSPACE, else ./workspace.
    runs: only these: a sweep, its file, the first digits of ids, values ("model.code = 1-3-1-2, seed = 1"),
        rows of `lcsm.results`.
    scale, set: of the sweep, as in `lcsm.run`; by default all scales.

    >>> import lcsm
    >>> runs = lcsm.results()
    >>> columns = ["status", "model.code", "seed", "params"]
    >>> runs[columns].sort_values(["model.code", "seed"], ignore_index=True)
      status model.code  seed   params
    0   done   1-10-1-2     1  12736.0
    1   done   1-10-1-2     2  12736.0
    2   done   1-10-1-2     3  12736.0
    3   done    1-3-1-2     1  12736.0
    4   done    1-3-1-2     2  12736.0
    5   done    1-3-1-2     3  12736.0
    """
    from ._frames import Results, frame, frame_of_records

    workspace = _workspace(workspace, runs)
    options = flags(workspace=workspace, scale=scale, set=set, format="jsonl")
    records = [json.loads(line) for line in ask("export", *_words(runs), *options).split("\n") if line]
    found: Results = Results(
        frame_of_records(records) if records else frame(["id", "status", "steps", "attempts"], [])
    )
    found.workspace = os.fspath(workspace) if workspace is not None else None
    return found


def plan(
    sweep: PathLike,
    *,
    scale: str | None = None,
    workspace: PathLike | None = None,
    set: Settings | None = None,
    **options: Any,
) -> pandas.DataFrame:
    """What `lcsm.run` would do, a row a run; the totals are in `attrs`. Takes the options of `lcsm plan`.

    >>> import lcsm
    >>> plan = lcsm.plan("mine.toml", set={"seed": [1, 4]})
    >>> plan[["state", "seed", "model.code", "steps"]]
      state  seed model.code  steps
    0  done     1    1-3-1-2   60.0
    1   new     4    1-3-1-2   60.0
    2  done     1   1-10-1-2   60.0
    3   new     4   1-10-1-2   60.0
    >>> plan.attrs["points"], plan.attrs["states"]["new"]
    (4, 2)
    """
    from ._frames import frame_of_records

    words = flags(scale=scale, workspace=workspace, set=set, json=True, **options)
    answer = json.loads(ask("plan", sweep, *words))
    runs = answer.pop("runs")
    planned = frame_of_records(
        [{"id": run["id"], "state": run["state"], **run.pop("at"), **run} for run in runs]
    )
    planned.attrs.update(answer)
    return planned


def run(
    sweep: PathLike,
    *,
    scale: str | None = None,
    workspace: PathLike | None = None,
    set: Settings | None = None,
    **options: Any,
) -> pandas.DataFrame | None:
    """Trains the missing runs of a sweep, shows the program's output as it comes, and returns `lcsm.table`.

    sweep: the name of a sweep, or its file.
    scale: a scale of the sweep, such as "laptop".
    set: overrides a value in every point, or crosses a list: {"optim.lr": [1e-3, 3e-3]}.
    options: those of `lcsm run`: jobs=2, gpus="all", fail_fast=True, ...

    Ctrl-C lets every run write a checkpoint and stop; a second one kills them. The same call resumes. In a
    notebook, runs go on if the kernel ends. Returns None where there is no table yet: with dry_run, detach,
    or on="slurm" without wait.

    >>> import lcsm
    >>> frame = lcsm.run("mine.toml")
    <BLANKLINE>
    ...
    mine: 6 done, nothing to do
    >>> frame[["model.code", "metric", "n"]]
      model.code          metric  n
    0    1-3-1-2  valid.accuracy  3
    1    1-3-1-2   test.accuracy  3
    2   1-10-1-2  valid.accuracy  3
    3   1-10-1-2   test.accuracy  3
    """
    request: dict[str, Any] = {"scale": scale, "workspace": workspace, "set": set}
    plan(sweep, **request)  # refuses what is wrong before anything starts
    follow("run", sweep, *flags(**request, **options))
    later = options.get("dry_run") or options.get("detach")
    if later or (options.get("on", "local") != "local" and not options.get("wait")):
        return None
    return table(sweep, **request)


def table(
    name: PathLike | Sequence[PathLike] | None = None,
    *,
    number: int = 1,
    seeds: bool = False,
    workspace: PathLike | None = None,
    scale: str | None = None,
    set: Settings | None = None,
    **options: Any,
) -> pandas.DataFrame:
    """A table of a sweep, a row for each cell: its place, the metric, mean, sd (n - 1), n, the 95 % interval
    from low to high, and more.

    name: a sweep or its file, several of them, or None for all runs.
    number: which table of the sweep's file.
    seeds: a row for each run behind a cell instead, with its value, to make tests of your own.
    options: those of `lcsm table`: rows=["model.code"], values=["test.ppl@best"], where={"seed": 1},
        statistic="iqm", claim="A > B in test.accuracy", ...

    `attrs` has the title, the notes and the claims with their verdicts, effects, intervals and p.

    >>> import lcsm
    >>> claim = "1-3-1-2 is best of model.code in valid.loss"
    >>> table = lcsm.table("mine.toml", values=["params"], claim=claim)
    >>> table[["model.code", "metric", "mean", "sd", "n"]]
      model.code  metric     mean   sd  n
    0    1-3-1-2  params  12736.0  0.0  3
    1   1-10-1-2  params  12736.0  0.0  3
    >>> table.attrs["claims"][-1]["claim"]
    '1-3-1-2 is best of model.code in valid.loss'
    >>> seeds = lcsm.table("mine.toml", values=["params"], seeds=True)
    >>> seeds[["model.code", "metric", "seed", "value", "status"]]
      model.code  metric  seed    value status
    0    1-3-1-2  params     1  12736.0   done
    1    1-3-1-2  params     2  12736.0   done
    2    1-3-1-2  params     3  12736.0   done
    3   1-10-1-2  params     1  12736.0   done
    4   1-10-1-2  params     2  12736.0   done
    5   1-10-1-2  params     3  12736.0   done
    """
    words = flags(number=number, workspace=workspace, scale=scale, set=set, format="json", **options)
    answer = json.loads(ask("table", *_words(name), *words))
    keys = [*answer["row_keys"], *answer["column_keys"]]
    records = []
    for labels, cells in zip(answer["rows"], answer["cells"]):
        for column, cell in zip(answer["columns"], cells):
            at = {**dict(zip(keys, [*labels, *column["labels"]])), "metric": column["value"]}
            records += [{**at, **row} for row in (_samples(cell) if seeds else [_statistics(cell)])]
    made = _with_numbers(records, [*keys, "seed"])
    made.attrs = {"title": answer["title"], "notes": answer["notes"], "claims": answer.get("claims", [])}
    return made


def _statistics(cell: dict[str, Any]) -> dict[str, Any]:
    row = {name: cell[name] for name in ("mean", "sd", "n")}
    row["low"], row["high"] = cell["interval"]
    for name in ("median", "best", "not_worse", "difference", "published", "as_paper", "chosen"):
        row[name] = cell[name]
    row["marks"] = "; ".join(cell["marks"])
    if "estimate" in cell:
        row["estimate"] = cell["estimate"]["value"]
        row["estimate_low"], row["estimate_high"] = cell["estimate"]["interval"]
    if "text" in cell:
        row["text"] = cell["text"]
    return row


def _samples(cell: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            **{name: run[name] for name in ("seed", "value", "status", "id", "commit")},
            "chosen": cell["chosen"],
        }
        for run in cell["runs"]
    ]


def _with_numbers(records: list[dict[str, Any]], keys: list[str]) -> pandas.DataFrame:
    from ._frames import frame_of_records, typed

    for key in dict.fromkeys(keys):
        if all(key in record for record in records):
            for record, value in zip(records, typed([record[key] for record in records])):
                record[key] = value
    return frame_of_records(records)


def curves(
    runs: Runs = None,
    workspace: PathLike | None = None,
    *,
    metric: str | None = None,
    scale: str | None = None,
    set: Settings | None = None,
) -> pandas.DataFrame:
    """The logged values, a row each: id, the keys in which the runs differ, seed, metric, step, value, time.

    runs: a sweep, its file, the first digits of ids, values ("model.code = 1-3-1-2, seed = 1"), rows of
        `lcsm.results`, or None for all runs.
    metric: only this one.

    >>> import lcsm
    >>> curves = lcsm.curves("mine.toml", metric="valid.accuracy")
    >>> list(curves)
    ['id', 'model.code', 'seed', 'metric', 'step', 'value', 'time']
    >>> curves.groupby("step")["value"].count().to_dict()
    {20: 6, 40: 6, 60: 6}
    """
    import pandas

    workspace = _workspace(workspace, runs)
    facts = results(workspace, runs=runs, scale=scale, set=set)
    words = flags(workspace=workspace, scale=scale, set=set, curves=True, format="csv")
    text = ask("export", *_words(runs), *words)
    names = text.partition("\n")[0].split(",")
    values = ["metric", "step", "value", "time"]
    types: dict[Any, Any] = {"id": str, "metric": str, "step": "int64", "value": str, "time": "float64"}
    found = pandas.read_csv(io.StringIO(text), usecols=["id", *values], dtype=types)
    found["value"] = found["value"].map(float).astype("float64")  # every digit, unlike read_csv of pandas 2
    if metric is not None:
        _check_metric(metric, sorted(found["metric"].unique()))
        found = found[found["metric"] == metric]
    keys = [name for name in names if name in facts and name not in ("id", "seed", *values)]
    seed = ["seed"] if "seed" in facts else []
    joined: pandas.DataFrame = pandas.DataFrame(facts[["id", *keys, *seed]]).merge(found, on="id")
    return joined


def _check_metric(metric: str, there: list[str]) -> None:
    if metric not in there:
        near = difflib.get_close_matches(metric, there, 1)
        hint = f"did you mean {near[0]!r}?" if near else "there are " + (", ".join(there) or "none yet")
        raise Error(f"expected a metric of these runs, got {metric!r}; {hint}")


def _workspace(workspace: PathLike | None, runs: Any) -> PathLike | None:
    """That of the rows of `lcsm.results`, unless one is given."""
    if workspace is None and hasattr(runs, "columns"):
        from ._frames import Results

        return runs.workspace if isinstance(runs, Results) else None
    return workspace


def _words(runs: Any) -> list[str]:
    if runs is None:
        return []
    if isinstance(runs, (str, os.PathLike)):
        return [os.fspath(runs)]
    if hasattr(runs, "columns"):
        if "id" not in runs.columns:
            raise Error(
                "expected a frame with the column id, as lcsm.results returns it, got "
                + ", ".join(runs.columns)
            )
        runs = list(runs["id"].unique())
    if not len(runs):
        raise Error("expected at least one run or sweep, got none")
    return [os.fspath(one) for one in runs]
