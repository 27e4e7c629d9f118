"""TCP links on loopback that a test can cut, slow down and heal, as the network between computers fails. They need no
rights of an administrator and no support of the kernel (netem)."""

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path

STOP_SECONDS = 15
# All programs that aren't a part of the network.
OUTSIDE = "outside"


@dataclass(frozen=True)
class Speed:
    """The delay in seconds of each direction, a random addition up to `jitter`, and the bytes a second that all
    connections of a link share in each direction (0: no limit)."""

    delay: float = 0
    jitter: float = 0
    bytes_per_second: float = 0


class Network:
    """Links between named parts, in a process of their own (relay.py), which a busy test doesn't delay.

    A cut link neither delivers nor rejects: new connections are accepted and never answered, and what open ones send
    waits until the link is healed, as lost packets do until TCP sends them again. One difference to a real cut remains:
    the kernel confirms sent bytes, so only the deadlines of programs detect the cut, not those of TCP."""

    def __init__(self):
        self.names = {OUTSIDE}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "support.relay"], cwd=Path(__file__).parents[1], text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)

    def _send(self, name, *arguments):
        self.process.stdin.write(json.dumps([name, *arguments]) + "\n")
        answer = self.process.stdout.readline()
        assert answer, "the relay ended"
        return json.loads(answer)

    def add_part(self, name, *folders):
        """Names a part, whose processes have one of the folders as their working directory."""
        self.names.add(name)
        return self._send("add_part", name, [str(folder) for folder in folders])

    def link(self, target, port, source=None):
        """Opens a port that leads to the port of a part, and returns it.

        Without a source, the relay finds the part of each connection's process, which takes milliseconds."""
        self.names.add(target)
        return self._send("link", target, port, source)

    def cut(self, *pairs):
        """Cuts the links between the two parts of each pair, in both directions, and heals all others."""
        self._send("cut", [list(pair) for one in pairs for pair in (one, one[::-1])])

    def links_of(self, name, without=()):
        """Returns the pairs of a part and each other one."""
        return [pair for pair in permutations(self.names - set(without), 2) if pair[0] == name]

    def slow_down(self, speed):
        self._send("slow_down", asdict(speed))

    def heal(self):
        self.cut()
        self.slow_down(Speed())

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(STOP_SECONDS)
        finally:
            self.process.kill()
            self.process.stdout.close()
