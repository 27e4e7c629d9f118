"""A tracker's board without the board: a receiver that plays a walk to a real gpsd, a network that comes and goes, and
`homeward-tracker run` between them."""

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

from support.patience import answers, wait_until
from support.server import BINARIES, free_port
from support.tracker_process import TrackerProcess

METRES_PER_DEGREE = 111_320
START = (50.7753, 6.0839)
SPEED = 1.4  # metres per second
HERTZ = 5


def place(seconds, bearing=45.0):
    """Where the walker is after that many seconds."""
    north = SPEED * seconds * math.cos(math.radians(bearing))
    east = SPEED * seconds * math.sin(math.radians(bearing))
    latitude = START[0] + north / METRES_PER_DEGREE
    return latitude, START[1] + east / (METRES_PER_DEGREE * math.cos(math.radians(START[0])))


def sentence(text):
    checksum = 0
    for character in text:
        checksum ^= ord(character)
    return f"${text}*{checksum:02X}\r\n"


def degrees(value, letters, width):
    """NMEA's degrees and minutes."""
    whole = int(abs(value))
    return f"{whole:0{width}d}{(abs(value) - whole) * 60:09.6f},{letters[0] if value >= 0 else letters[1]}"


def epoch(at, seconds, has_fix=True):
    """What a receiver says for one moment: RMC, GGA, GSA."""
    moment = datetime.datetime.fromtimestamp(at, datetime.timezone.utc)
    clock = moment.strftime("%H%M%S.") + f"{moment.microsecond // 10_000:02d}"
    date = moment.strftime("%d%m%y")
    if not has_fix:
        return "".join(sentence(text) for text in (
            f"GPRMC,{clock},V,,,,,,,{date},,,N", f"GPGGA,{clock},,,,,0,00,99.9,,M,,M,,", "GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9"))
    latitude, longitude = place(seconds)
    where = f"{degrees(latitude, 'NS', 2)},{degrees(longitude, 'EW', 3)}"
    return "".join(sentence(text) for text in (
        f"GPRMC,{clock},A,{where},{SPEED * 1.943844:.2f},45.0,{date},,,A",
        f"GPGGA,{clock},{where},1,08,0.9,35.0,M,44.0,M,,",
        "GPGSA,A,3,02,05,09,12,15,21,25,29,,,,,1.7,0.9,1.4"))


def walk(seconds, start):
    """A recorded walk: (moment, lines) for each fifth of a second, from the time `start` on."""
    return [(start + number / HERTZ, epoch(start + number / HERTZ, number / HERTZ))
            for number in range(int(seconds * HERTZ))]


@contextlib.contextmanager
def server_at(moment):
    """The address of a server that is ready, by whose clock it is `moment`: what the self-test asks, and nothing else."""

    class Ready(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()

        def date_time_string(self, timestamp=None):
            return email.utils.formatdate(moment, usegmt=True)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ready)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Receiver:
    """Plays a walk to whoever connects, each moment at its time; it may lose its fix, or the board's clock be ahead of it."""

    def __init__(self):
        self.began = time.time()
        self.has_fix = True
        self.board_ahead_seconds = 0
        self._stopping = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while not self._stopping.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._play, args=(connection,), daemon=True).start()

    def _play(self, connection):
        with connection:
            while not self._stopping.wait(1 / HERTZ):
                now = time.time()
                try:
                    connection.sendall(epoch(now - self.board_ahead_seconds, now - self.began, self.has_fix).encode())
                except OSError:
                    return

    def close(self):
        self._stopping.set()
        self._socket.close()


class GPSD:
    """A real gpsd that listens to the receiver, without rights."""

    def __init__(self, receiver, port=None):
        self.port = port or free_port()
        # gpsd gives up root by itself only for devices.
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
    """The way to a server's port; while it is down, nothing gets through, and what was under way is lost."""

    def __init__(self, target):
        self.target = target
        self.is_up = True
        self.bytes = 0  # both ways
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
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            with self._lock:
                self._open.discard(end)
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        self.is_up = False
        with self._lock:
            cut, self._open = self._open, set()
        for end in cut:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def mend(self):
        self.is_up = True

    def close(self):
        self.cut()
        self._socket.close()


class Board(TrackerProcess):
    """`homeward-tracker run`, which may be killed and started again."""

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
        """The times of the fixes that it said are on disk."""
        return re.findall(r"at=(\S+) .*a position is kept", self.log_text())

    def selftest(self, *arguments):
        done = subprocess.run(
            [BINARIES / "homeward-tracker", "selftest", *self.arguments, *arguments], capture_output=True, text=True,
            timeout=60, env=self.environment)
        return done.returncode, done.stdout


def shown(board):
    """The tracker's own state, for a failure's text."""
    return json.loads((board.folder / "state" / "tracker.json").read_text())
