"""Loads the programs of `scripts/` as modules."""

import importlib.util
from importlib.machinery import SourceFileLoader

from support.server import ROOT


def load_script(name):
    loader = SourceFileLoader(name.replace("-", "_"), str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
