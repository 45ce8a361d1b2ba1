"""Linear-complexity sequence models: codes, formulas and named systems as torch modules; runs and results.

Every name is imported at its first use, so `import lcsm` needs no other package.

    >>> import lcsm
    >>> runs = lcsm.results("workspace")
    >>> table = lcsm.table("mine.toml")
    >>> axes = lcsm.plot("mine.toml")
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import ets as ets
    from ._frames import Results as Results
    from ._plots import plot as plot
    from ._results import curves as curves
    from ._results import plan as plan
    from ._results import results as results
    from ._results import run as run
    from ._results import table as table
    from .layers import Eos as Eos
    from .layers import Layer as Layer
    from .layers import block as block
    from .layers import eos as eos
    from .layers import system as system
    from .models import Model as Model
    from .models import load as load
    from .programs import Error as Error

# Each exported name and the module that has it.
_MODULES = {
    "Eos": "layers",
    "Error": "programs",
    "Layer": "layers",
    "Model": "models",
    "Results": "_frames",
    "block": "layers",
    "curves": "_results",
    "eos": "layers",
    "ets": "ets",
    "load": "models",
    "plan": "_results",
    "plot": "_plots",
    "results": "_results",
    "run": "_results",
    "system": "layers",
    "table": "_results",
}

# The package without which a module cannot be loaded.
_NEEDS = {"_frames": "pandas", "ets": "torch", "layers": "torch", "models": "torch"}

__all__ = ["__version__", *_MODULES]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = _version()
    elif name in _MODULES:
        module = _module_of(name)
        value = module if _MODULES[name] == name else getattr(module, name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def _module_of(name: str) -> ModuleType:
    try:
        return importlib.import_module(f"{__name__}.{_MODULES[name]}")
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        from .programs import Error

        raise Error(f"lcsm.{name} needs torch 2.11 or later: pip install torch") from error


def __dir__() -> list[str]:
    """Without names whose package is not installed: help() and completion ask each name for its value."""
    there = [name for name, of in _MODULES.items() if importlib.util.find_spec(_NEEDS.get(of, __name__))]
    return sorted({*globals(), "__version__", *there})


def _version() -> str:
    try:
        return importlib.metadata.version("lcsm")
    except importlib.metadata.PackageNotFoundError:  # a checkout
        return "0.0.0"
