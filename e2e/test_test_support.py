"""The tests' own support code does what the tests rely on."""

import os
import re
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

import pytest

from support.server import ROOT, Server

PASSCODE = "271828"


@pytest.fixture
def store(tmp_path):
    """A store of one table, and the tables in which it names a text."""
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


@pytest.mark.parametrize("cell", [1795271828000017, f"a{PASSCODE}b", bytes.fromhex("ff") * 3, "%s0" % PASSCODE])
def test_digits_inside_a_longer_number_or_hash_are_no_secret(store, cell):
    assert store(cell, PASSCODE) == []


FAILS_ONCE = """
urls = []

def test_it(server):
    urls.append(server.url)
    assert len(set(urls)) == 2
"""


def test_a_second_try_gets_a_fresh_server(tmp_path):
    (tmp_path / "test_fails_once.py").write_text(FAILS_ONCE)
    folder = ROOT / "e2e"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", folder / "pytest.ini", "--rootdir", tmp_path, "-p", "conftest", "-q",
         "--reruns", "1", tmp_path],
        env={**os.environ, "PYTHONPATH": str(folder)}, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert re.search("^1 passed, 1 rerun", run.stdout, re.M), run.stdout + run.stderr
