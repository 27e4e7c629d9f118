"""The part of the browser tests that one run of `make test` contains. A requirement has one test in every run. The
others take turns: each commit runs one share of them, and as many commits in a row as there are shares run all."""

import os
import zlib

SHARES = 3


def chosen():
    """Returns the number of the share, from 0, or None if all tests run."""
    name = os.environ.get("HOMEWARD_TEST_SHARE", "all")
    return None if name == "all" else int(name) % SHARES


def part(items, share):
    """Returns the tests of one share, in their order: those of every run, and some of the others."""
    always = _of_every_run(items)
    return [item for item in items if _function(item) in always or zlib.crc32(item.nodeid.encode()) % SHARES == share]


def _of_every_run(items):
    """Returns the functions with the mark `smoke`, and the first one of each requirement that has none of them."""
    functions, shown = set(), set()
    for item in sorted(items, key=lambda item: item.get_closest_marker("smoke") is None):
        requirements = {requirement for mark in item.iter_markers("spec") for requirement in mark.args}
        if item.get_closest_marker("smoke") or requirements - shown:
            functions.add(_function(item))
            shown |= requirements
    return functions


def _function(item):
    """The test's name without its case."""
    return item.nodeid.partition("[")[0]
