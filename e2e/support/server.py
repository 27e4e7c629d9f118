"""A real Homeward server for a test, with its own data folder and port. It ends with the test."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from support import password_cost
from support.patience import answers, wait_until

ROOT = Path(__file__).resolve().parents[2]
BINARIES = Path(os.environ.get("HOMEWARD_BINARIES", ROOT / ".build" / "debug"))
START_SECONDS = 30
STOP_SECONDS = 15


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def as_word(text):
    """Returns a pattern for the text that doesn't match inside a longer word or number."""
    before = r"(?<![0-9A-Za-z])" if text[0].isalnum() else ""
    after = r"(?![0-9A-Za-z])" if text[-1].isalnum() else ""
    return f"{before}{re.escape(text)}{after}"


def cell_text(cell):
    """Returns a stored cell as text, bytes one to one, so that no escape sequence adds letters or digits."""
    return cell.decode("latin-1") if isinstance(cell, bytes) else str(cell)


class Endpoint:
    """A port on loopback that answers the API's requests."""

    port: int

    def request(self, method, path, body=None, token=None, headers=None):
        """Sends a request like a script. Returns (status, headers, decoded JSON or bytes)."""
        return self._decoded(*self.exchange(method, path, body, token, headers))

    def exchange(self, method, path, body=None, token=None, headers=None):
        """Like `request`, but returns the response body as raw bytes."""
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        sent = {"Accept": "application/json", **(headers or {})}
        if data is not None and not isinstance(body, bytes):
            sent.setdefault("Content-Type", "application/json")
        if token:
            sent["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    @staticmethod
    def _decoded(status, headers, content):
        if content and "json" in (headers.get("Content-Type") or ""):
            return status, headers, json.loads(content)
        return status, headers, content


class Server(Endpoint):
    """`homeward serve` as a child process. `url` is the origin that the browser uses."""

    def __init__(self, database_url=None, environment=None):
        self.folder = Path(tempfile.mkdtemp(prefix="homeward-e2e-"))
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("HOMEWARD_")},
            "HOMEWARD_LISTEN": f"127.0.0.1:{self.port}",
            "HOMEWARD_URL": self.url,
            "HOMEWARD_DATA": str(self.folder / "data"),
            # Tests begin with a server that is set up.
            "HOMEWARD_REGISTRATION": "open",
            # All clients of a test share one address.
            "HOMEWARD_REGISTRATIONS_PER_HOUR": "10000",
            # The people of a test, and those of a benchmark, do in minutes what people do in weeks.
            "HOMEWARD_LIMIT_FACTOR": "1000000",
            "LD_PRELOAD": str(password_cost.library()),
            # No request may leave the machine. The map's outline works without tiles.
            "HOMEWARD_TILES_URL": f"{self.url}/no-tiles/{{z}}/{{x}}/{{y}}.png",
            **({"HOMEWARD_DATABASE": database_url} if database_url else {}),
            **(environment or {}),
        }
        self.process = None
        self.log = self.folder / "server.log"

    @staticmethod
    def program():
        return [BINARIES / "homeward"]

    def start(self, seconds=START_SECONDS, pause=None):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.program(), "serve"],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
            )

        def ask():
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended at once:\n{self.log_text()}")
            urllib.request.urlopen(f"{self.url}/health/ready", timeout=1).close()

        wait_until(answers(ask, urllib.error.URLError, ConnectionError, TimeoutError), seconds,
                   lambda: f"the server was not ready:\n{self.log_text()}", pause)
        return self

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise
        self.process = None

    def kill(self):
        self.stop(signal.SIGKILL)

    def restart(self, how=signal.SIGTERM):
        self.stop(how)
        return self.start()

    def close(self):
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def log_text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def tables_naming(self, *texts):
        """Returns the tables of an SQLite store that contain one of the texts, except tables with short-lived rows.

        A text that begins or ends with a letter or digit matches only as a whole word: six digits also occur by chance
        inside a time in microseconds or an encoded hash."""
        found = re.compile("|".join(map(as_word, texts)))
        connection = sqlite3.connect(f"file:{self.folder / 'data' / 'homeward.sqlite'}?mode=ro", uri=True)
        try:
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                      if name not in ("outbox", "idempotency", "object_garbage") and not name.startswith("sqlite_")]
            return [table for table in tables
                    if any(found.search(cell_text(cell))
                           for row in connection.execute(f"SELECT * FROM {table}") for cell in row)]
        finally:
            connection.close()

    def command(self, *arguments, seconds=60):
        """Runs `homeward …` on the same store while the server may run."""
        return subprocess.run(
            [BINARIES / "homeward", *arguments], env=self.environment, cwd=self.folder,
            capture_output=True, text=True, timeout=seconds, check=False,
        )


class Person:
    """An account used by a script. Every call sends its bearer token."""

    count = 0
    has_alert_mode = False

    def __init__(self, server, name="Ada", email=None, password="correct horse battery", **fields):
        Person.count += 1
        self.server = server
        self.email = email or f"person-{os.getpid()}-{Person.count}@example.org"
        self.password = password
        self.name = name
        status, _, answer = server.request(
            "POST", "/accounts", {"email": self.email, "password": self.password, "name": name, **fields})
        assert status == 201, (status, answer)
        self.token = answer["token"]
        self.id = answer["account"]["id"]
        self.last_report_seconds = 0

    @classmethod
    def existing(cls, server, answer, password, name="Ada"):
        """Returns the person of a response that signed in."""
        person = cls.__new__(cls)
        person.server, person.password, person.name, person.last_report_seconds = server, password, name, 0
        person.token, person.id, person.email = answer["token"], answer["account"]["id"], answer["account"]["email"]
        return person

    def call(self, method, path, body=None, expect=None, headers=None):
        if (method, path) == ("PATCH", "/tracking/alerts"):
            self.has_alert_mode = True
        status, _, answer = self.server.request(method, path, body, self.token, headers)
        if expect is not None:
            assert status == expect, f"{method} {path}: {status} {answer}"
        return answer

    def add_item(self, name="Keys", **fields):
        return self.call("POST", "/tracking/items", {"name": name, **fields}, expect=201)

    def add_osmand_tracker(self, item):
        """Connects a phone app of the OsmAnd kind as the item's tracker and returns its secret."""
        return self.call("POST", "/tracking/sources", {"kind": "osmand", "itemId": item["id"]}, expect=201)["secret"]

    def is_at(self, latitude, longitude, accuracy=5):
        """Reports the phone's position, and answers the question about alerts, without which none comes."""
        if not self.has_alert_mode:
            self.call("PATCH", "/tracking/alerts", {"mode": "everyTime"})
        self.call("PUT", "/tracking/position",
                  {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}, expect=204)

    def report(self, secret, latitude, longitude, at=None, **fields):
        """Reports a fix in OsmAnd's format. Without `at`, each report gets a later second than the one before: the
        server keeps the first of two fixes of the same second."""
        if at is None:
            at = self.last_report_seconds = max(int(time.time()), self.last_report_seconds + 1)
        values = {"id": secret, "lat": latitude, "lon": longitude, "timestamp": int(at), **fields}
        query = "&".join(f"{key}={value}" for key, value in values.items())
        status, _, _ = self.server.request("GET", f"/ingest/osmand?{query}")
        assert status == 200


def postgres_binaries():
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    if not versions:
        raise RuntimeError("PostgreSQL is not installed; run scripts/setup --tests")
    return versions[-1]


def processes_in(folder):
    """Returns the processes with that working directory, which all processes of PostgreSQL have in common."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd") == str(folder):
                found.append(int(process.name))
        except OSError:
            pass  # ended, a zombie, or another user's
    return found


class Postgres:
    """A private PostgreSQL server on loopback with its own data folder."""

    def __init__(self, environment=None):
        self.environment = {**os.environ, **(environment or {})}
        self.folder = Path(tempfile.mkdtemp(prefix="homeward-pg-"))
        self.port = free_port()
        self.databases = 0
        self.binaries = postgres_binaries()
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-D", self.folder / "data", "-U", "homeward", "-A", "trust", "-E", "UTF8", "--locale=C",
                  "--no-sync")

    def _run(self, program, *arguments):
        # PostgreSQL refuses to run as root.
        prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        subprocess.run([*prefix, self.binaries / program, *arguments], check=True, cwd="/", env=self.environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=120)

    def start(self):
        options = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self.folder}"
        try:
            self._run("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "-o", options, "start")
        except subprocess.CalledProcessError as error:
            raise RuntimeError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()[-2000:]}") from error
        return self

    def stop(self, mode="fast"):
        self._run("pg_ctl", "-D", self.folder / "data", "-w", "-m", mode, "stop")

    def kill(self):
        """Kills the server and all its processes with SIGKILL. PostgreSQL refuses to start while one of them holds its
        shared memory."""
        self._kill_one(int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0]))

        def are_gone():
            left = processes_in(self.folder / "data")
            for pid in left:
                self._kill_one(pid)
            return not left

        wait_until(are_gone, STOP_SECONDS, lambda: f"still there: {processes_in(self.folder / 'data')}")
        # The processes are dead. Until the first one is reaped, its process id would still count as running.
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)
        (self.folder / f".s.PGSQL.{self.port}.lock").unlink(missing_ok=True)

    @staticmethod
    def _kill_one(pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def new_database(self):
        self.databases += 1
        name = f"homeward_{self.databases}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "homeward", name)
        return f"postgres://homeward@127.0.0.1:{self.port}/{name}"

    def rows(self, url, query):
        """Returns the rows of a query, each as a list of texts."""
        done = subprocess.run([self.binaries / "psql", "-qAtc", query, url], capture_output=True, text=True,
                              timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return [line.split("|") for line in done.stdout.splitlines()]

    def close(self):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)
