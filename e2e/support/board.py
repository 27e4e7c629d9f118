"""The tracker's environment without the hardware: a GPS receiver that replays a walk to a real gpsd, a network that a
test can cut, and `homeward-tracker run`."""

import contextlib
import datetime
import email.utils
import http.server
import json
import math
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from support.loopback import served
from support.patience import answers, wait_until
from support.server import BINARIES, free_port
from support.tracker_process import TrackerProcess

METRES_PER_DEGREE = 111_320
HERTZ = 5  # moments per second


def metres(one, other):
    """Returns the distance between two nearby positions, each (latitude, longitude)."""
    north = (one[0] - other[0]) * METRES_PER_DEGREE
    east = (one[1] - other[1]) * METRES_PER_DEGREE * math.cos(math.radians(one[0]))
    return math.hypot(north, east)


def sentence(fields):
    text = ",".join(fields)
    checksum = 0
    for character in text:
        checksum ^= ord(character)
    return f"${text}*{checksum:02X}\r\n"


def recorded_walk():
    """Returns the moments of the recording, each a list of sentences, each sentence a list of fields. The walk ends
    where it begins."""
    lines = (Path(__file__).parent / "walk.nmea").read_text().splitlines()
    sentences = [line[1:line.index("*")].split(",") for line in lines if line.startswith("$")]
    return [sentences[number:number + 3] for number in range(0, len(sentences), 3)]


def place(moment):
    """Returns the position of a recorded moment."""
    _, _, _, north, _, east = moment[0][:6]
    return int(north[:2]) + float(north[2:]) / 60, int(east[:3]) + float(east[3:]) / 60


WALK = recorded_walk()
START = place(WALK[0])


def said(moment, at, has_fix=True):
    """Returns the receiver's output for that moment of the walk, with `at` as its time."""
    time_of_day = datetime.datetime.fromtimestamp(at, datetime.UTC)
    clock = time_of_day.strftime("%H%M%S.") + f"{time_of_day.microsecond // 10_000:02d}"
    date = time_of_day.strftime("%d%m%y")
    if not has_fix:
        return "".join(sentence(text.split(",")) for text in (
            f"GPRMC,{clock},V,,,,,,,{date},,,N", f"GPGGA,{clock},,,,,0,00,99.9,,M,,M,,",
            "GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9"))
    position, details, satellites = moment
    return "".join(map(sentence, (
        [position[0], clock, *position[2:9], date, *position[10:]], [details[0], clock, *details[2:]], satellites)))


@contextlib.contextmanager
def server_at(moment):
    """Yields the address of a server that only reports readiness and whose clock shows `moment`. The self-test requests
    nothing else."""

    class Ready(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()

        def date_time_string(self, timestamp=None):
            return email.utils.formatdate(moment, usegmt=True)

        def log_message(self, *_):
            pass

    with served(Ready) as port:
        yield f"http://127.0.0.1:{port}"


class Receiver:
    """Replays the recorded walk in a loop to each client, each moment at its time. It can lose its fix, and its clock
    can be ahead of the tracker's. With a `clock` (a ProgramClock) it uses that clock."""

    def __init__(self, clock=None):
        self.clock = clock
        self.began = math.floor(self._now() * HERTZ) / HERTZ
        self.has_fix = True
        self.board_ahead_seconds = 0
        self._stopping = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _now(self):
        return time.time() + (self.clock.seconds if self.clock else 0)

    def was_at(self, fix):
        """Whether a fix from the API is one of the moments that were played in its second."""
        elapsed = datetime.datetime.fromisoformat(fix["at"]).timestamp() - self.began
        first = math.ceil(elapsed * HERTZ - 0.5)
        moments = [WALK[number % len(WALK)] for number in range(first, first + HERTZ)]
        return any(metres((fix["latitude"], fix["longitude"]), place(moment)) < 0.05 for moment in moments)

    def _serve(self):
        while not self._stopping.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._play, args=(connection,), daemon=True).start()

    def _play(self, connection):
        number = self._next()
        with connection:
            while not self._stopping.wait(max(0, self.began + number / HERTZ - self._now())):
                at = self.began + number / HERTZ - self.board_ahead_seconds
                try:
                    connection.sendall(said(WALK[number % len(WALK)], at, self.has_fix).encode())
                except OSError:
                    return
                number = max(number + 1, self._next())

    def _next(self):
        return math.ceil((self._now() - self.began) * HERTZ)

    def close(self):
        self._stopping.set()
        self._socket.close()


class GPSD:
    """A real gpsd that listens to the receiver, without privileges."""

    def __init__(self, receiver, port=None):
        self.port = port or free_port()
        # gpsd drops root privileges only when it opens a device.
        prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        program = shutil.which("gpsd") or "/usr/sbin/gpsd"
        self.process = subprocess.Popen(
            [*prefix, program, "-N", "-n", "-S", str(self.port), f"tcp://127.0.0.1:{receiver.port}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(answers(self._is_there, OSError), 15, "gpsd did not start; run scripts/setup --tests")

    def _is_there(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
            return b"VERSION" in connection.recv(512)

    def close(self):
        self.process.terminate()
        self.process.wait(10)


class Network:
    """A proxy to a server's port. While it is down it drops all connections and loses data in transit."""

    def __init__(self, target):
        self.target = target
        self.is_up = True
        self.bytes = 0  # both directions
        self.requests = 0
        self._open = set()
        self._lock = threading.Lock()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                near, _ = self._socket.accept()
            except OSError:
                return
            if not self.is_up:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.target), timeout=5)
            except OSError:
                near.close()
                continue
            with self._lock:
                self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._copy, args=(one, other), daemon=True).start()

    def _copy(self, one, other):
        try:
            while data := one.recv(65536):
                self.bytes += len(data)
                self.requests += data.count(b" HTTP/1.1\r\n")
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            with self._lock:
                self._open.discard(end)
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        self.is_up = False
        with self._lock:
            cut, self._open = self._open, set()
        for end in cut:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def restore(self):
        self.is_up = True

    def close(self):
        self.cut()
        self._socket.close()


class TrackerDaemon(TrackerProcess):
    """`homeward-tracker run`. A test may kill it and start it again."""

    def __init__(self, server_url, gpsd, *arguments, folder=None, environment=None):
        self.folder = Path(folder or tempfile.mkdtemp(prefix="homeward-board-"))
        super().__init__(self.folder / "board.log")
        supply = self.folder / "supplies" / "max170xx"
        supply.mkdir(parents=True)
        (supply / "type").write_text("Battery\n")
        self.charge(87)
        self.sounder = self.folder / "sounder"
        self.sounder.write_text("0")
        self.button = self.folder / "button"
        self.button.write_text("0")
        self.environment = {**os.environ, **(environment or {})}
        self.arguments = [
            "--server", server_url, "--state", str(self.folder / "state"), "--gpsd", f"127.0.0.1:{gpsd.port}",
            "--battery", str(self.folder / "supplies"), "--sounder", f"file:{self.sounder}", "--button",
            f"file:{self.button}", "--log-level", "debug",
            *(arguments or ("--bluetooth", "off"))]

    def charge(self, percent):
        (self.folder / "supplies" / "max170xx" / "capacity").write_text(f"{percent}\n")

    def start(self):
        self.run("run", *self.arguments, environment=self.environment)
        return self

    def close(self):
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def recorded(self):
        """Returns the times of the fixes that the tracker has reported as stored."""
        return re.findall(r"at=(\S+) .*a position is kept", self.log_text())

    def selftest(self, *arguments):
        status, text, _ = self.command("selftest", *self.arguments, *arguments)
        return status, text

    def show_code(self):
        """Runs the command with the tracker's settings in a file, and returns its result."""
        settings = self.folder / "settings.conf"
        settings.write_text(f"# As beside a service.\nHOMEWARD_TRACKER_STATE={self.folder / 'state'}\n")
        return self.command("show-code", "--config", settings)

    def command(self, *arguments):
        """Runs the program again, and returns its status, its output and its errors."""
        done = subprocess.run(
            [BINARIES / "homeward-tracker", *arguments], capture_output=True, text=True, timeout=60,
            env=self.environment, check=False)
        return done.returncode, done.stdout, done.stderr


def shown(board):
    """Returns the tracker's state for the message of a failure."""
    return json.loads((board.folder / "state" / "tracker.json").read_text())
