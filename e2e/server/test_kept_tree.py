"""The copies in which `make test` tests a fresh clone."""

import os
import shutil
import subprocess
import time

import pytest

from support.server import ROOT

WEEK_SECONDS = 7 * 24 * 60 * 60
PARTS = (".gitignore", "scripts/build", "scripts/copy-tree", "scripts/kept-tree", "Package.versions")


@pytest.fixture
def clone(tmp_path):
    """Makes small trees that share the machine's copies."""
    def make(name, **files):
        folder = tmp_path / name
        (folder / "scripts").mkdir(parents=True)
        for part in PARTS:
            shutil.copy(ROOT / part, folder / part)
        for file, text in files.items():
            (folder / file).write_text(text)
        return folder

    return make


@pytest.fixture
def copies(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "homeward" / "trees"


def start(folder, script):
    return subprocess.Popen(
        [folder / "scripts/kept-tree", "sh", "-ec", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run(folder, script):
    process = start(folder, script)
    process.wait(60)
    return process.returncode, process.stdout.read()


def test_a_clone_continues_from_the_run_before(clone, copies):
    first = clone("first", same="1", changed="1", deleted="1")
    status, _ = run(first, "mkdir .build test-results; cp same .build/product; echo passed > test-results/log; exit 3")
    assert status == 3, "the command's"
    assert (first / "test-results" / "log").read_text() == "passed\n"
    [copy] = [path for path in copies.iterdir() if path.is_dir()]
    times = {path.name: path.stat().st_mtime_ns for path in copy.iterdir()}
    second = clone("second", same="1", changed="2", added="2")
    status, output = run(second, "cat .build/product changed added; ls")
    assert status == 0 and "122" in output and "deleted" not in output and "test-results" not in output, output
    assert (copy / "same").stat().st_mtime_ns == times["same"], "not compiled again"
    assert (copy / "changed").stat().st_mtime_ns > times["changed"]


def test_runs_at_the_same_time_have_different_copies(clone, copies):
    one, other = clone("one", label="one"), clone("other", label="other")
    running = start(one, "read line; cat label")
    assert "running in" in running.stdout.readline()
    assert run(other, "cat label")[1].endswith("other")
    assert running.communicate("\n", timeout=60)[0].endswith("one")
    assert sum(path.is_dir() for path in copies.iterdir()) == 2


def test_a_copy_unused_for_a_week_is_deleted_unless_a_run_has_it(clone, copies):
    busy = start(clone("busy"), "read line")
    assert "running in" in busy.stdout.readline()
    old = copies / "0123456789ab-1"
    old.mkdir()
    locks = [old.with_suffix(".lock"), *copies.glob("*.lock")]
    for lock in locks:
        lock.touch()
        os.utime(lock, (time.time() - WEEK_SECONDS - 60,) * 2)
    present = {path for path in copies.iterdir() if path.is_dir()}
    assert run(clone("other"), "true")[0] == 0
    assert not old.exists() and all(path.exists() for path in present - {old})
    busy.communicate("\n", timeout=60)
