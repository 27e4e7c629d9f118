"""The Debian packages of the programs that the tests run, built once for all test processes."""

import fcntl
import os
import subprocess
from contextlib import contextmanager

from support.server import BINARIES, ROOT


@contextmanager
def shared_folder(tmp_path_factory, name):
    """Yields a folder that all test processes of this run use, one at a time."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"shared-{name}"
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def run_script(name, *arguments):
    done = subprocess.run([ROOT / "scripts" / name, *arguments], capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.returncode == 0, done.stderr[-4000:]


def build_packages(tmp_path_factory):
    """Returns the folder that `scripts/deb` wrote, with the packages and their apt repository."""
    with shared_folder(tmp_path_factory, "packages") as folder:
        done = folder / "done"
        if not done.exists():
            run_script("deb", "--binaries", BINARIES, "--output", folder, "--compression", "gzip")
            done.touch()
    return folder
