"""A child process that a test can kill, freeze and resume."""

import contextlib
import os
import signal
import subprocess

from support.patience import wait_until

STOP_SECONDS = 15
# The programs of PostgreSQL refuse to run as root.
POSTGRES_USER = {"user": "postgres", "group": "postgres", "extra_groups": ()} if os.geteuid() == 0 else {}


def send(pids, how):
    """Sends a signal to those of the processes that still exist."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, how)


class ChildProcess:
    """A child process in `process` that can be frozen."""

    process = None

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def pids(self):
        """Returns the ids of all processes, the first one first."""
        return [self.process.pid] if self.is_running else []

    def freeze(self):
        """Stops all processes with SIGSTOP, also those that are started during this call."""
        frozen = set()
        while left := set(self.pids()) - frozen:
            send(left, signal.SIGSTOP)
            frozen |= left

    def resume(self):
        send(self.pids(), signal.SIGCONT)


class Program(ChildProcess):
    """A program with a log in its own folder. It gets no Control-C from the terminal."""

    def __init__(self, name, folder, *command, **options):
        self.name, self.folder, self.command, self.options = name, folder, command, options
        self.log = folder / "log"

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, **self.options)
        return self

    def kill(self):
        """Kills all processes with SIGKILL."""
        def are_gone():
            send(self.pids(), signal.SIGKILL)
            return not self.pids()

        wait_until(are_gone, STOP_SECONDS, lambda: f"{self.name} is still there: {self.pids()}")

    def stop(self):
        """Ends the program with SIGTERM, or with SIGKILL if that fails."""
        if not self.is_running:
            return self.kill()
        self.resume()
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(STOP_SECONDS)
        self.kill()

    def wait_for(self, is_ready, seconds, what):
        """Waits for a condition while the program runs."""
        def look():
            if not self.is_running:
                raise RuntimeError(f"{self.name} ended:\n{self.log_text()}")
            return is_ready()

        return wait_until(look, seconds, lambda: f"{what}:\n{self.log_text()}")

    def log_text(self):
        return self.log.read_text(errors="replace")[-2_000:] if self.log.exists() else ""
