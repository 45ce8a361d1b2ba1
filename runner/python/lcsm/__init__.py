"""Linear-complexity sequence models: every code, formula and named system as a torch module."""
from lcsm.layers import Eos, Layer, State, block, eos, system
from lcsm.models import Model, load
