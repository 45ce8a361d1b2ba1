"""Draws with matplotlib what `lcsm figure` computes."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .programs import Error, ask, flags, require

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The colors of `lcsm figure`: a contrast of 3 : 1 on white, and distinguishable with color blindness.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#c264a0", "#7a7a7a", "#9a7400")
_MARKERS = "os^DvP"
_DASHES = ("-", "--", ":", "-.")
_BANDS = {"range": "lowest to highest", "interval": "95 % interval", "sd": "standard deviation"}
_MOST_MARKERS = 25  # of a line
_MOST_INSIDE = 4  # lines that a legend inside the axes explains
_MOST_TICKS = 8  # one for each value of a logarithmic axis


def plot(
    name: str | os.PathLike[str] | None,
    x: str = "step",
    y: str | None = None,
    by: str | Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    band: str = "range",
    workspace: str | os.PathLike[str] | None = None,
    scale: str | None = None,
    set: Mapping[str, Any] | None = None,
    **options: Any,
) -> Axes:
    """Draws the mean over seeds of a metric, a line with a band for each point of the grid. Opens no window.

    name: a sweep or its file, or None for all runs.
    x: "step", or a key of the configuration. Values that are no numbers become dots with bars.
    y: a metric; by default that of the sweep's figure, else its first validation metric.
    by: the keys that distinguish lines; by default all that vary, except the seed and tuned ones (the
        learning rate), of which the best on validation is taken.
    ax: where to draw; by default a new figure.
    band: from the lowest to the highest seed ("range"), the 95 % "interval" of the mean, "sd" or "none".
    options: those of `lcsm figure`: where={"task.length": 512}, tune="optim.lr", log="x", ...

    Means, choices and marks are those of `lcsm figure`. Letters in parentheses are marks, explained in
    results/README.md. A dotted line or a cross is the paper's number.

    >>> import lcsm
    >>> axes = lcsm.plot("mine.toml", x="step", y="valid.accuracy")
    >>> axes.get_xlabel(), axes.get_ylabel(), [text.get_text() for text in axes.get_legend().get_texts()]
    ('step', 'valid.accuracy', ['1-3-1-2', '1-10-1-2'])
    """
    pyplot = require("matplotlib.pyplot", "lcsm.plot")
    refused = {"facets", "kind", "out", "format"} & options.keys()
    if refused:
        raise Error(
            f"lcsm.plot draws one panel and has no {refused.pop()}: choose runs with where=, axes with ax="
        )
    words = [] if name is None else [os.fspath(name)]
    series = ",".join(by) if by is not None and not isinstance(by, str) else by
    request = flags(x=x, y=y, series=series, band=band, workspace=workspace, scale=scale, set=set, **options)
    points = list(csv.DictReader(io.StringIO(ask("figure", *words, "--format=csv", *request))))
    if not points:
        raise Error(
            f"expected finished or running runs of {name}, got none to draw: train them with lcsm.run"
        )
    x, y = list(points[0])[2:4]
    lines: dict[str, list[dict[str, str]]] = {}
    for point in points:
        lines.setdefault(point["series"], []).append(point)
    if ax is None:
        size = (6.4, 4) if len(lines) <= _MOST_INSIDE else (9, 4)
        ax = pyplot.subplots(figsize=size, layout="constrained")[1]
    numbers = all(_is_number(point[x]) for point in points)
    places = {value: at for at, value in enumerate(dict.fromkeys(point[x] for point in points))}
    for at, (label, line) in enumerate(lines.items()):
        xs = [
            float(point[x]) if numbers else places[point[x]] + 0.1 * (at - (len(lines) - 1) / 2)
            for point in line
        ]
        _draw(ax, at, label, xs, line, y, joined=numbers, band=band != "none")
    _explain(ax, points, len(lines), joined=numbers, band=band)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    for axis in filter(None, str(options.get("log") or "").split(",")):
        getattr(ax, f"set_{axis}scale")("log")
    if not numbers:
        ax.margins(x=0.1)
        ax.set_xticks(range(len(places)), list(places))
    elif ax.get_xscale() == "log" and len(places) <= _MOST_TICKS:
        ax.set_xticks([float(place) for place in places], list(places))
        ax.set_xticks([], minor=True)
    return ax


def _draw(
    ax: Axes,
    at: int,
    label: str,
    xs: list[float],
    line: list[dict[str, str]],
    y: str,
    *,
    joined: bool,
    band: bool,
) -> None:
    look: dict[str, Any] = {"color": _COLOURS[at % len(_COLOURS)], "linewidth": 1.6}
    marks = "".join(sorted(set("".join(point["marks"] for point in line))))
    means, low, high, published = (
        [_number(point[key]) for point in line] for key in (y, "low", "high", "published")
    )
    if not joined or len(xs) <= _MOST_MARKERS:
        look["marker"], look["markersize"] = _MARKERS[at % len(_MARKERS)], 4.5 if joined else 7
    dash = _DASHES[at // len(_COLOURS) % len(_DASHES)] if joined else "none"
    ax.plot(xs, means, linestyle=dash, label=f"{label} ({marks})" if marks else label, **look)
    if band and joined:
        ax.fill_between(xs, low, high, color=look["color"], alpha=0.16, linewidth=0)
    elif band:
        ax.vlines(xs, low, high, color=look["color"], linewidth=1.6)
    if len({*published}) == 1 and joined and len(xs) > 1:
        ax.plot(xs, published, linestyle=":", linewidth=1.2, color=look["color"])
    else:
        ax.plot(xs, published, linestyle="none", marker="x", color="black")


def _explain(ax: Axes, points: list[dict[str, str]], lines: int, *, joined: bool, band: str) -> None:
    counts = sorted({int(point["n"]) for point in points if point["n"]})
    if counts and counts[-1] > 1:
        seeds = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        spread = f"; {'band' if joined else 'bar'}: {_BANDS[band]}" if band in _BANDS else ""
        ax.set_title(f"mean over {seeds} seeds{spread}", loc="left", fontsize="small", color="#555555")
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", color="#dddddd", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.margins(x=0.02)
    if lines > _MOST_INSIDE:
        ax.legend(
            frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0
        )
    elif lines > 1:
        ax.legend(frameon=False)


def _number(text: str) -> float:
    return float(text) if text else math.nan


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
