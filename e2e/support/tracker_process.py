"""`homeward-tracker` as a child process."""

import queue
import signal
import subprocess
import threading

import pytest

from support.server import BINARIES

PATIENCE_SECONDS = 20


class TrackerProcess:
    """Starts the tracker's program, also repeatedly, and reads the claim codes that it prints. `log` is its log
    file."""

    def __init__(self, log):
        self.log = log
        self.process = None
        self._codes = queue.Queue()
        self._reader = None

    def run(self, *arguments, environment=None):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [BINARIES / "homeward-tracker", *arguments], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=log,
                text=True, env=environment)
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self._reader.start()

    def _read(self, lines):
        with lines:
            for line in lines:
                if line.startswith("claim-code "):
                    self._codes.put(line.split()[1])

    def code(self, seconds=PATIENCE_SECONDS):
        """Waits for the next claim code and returns it."""
        try:
            return self._codes.get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(f"no claim code:\n{self.log_text()[-3000:]}") from None

    def log_text(self):
        return self.log.read_text(errors="replace")

    def stop(self, how=signal.SIGTERM):
        if self.process:
            self.process.send_signal(how)
            self.process.wait(PATIENCE_SECONDS)
            self._reader.join()
        self.process = None

    def kill(self):
        self.stop(signal.SIGKILL)

    def close(self):
        self.stop()


class Simulator(TrackerProcess):
    """A simulated walk that reports over the internet."""

    def __init__(self, server, folder):
        super().__init__(folder / "tracker.log")
        self.run("simulate", "--server", server.url, "--state", folder / "tracker", "--seed", "7", "--interval", "1",
                 "--poll", "1", "--latitude", "50.7753", "--longitude", "6.0839")


@pytest.fixture
def simulator(tmp_path):
    running = []

    def start(server):
        running.append(Simulator(server, tmp_path))
        return running[-1]

    yield start
    for one in running:
        one.close()
