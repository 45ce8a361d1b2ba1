"""Frames have the numbers that the program prints, to the last digit, and disturb nobody."""

import csv
import io
import json
import math
import sqlite3
import subprocess

import pytest

import lcsm
from lcsm import programs

pandas = pytest.importorskip("pandas")

METRICS = ["valid.accuracy", "valid.loss", "test.accuracy", "test.loss", "train.loss", "params"]


def program(*words):
    return subprocess.run([programs.program(), *words], capture_output=True, text=True, check=True).stdout


def test_results_are_what_the_database_has(here):
    runs = lcsm.results().set_index("id")
    assert len(runs) == 6 and set(runs["status"]) == {"done"}
    stored = sqlite3.connect("file:workspace/results.db?mode=ro", uri=True)
    outcomes = stored.execute("SELECT id, metric, last FROM outcomes").fetchall()
    assert len(outcomes) > 6 * len(METRICS)
    for run, metric, last in outcomes:
        assert runs.loc[run, metric] == last, metric
    for run, key, value in stored.execute("SELECT id, key, value FROM settings"):
        assert runs.loc[run, key] == value, key


def test_results_of_some_runs(here):
    runs = lcsm.results()
    chosen = lcsm.results(runs="model.code = 1-3-1-2, seed = 1")
    assert len(chosen) == 1 and (chosen["model.code"] == "1-3-1-2").all()
    assert set(lcsm.results(runs=runs[runs["seed"] == 2])["id"]) == set(runs["id"][runs["seed"] == 2])
    assert set(lcsm.results(runs="mine.toml", set={"seed": 1})["seed"]) == {1}
    with pytest.raises(lcsm.Error, match="expected at least one run or sweep, got none"):
        lcsm.results(runs=[])
    with pytest.raises(lcsm.Error, match="the column id"):
        lcsm.curves(pandas.DataFrame({"seed": [1]}))


def test_an_empty_workspace_has_no_rows(here):
    (here / "empty").mkdir()
    assert list(lcsm.results("empty")) == ["id", "status", "steps", "attempts"]
    assert len(lcsm.curves(workspace="empty")) == 0
    assert lcsm.results("empty").sql("SELECT count(*) AS n FROM runs")["n"].item() == 0


def test_frames_keep_their_workspace(here, tmp_path, monkeypatch):
    workspace = here / "workspace"
    runs = lcsm.results(workspace)
    monkeypatch.chdir(tmp_path)
    for frame in (
        runs.merge(pandas.DataFrame({"id": runs["id"], "note": "good"}), on="id"),
        pandas.concat([runs, runs]),
        runs[runs["seed"] == 1].sort_values("id"),
    ):
        assert frame.sql("SELECT count(*) AS n FROM runs")["n"].item() == 6
        assert set(lcsm.curves(frame)["id"]) == set(frame["id"])
    with pytest.raises(lcsm.Error, match="expected a workspace"):
        lcsm.curves(pandas.DataFrame(runs))


def test_sql_is_the_program_s_answer(here):
    statement = "SELECT code, n, mean, stddev, lowest, highest FROM seeds ORDER BY code, metric"
    frame = lcsm.results().sql(statement)
    expected = json.loads(program("query", "--format", "json", statement))
    assert list(frame) == expected["columns"]
    assert frame.astype(object).where(frame.notna(), None).values.tolist() == expected["rows"]


def test_sql_keeps_types(here):
    sql = lcsm.results().sql
    assert sql("SELECT '1-2' AS a, 1 AS a, 1e999 AS b, NULL AS c").iloc[0].tolist() == [
        "1-2",
        1,
        math.inf,
        None,
    ]
    large = 2**53 + 1
    gaps = sql(f"SELECT {large} AS n UNION ALL SELECT NULL")["n"]
    assert gaps.dropna().tolist() == [large]
    assert sql("-- a remark\nSELECT 'nan' AS a UNION ALL SELECT 'b'")["a"].tolist() == ["nan", "b"]


@pytest.mark.parametrize("statement", ["DELETE FROM runs", "DROP TABLE runs", "UPDATE runs SET steps = 1"])
def test_sql_refuses_writes(here, statement):
    with pytest.raises(lcsm.Error, match="expected a statement that only reads results.db"):
        lcsm.results().sql(statement)
    assert len(lcsm.results()) == 6


def test_sql_names_an_unknown_column(here):
    with pytest.raises(lcsm.Error, match="no such column: accuracy"):
        lcsm.results().sql("SELECT accuracy FROM overview")


def test_a_writer_is_not_disturbed(here):
    before = lcsm.results()
    writer = sqlite3.connect("workspace/results.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE runs SET message = 'written meanwhile'")
    pandas.testing.assert_frame_equal(lcsm.results(), before)
    assert lcsm.results().sql("SELECT count(*) AS n FROM runs")["n"].item() == 6
    assert len(lcsm.table("mine.toml")) == 4
    writer.execute("ROLLBACK")
    assert writer.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_slices_still_answer(here):
    runs = lcsm.results(here / "workspace")
    some = runs[runs["seed"] == 1]
    assert isinstance(some, lcsm.Results)
    assert some.sql("SELECT 1 AS one")["one"].item() == 1


def test_polars_has_the_same_values(here):
    pytest.importorskip("polars")
    runs = lcsm.results()
    other = runs.polars()
    assert other.columns == list(runs)
    for name in runs:
        there = runs[name].notna()
        assert [v for v in other[name].to_list() if v is not None] == runs[name][there].tolist(), name


def test_table_is_the_program_s_table(here):
    frame = lcsm.table("mine.toml")
    expected = list(csv.DictReader(io.StringIO(program("table", "mine.toml", "--format", "csv"))))
    assert len(frame) == len(expected) == 4
    for row, line in zip(frame.to_dict("records"), expected):
        assert (row["model.code"], row["metric"]) == (line["model.code"], line["value"])
        for name in ("mean", "sd", "median", "low", "high"):
            assert row[name] == float(line[name])
        assert (row["n"], row["best"], row["not_worse"]) == tuple(
            int(line[k]) for k in ("n", "best", "not_worse")
        )


def test_table_has_the_claims(here):
    (claim,) = lcsm.table("mine.toml").attrs["claims"]
    assert claim["claim"] == "1-3-1-2 > 1-10-1-2 in test.accuracy" and claim["n"] == 3
    assert claim["verdict"] in ("supported", "contradicted", "undecided")
    values = lcsm.table("mine.toml", seeds=True).query("metric == 'test.accuracy'")
    pairs = values.pivot(index="seed", columns="model.code", values="value")
    assert claim["effect"] == pytest.approx((pairs["1-3-1-2"] - pairs["1-10-1-2"]).mean(), abs=1e-15)


def test_table_of_seeds_has_the_means(here):
    means = lcsm.table("mine.toml").set_index(["model.code", "metric"])["mean"]
    found = lcsm.table("mine.toml", seeds=True).groupby(["model.code", "metric"])["value"].mean()
    # The program adds in another order.
    pandas.testing.assert_series_equal(found.sort_index(), means.sort_index(), check_names=False, rtol=1e-15)


def test_table_takes_the_program_s_options(here):
    frame = lcsm.table(
        "mine.toml", rows="model.code", columns=["seed"], values=["test.loss"], baseline="1-10-1-2"
    )
    assert frame["seed"].tolist() == [1, 2, 3] * 2 and (frame["n"] == 1).all()
    assert frame["difference"].notna().any()
    one = lcsm.table("mine.toml", where={"model.code": ["1-3-1-2"], "seed": [1, 2]}, values="test.loss")
    assert one["n"].tolist() == [2]
    shown = lcsm.table("mine.toml", statistic="iqm", values="test.loss")
    assert (shown["estimate_low"] <= shown["estimate"]).all()
    assert lcsm.table("mine.toml", values=["model.family"])["text"].tolist() == ["eos", "eos"]


def test_curves_are_the_history(here):
    curves = lcsm.curves("mine.toml")
    history = lcsm.results().sql("SELECT id, metric, step, value FROM history")
    keys = ["id", "metric", "step", "value"]
    found, expected = (set(map(tuple, frame[keys].values.tolist())) for frame in (curves, history))
    assert found == expected and len(curves) == len(history)
    assert list(curves) == ["id", "model.code", "seed", "metric", "step", "value", "time"]
    one = lcsm.curves("model.code = 1-3-1-2, seed = 2", metric="valid.loss")
    assert set(one["seed"]) == {2} and set(one["metric"]) == {"valid.loss"}


def test_plan_counts(here):
    plan = lcsm.plan("mine.toml", set={"seed": [1, 7], "optim.steps": 61})
    assert plan["state"].tolist() == ["new"] * 4 and plan["steps"].tolist() == [61.0] * 4
    assert set(lcsm.plan("mine.toml")["state"]) == {"done"}
    assert set(lcsm.plan("mine.toml", workspace="nowhere")["state"]) == {"new"}
    assert plan.attrs["points"] == 4 and not (here / "workspace/runs" / plan["id"][0]).exists()


@pytest.mark.parametrize(
    "call, sentence",
    [
        (
            lambda: lcsm.table("mine.tml"),
            "expected a sweep, its file or the sweep of some runs, got 'mine.tml'",
        ),
        (lambda: lcsm.run("quickstrt"), "quickstrt.*did you mean.*quickstart"),
        (lambda: lcsm.run("mine.toml", set={"optim.stps": 1}), "unknown key 'optim.stps'"),
        (lambda: lcsm.run("mine.toml", sclae="laptop"), "unknown option '--sclae'"),
        (lambda: lcsm.plan("mine.toml", scale="latop"), "latop"),
        (lambda: lcsm.table("mine.toml", values=["test.los"]), "did you mean 'test.loss'"),
        (lambda: lcsm.curves("mine.toml", metric="valid.acuracy"), "did you mean 'valid.accuracy'"),
        (lambda: lcsm.curves("mine.toml", metric="x"), "there are .*test.loss"),
        (lambda: lcsm.results("nowhere"), "expected a workspace at nowhere, got none"),
        (lambda: lcsm.table("mine.toml", workspace="nowhere"), "expected a workspace at nowhere, got none"),
        (lambda: lcsm.curves("mine.toml", "nowhere"), "expected a workspace at nowhere, got none"),
    ],
)
def test_errors_say_what_there_is(here, call, sentence):
    with pytest.raises(lcsm.Error, match=sentence):
        call()


def test_numbers_of_runs_that_lack_some():
    from lcsm import _frames

    records = [
        {"id": "a", "x": 1, "m": "nan"},
        {"id": "b", "y": "inf", "m": 0.5},
        {"id": "c", "x": 2, "y": 1},
    ]
    frame = _frames.frame_of_records(records)
    assert list(frame) == ["id", "y", "x", "m"]
    assert frame["y"].tolist()[1:] == [math.inf, 1.0] and math.isnan(frame["y"][0])
    assert frame["m"].dtype == float and frame["m"][1] == 0.5


@pytest.mark.parametrize(
    "labels, typed",
    [
        (["1", "2", "1"], [1, 2, 1]),
        (["0.001", "1e-07", "-2"], [0.001, 1e-07, -2.0]),
        (["9007199254740993"], [9007199254740993]),
        *[([name, "10"], [name, "10"]) for name in ("1_0", "007", "0x10", "True", "nan", "inf", " 1", "1e999", "\u0661")],
        (["1e3", "1000"], ["1e3", "1000"]),  # two names, not one number
        ([], []),
    ],
)
def test_labels_are_numbers_only_as_the_program_writes_them(labels, typed):
    from lcsm import _frames

    assert repr(_frames.typed(labels)) == repr(typed)
