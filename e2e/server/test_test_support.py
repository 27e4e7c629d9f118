"""Tests of the support code."""

import ast
import sqlite3
from collections import Counter
from types import SimpleNamespace

import pytest

from support.server import ROOT, Server

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
