"""Tests of the support code."""

import ast
import os
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import pytest

from support.server import ROOT, Server
from support.shares import SHARES, part

PASSCODE = "271828"


@pytest.fixture
def store(tmp_path):
    """A store with one table, and a function that returns the tables that contain a text."""
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "homeward.sqlite"

    def tables_naming(cell, text):
        with sqlite3.connect(path) as connection:
            connection.execute("DROP TABLE IF EXISTS throttle")
            connection.execute("CREATE TABLE throttle (cell)")
            connection.execute("INSERT INTO throttle VALUES (?)", (cell,))
        connection.close()
        return Server.tables_naming(SimpleNamespace(folder=tmp_path), text)

    return tables_naming


@pytest.mark.parametrize("cell", [PASSCODE, int(PASSCODE), PASSCODE.encode(), f'{{"passcode":"{PASSCODE}"}}'])
def test_a_stored_secret_is_found(store, cell):
    assert store(cell, PASSCODE) == ["throttle"]


@pytest.mark.parametrize("cell", [1795271828000017, f"a{PASSCODE}b", bytes.fromhex("ff") * 3, f"{PASSCODE}0"])
def test_digits_inside_a_longer_number_or_hash_are_not_a_secret(store, cell):
    assert store(cell, PASSCODE) == []


def collected(name, *requirements, is_smoke=False):
    """A test as pytest collects it."""
    spec = [SimpleNamespace(args=requirements)] if requirements else []
    return SimpleNamespace(nodeid=f"tracking/test_map.py::{name}", iter_markers=lambda _: spec,
                           get_closest_marker=lambda _: is_smoke or None)


def test_each_share_has_a_test_of_every_requirement_and_all_shares_have_all_tests():
    basic = [collected("test_basic", "T-1", "T-2", is_smoke=True)]
    only = [collected(f"test_only[{case}]", "T-3") for case in range(4)]
    further = [collected(f"test_further[{case}]", "T-1", "T-3") for case in range(20)]
    other = [collected(f"test_other_{number}") for number in range(20)]
    everything = [*further[:9], *basic, *only, *other, *further[9:]]
    # The first function that shows T-3 is `test_further`; `test_only` shows nothing that it doesn't.
    always, taking_turns = [*basic, *further], [*only, *other]
    parts = [part(everything, share) for share in range(SHARES)]
    for one in parts:
        assert [item for item in everything if item in one] == one, "in their order"
        assert [item for item in always if item not in one] == []
    assert Counter(item.nodeid for one in parts for item in one if item in taking_turns) \
        == Counter(item.nodeid for item in taking_turns)


FAILS_ONCE = """
urls = []

def test_it(server):
    urls.append(server.url)
    assert len(set(urls)) == 2
"""


def test_retry_gets_a_fresh_server(tmp_path):
    (tmp_path / "test_fails_once.py").write_text(FAILS_ONCE)
    folder = ROOT / "e2e"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", folder / "pytest.ini", "--rootdir", tmp_path, "-p", "conftest", "-q",
         "--reruns", "1", tmp_path],
        env={**os.environ, "PYTHONPATH": str(folder)}, cwd=tmp_path, capture_output=True, text=True, timeout=60,
        check=False)
    assert re.search("^1 passed, 1 rerun", run.stdout, re.M), run.stdout + run.stderr


FINDERS = {"locator", "filter", "nth", "get_by_role", "get_by_text", "get_by_label", "get_by_placeholder",
           "get_by_title"}


def only_finds(node):
    """Whether an expression only finds an element or compares values, without using the result."""
    if isinstance(node, ast.Attribute):
        return node.attr in {"first", "last"} and only_finds(node.value)
    return isinstance(node, ast.Compare) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FINDERS)


def finders(tree):
    """Returns the names of a file's functions that only find an element."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {one.name for one in functions if isinstance(one.body[-1], ast.Return) and only_finds(one.body[-1].value)}


def test_no_statement_only_finds_or_compares():
    trees = {path: ast.parse(path.read_text()) for path in (ROOT / "e2e").rglob("*.py")}
    names = set().union(*(finders(tree) for path, tree in trees.items() if path.parent.name == "support"))
    assert "toast" in names
    idle = [
        f"{path.name}:{node.lineno}" for path, tree in trees.items() for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and (only_finds(node.value) or (
            isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)
            and node.value.func.id in names | finders(tree)))]
    assert idle == []


def test_no_function_of_a_file_replaces_another():
    """A second test of the same name would replace the first. ruff reports no redefinition in tests."""
    twice = []
    for path in (ROOT / "e2e").rglob("test_*.py"):
        names = Counter(node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef))
        twice += [f"{path.name}: {name}" for name, count in names.items() if count > 1]
    assert twice == []
