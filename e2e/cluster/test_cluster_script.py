"""scripts/cluster prints commands that work, and leaves nothing behind."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from support.patience import wait_until
from support.server import BINARIES, ROOT

pytestmark = pytest.mark.cluster

START_SECONDS, STOP_SECONDS = 90, 60


@pytest.fixture
def script(tmp_path):
    output = tmp_path / "output"
    with open(output, "w") as log:
        process = subprocess.Popen([ROOT / "scripts" / "cluster"], stdin=subprocess.PIPE, stdout=log, stderr=log,
                                   env={**os.environ, "HOMEWARD_BINARIES": str(BINARIES)}, text=True)
    process.output = output.read_text
    try:
        wait_until(lambda: "Control-C ends everything" in process.output(), START_SECONDS, process.output)
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_SECONDS)
        finally:
            process.kill()


def part(text, name):
    """Returns the printed lines of a part: its address, and its three commands."""
    return re.search(rf"^{name}.* at (\S+)\n((?:  .*\n)+)", text, re.M).groups()


def run(command):
    subprocess.run(["bash", "-c", command], check=True, timeout=60)


def test_printed_commands_break_a_part_and_enter_starts_it_again(script):
    text = script.output()
    url, commands = part(text, "node-2")
    kill, freeze, resume = commands.splitlines()
    run(freeze)
    run(resume)
    run(f"curl -sf {url}/health/ready")
    run(kill)
    wait_until(lambda: subprocess.run(["curl", "-s", url], check=False, timeout=9).returncode == 7, 10, "still there")
    run(re.search(r"^  (HOMEWARD_DATA=.* verify)$", text, re.M)[1])
    script.stdin.write("\n")
    script.stdin.flush()
    wait_until(lambda: "node-2 at" in script.output().removeprefix(text), 60, script.output)
    run(f"curl -sf {url}/health/ready")


def test_control_c_ends_all_processes_even_frozen_ones(script):
    text = script.output()
    parts = [part(text, name) for name in ("balancer", "node-1", "node-2", "node-3", "bucket", "etcd", "postgres-1",
                                           "postgres-2", "postgres-3")]
    folder = Path(re.search(r"patronictl -c (/\S+)/postgres-1/", text)[1])
    run(part(text, "postgres-3")[1].splitlines()[1])
    run(part(text, "node-2")[1].splitlines()[1])
    script.send_signal(signal.SIGINT)
    assert script.wait(STOP_SECONDS) == 0
    assert not folder.exists()
    left = [url for url, _ in parts
            if subprocess.run(["curl", "-s", "-m", "2", url.replace("postgres:", "http:")], check=False,
                              timeout=9).returncode != 7]
    assert left == []
    pids = {pid for _, commands in parts for pid in re.findall(r"kill -9 (\d+)", commands)}
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]
