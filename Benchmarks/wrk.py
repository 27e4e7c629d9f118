"""Load on one server by wrk."""

import re
import subprocess
from dataclasses import dataclass

from support.server import ROOT

MILLISECONDS = {"us": 0.001, "ms": 1, "s": 1_000, "m": 60_000}


@dataclass
class Result:
    output: str
    total: int
    per_second: float
    p99_milliseconds: float


class Load:
    """A run of wrk that begins with the initializer, so that several can run at once."""

    def __init__(self, server, script, connections, seconds, arguments, threads=2):
        self.process = subprocess.Popen(
            ["wrk", f"-t{min(threads, connections)}", f"-c{connections}", f"-d{seconds}s", "--latency",
             "-s", ROOT / "Benchmarks" / script, f"http://127.0.0.1:{server.port}", "--", *map(str, arguments)],
            stdout=subprocess.PIPE, text=True)

    def finish(self):
        """Waits for the end of the run and returns its result."""
        output, _ = self.process.communicate()
        assert self.process.returncode == 0, output
        tail, unit = re.search(r"99%\s+([\d.]+)(\w+)", output).groups()
        return Result(
            output, int(re.search(r"(\d+) requests in", output).group(1)),
            float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1)), float(tail) * MILLISECONDS[unit])


def send_fixes(server, secrets, connections, start, seconds):
    """Sends one fix per request, of each phone in turn, from the time `start` on. Returns wrk's result."""
    threads = min(2, connections)
    load = Load(server, "osmand.lua", connections, seconds, [threads, start, *secrets]).finish()
    assert "Non-2xx or 3xx responses" not in load.output, load.output
    return load
