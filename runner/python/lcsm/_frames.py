"""Frames of what the program `lcsm` prints. Only this module imports pandas when it is loaded."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .programs import ask, flags, require

if TYPE_CHECKING:
    import pandas
    import polars
else:
    pandas = require("pandas", "lcsm.results and what else returns a frame")

_NOT_FINITE = {"nan", "inf", "-inf"}  # as text, since JSON has no such numbers
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]+)?")  # neither 1_0 nor 007, which are names
_EXACT = 2**53  # integers up to here are exact in a column that has gaps


class Results(pandas.DataFrame):
    """The runs of a workspace, one row each, as `lcsm.results` returns them.

    A pandas.DataFrame that also answers SQL and becomes a polars.DataFrame. `workspace` is the folder that it
    asks; a merged frame has that of its first part.

    >>> import lcsm
    >>> runs = lcsm.results()
    >>> runs[runs["status"] == "done"].groupby("model.code")["test.accuracy"].count()
    model.code
    1-10-1-2    3
    1-3-1-2     3
    Name: test.accuracy, dtype: int64
    """

    __module__ = "lcsm"
    _metadata = ["workspace"]
    workspace: str | Path | None = None

    @property
    def _constructor(self) -> type[Results]:
        return Results

    def __finalize__(self, other: Any, method: str | None = None, **options: Any) -> Results:
        super().__finalize__(other, method, **options)  # copies no own attribute from the parts
        if method in ("merge", "concat"):
            first = other.left if method == "merge" else other.objs[0]
            self.workspace = first.workspace if isinstance(first, Results) else None
        return self

    def sql(self, statement: str) -> pandas.DataFrame:
        """The rows that `lcsm query` finds in the whole workspace; it only reads.

        The views are described in results/README.md: overview, outcomes, history, settings, seeds, ...

        >>> import lcsm
        >>> lcsm.results().sql("SELECT code, n FROM seeds WHERE metric = 'test.accuracy' ORDER BY code")
               code  n
        0  1-10-1-2  3
        1   1-3-1-2  3
        """
        answer = json.loads(ask("query", *flags(workspace=self.workspace, format="json"), "--", statement))
        return frame(answer["columns"], answer["rows"])

    def polars(self) -> polars.DataFrame:
        """The same rows as a polars.DataFrame.

        >>> import lcsm
        >>> lcsm.results().polars().select("model.code", "seed").shape
        (6, 2)
        """
        library = require("polars", "Results.polars")
        missing = self.isna()
        columns = []
        for at, name in enumerate(self.columns):
            gaps = missing.iloc[:, at]
            values = [None if gap else value for value, gap in zip(self.iloc[:, at].tolist(), gaps)]
            columns.append(library.Series(str(name), values))
        made: polars.DataFrame = library.DataFrame(columns)
        return made


def frame(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> pandas.DataFrame:
    """Two columns may have one name, as in SQL."""
    columns = list(zip(*rows)) or [()] * len(names)
    made: pandas.DataFrame = pandas.DataFrame({at: _column(values) for at, values in enumerate(columns)})
    made.columns = pandas.Index(names)
    return made


def _column(values: Sequence[Any]) -> pandas.Series:
    there = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in there):
        numbers = all(not isinstance(value, str) or value in _NOT_FINITE for value in there)
        values = [float(value) if value is not None else None for value in values] if numbers else values
    large = any(isinstance(value, int) and abs(value) > _EXACT for value in there)
    whole = all(isinstance(value, int) for value in there)
    exact = large and whole and len(there) < len(values)
    made: pandas.Series = pandas.Series(values, dtype="Int64" if exact else None)
    return made


def frame_of_records(records: Sequence[dict[str, Any]]) -> pandas.DataFrame:
    """Records may lack fields. A field stands behind the one that precedes it in its record."""
    names: list[str] = []
    known: set[str] = set()
    for record in records:
        at = 0
        for name in record:
            if name not in known:
                known.add(name)
                names.insert(at, name)
            elif names[at : at + 1] != [name]:
                at = names.index(name)
            at += 1
    return frame(names, [[record.get(name) for name in names] for record in records])


def typed(labels: Sequence[str]) -> list[Any]:
    """Labels of a table as numbers, if all of them are written as the program writes numbers."""
    if all(_NUMBER.fullmatch(label) for label in labels):
        kind = int if all(label.lstrip("-").isdigit() for label in labels) else float
        numbers = [kind(label) for label in labels]
        if len(set(numbers)) == len(set(labels)) and all(abs(number) < math.inf for number in numbers):
            return numbers
    return list(labels)
