"""Plots have the means and bands of the runs."""

import pytest

import lcsm

for package in ("matplotlib", "pandas"):
    pytest.importorskip(package)

from matplotlib import pyplot  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def labels_of(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def lines_of(axes):
    return {line.get_label(): line for line in axes.get_lines() if not line.get_label().startswith("_")}


def test_a_line_is_the_mean_over_seeds_and_its_band_their_range(here):
    axes = lcsm.plot("mine.toml", y="valid.accuracy")
    curves = lcsm.curves("mine.toml", metric="valid.accuracy")
    bands = [collection.get_paths()[0].vertices[:, 1] for collection in axes.collections]
    lines = lines_of(axes)
    assert list(lines) == ["1-3-1-2", "1-10-1-2"] and len(bands) == 2
    for (code, line), band in zip(lines.items(), bands):
        values = curves[curves["model.code"] == code].groupby("step")["value"]
        assert line.get_xdata().tolist() == [20, 40, 60]
        # The program adds in another order.
        assert line.get_ydata().tolist() == pytest.approx(values.mean().tolist(), rel=1e-15)
        assert band.min() == values.min().min() and band.max() == values.max().max()
    assert axes.get_title(loc="left") == "mean over 3 seeds; band: lowest to highest"


def test_the_band_can_be_the_interval_or_left_out(here):
    table = lcsm.table("mine.toml", values=["valid.loss"])
    axes = lcsm.plot("mine.toml", y="valid.loss", band="interval")
    ends = [collection.get_paths()[0].vertices for collection in axes.collections]
    for end, low, high in zip(ends, table["low"], table["high"]):
        last = end[end[:, 0] == 60, 1]
        assert (last.min(), last.max()) == pytest.approx((low, high), rel=1e-12)
    assert axes.get_title(loc="left").endswith("band: 95 % interval")
    assert not lcsm.plot("mine.toml", y="valid.loss", band="none").collections


def test_by_chooses_the_lines(here):
    axes = lcsm.plot("mine.toml", y="valid.loss", by=["model.code", "seed"])
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in lines_of(axes).values()}
    assert len(lines_of(axes)) == len(looks) == len(labels_of(axes)) == 6
    assert axes.get_legend().get_bbox_to_anchor()._bbox.x0 > 1  # beside the axes
    assert len(lines_of(lcsm.plot("mine.toml", y="valid.loss", by="seed"))) == 3


def test_names_on_the_x_axis_are_dots(here):
    axes = lcsm.plot("mine.toml", x="model.code", y="test.accuracy")
    means = lcsm.table("mine.toml").query("metric == 'test.accuracy'")["mean"]
    (line,) = lines_of(axes).values()
    assert line.get_linestyle() == "None" and line.get_ydata().tolist() == means.tolist()
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1-3-1-2", "1-10-1-2"]


def test_published_numbers_are_crosses(here):
    from lcsm import _plots

    line = [{"y": "1.5", "low": "1", "high": "2", "published": p, "marks": ""} for p in ("1.25", "")]
    axes = pyplot.subplots()[1]
    _plots._draw(axes, 0, "a", [1.0, 2.0], line, "y", joined=False, band=True)
    crosses = [one for one in axes.get_lines() if one.get_marker() == "x"]
    assert [one.get_ydata()[0] for one in crosses] == [1.25]


def test_it_draws_where_it_is_told_to(here):
    mine = pyplot.subplots()[1]
    before = pyplot.get_fignums()
    assert lcsm.plot("mine.toml", y="valid.loss", ax=mine, log="y", where={"seed": [1, 2]}) is mine
    assert pyplot.get_fignums() == before and mine.get_yscale() == "log"
    assert mine.get_title(loc="left").startswith("mean over 2 seeds")


def test_what_cannot_be_drawn_is_refused(here):
    with pytest.raises(lcsm.Error, match="did you mean 'valid.accuracy'"):
        lcsm.plot("mine.toml", y="valid.acuracy")
    with pytest.raises(lcsm.Error, match="expected a workspace at nowhere, got none"):
        lcsm.plot("mine.toml", workspace="nowhere")
    with pytest.raises(lcsm.Error, match="choose runs with where=, axes with ax="):
        lcsm.plot("mine.toml", facets="seed")
    with pytest.raises(lcsm.Error, match="expected finished or running runs of quickstart, got none"):
        lcsm.plot("quickstart", y="valid.loss")
