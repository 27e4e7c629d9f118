"""Three PostgreSQL servers that Patroni keeps as one primary and two standbys, with etcd, on loopback."""

import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import urllib.error
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from support.backups import Backups
from support.disk import Disk
from support.network import OUTSIDE, Network
from support.patience import answers, wait_until
from support.program import POSTGRES_USER, STOP_SECONDS, Program, send
from support.server import free_port, postgres_binaries, processes_in

MEMBERS = 3
START_SECONDS = 60
SHUTDOWN_SECONDS = 30
# A failed primary is replaced once its leader key has expired. The key is renewed every LOOP_SECONDS.
TTL_SECONDS, LOOP_SECONDS, RETRY_SECONDS = 10, 2, 3
# Without a response of a standby for this time, the primary ends its connection.
SENDER_SECONDS = 5
UNREACHABLE = (OSError, ValueError, urllib.error.URLError, http.client.HTTPException)


# Debian has HAProxy where an ordinary user's shell doesn't search.
HAPROXY = "/usr/sbin/haproxy"


def is_installed():
    return all(shutil.which(program) for program in ("patroni", "etcd", HAPROXY))


def ask(url, timeout=2):
    with urllib.request.urlopen(url, timeout=timeout) as answer:
        return json.loads(answer.read())


@dataclass
class Options:
    """What a test changes of the reference. With a `network`, all links between members and to etcd, and the nodes'
    links to members, pass through it. With `disk_megabytes`, each member's data has a small disk of its own. With
    `backups`, the members archive their write-ahead log."""

    network: Network | None = None
    disk_megabytes: int | None = None
    backups: Backups | None = None


class Etcd(Program):
    """One etcd server, whose loss is the loss of the whole etcd cluster of real machines."""

    def __init__(self, folder):
        folder.mkdir()
        self.port = free_port()
        self.url, peers = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{free_port()}"
        # Patroni 3.0.2 of Debian 12 renews its leader key over etcd's version 3 interface without a comparison: a
        # primary that was frozen takes the key back from its successor. Over version 2 it compares.
        super().__init__(
            "etcd", folder, "etcd", "--enable-v2", "--data-dir", folder / "data", "--listen-client-urls", self.url,
            "--advertise-client-urls", self.url, "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers,
            "--initial-cluster", f"default={peers}")

    def start(self):
        super().start()
        self.wait_for(answers(lambda: ask(f"{self.url}/health")["health"] == "true", *UNREACHABLE), START_SECONDS,
                      "etcd was not ready")
        return self


class PatroniMember(Program):
    """Patroni and the PostgreSQL server that it starts. A fault hits both, as the fault of a computer does."""

    def __init__(self, number, etcd, folder, options):
        folder.mkdir()
        self.port, self.api_port = free_port(), free_port()
        self.api = f"http://127.0.0.1:{self.api_port}"
        self.disk = Disk(folder / "disk", options.disk_megabytes)
        self.data = self.disk.folder / "data"
        self.settings = folder / "patroni.yml"
        name = f"postgres-{number}"
        # The addresses by which members, and by which nodes find this one.
        self.peer_address = self.address = f"127.0.0.1:{self.port}"
        self.api_address, self.etcd_settings = f"127.0.0.1:{self.api_port}", {"url": etcd.url}
        if options.network:
            self._link(options.network, name, etcd, folder)
        self.settings.write_text(self._settings(name, folder, options))
        if POSTGRES_USER:
            shutil.chown(folder, "postgres")
            shutil.chown(self.disk.folder, "postgres")
        super().__init__(name, folder, "patroni", self.settings, env={**os.environ, "HOME": str(folder)},
                         **POSTGRES_USER)

    def _link(self, network, name, etcd, folder):
        network.add_part(name, folder, self.data)
        self.peer_address = f"127.0.0.1:{network.link(name, self.port)}"
        self.address = f"127.0.0.1:{network.link(name, self.port, OUTSIDE)}"
        self.api_address = f"127.0.0.1:{network.link(name, self.api_port)}"
        # With `proxy` Patroni doesn't ask etcd for other addresses of its servers.
        self.etcd_settings = {"proxy": f"http://127.0.0.1:{network.link(etcd.name, etcd.port, name)}"}

    def _settings(self, name, folder, options):
        archive = options.backups.parameters(name, self.data, self.port, folder) if options.backups else {}
        # JSON is YAML.
        return json.dumps({
            "scope": "homeward",
            "name": name,
            "etcd": self.etcd_settings,
            "restapi": {"listen": f"127.0.0.1:{self.api_port}", "connect_address": self.api_address},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL_SECONDS, "loop_wait": LOOP_SECONDS, "retry_timeout": RETRY_SECONDS,
                    # A failover loses no confirmed change.
                    "synchronous_mode": True,
                    # The primary continues without etcd while it reaches all standbys.
                    "failsafe_mode": True,
                    # A primary that is cut off stops quickly: when it shuts down, it waits this long for its standbys.
                    # If that takes longer than Patroni's loop, Patroni 3.0.2 starts PostgreSQL twice.
                    "postgresql": {"use_pg_rewind": True, "parameters": {
                        "max_connections": 100, "fsync": "on", "wal_sender_timeout": f"{SENDER_SECONDS}s"}},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "data-checksums"],
                "pg_hba": ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}", "connect_address": self.peer_address,
                # A member whose data can't be rewound, for example because a second failure interrupts that, is
                # copied again from the primary.
                "remove_data_directory_on_rewind_failure": True, "remove_data_directory_on_diverged_timelines": True,
                # Otherwise the copy of a member begins with the primary's next checkpoint, which takes minutes.
                "basebackup": [{"checkpoint": "fast"}],
                "data_dir": str(self.data), "bin_dir": str(postgres_binaries()),
                "authentication": {role: {"username": user, "password": "unused"} for role, user in
                                   (("superuser", "postgres"), ("replication", "replicator"), ("rewind", "rewinder"))},
                "parameters": {"unix_socket_directories": str(folder), "shared_buffers": "64MB", **archive},
            },
        }, indent=2)

    def pids(self):
        """Patroni's process first, then PostgreSQL's first process, then the others."""
        first = self.postmaster()
        return super().pids() + sorted(processes_in(self.data), key=lambda pid: (pid != first, pid))

    def postmaster(self):
        """Returns the first process of PostgreSQL while it runs, or None."""
        try:
            first = int((self.data / "postmaster.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return None
        return first if first in processes_in(self.data) else None

    def is_primary(self):
        """Whether Patroni responds and holds the leader key."""
        return self.is_running and answers(lambda: bool(ask(f"{self.api}/primary")), *UNREACHABLE)()

    def run(self, program, *arguments):
        """Runs a program of PostgreSQL as its administrator and returns the finished process."""
        return subprocess.run([postgres_binaries() / program, "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres",
                               *arguments], cwd="/", capture_output=True, text=True, timeout=60, check=False)

    def query(self, statement):
        """Returns what a statement in Homeward's database prints."""
        done = self.run("psql", "-d", "homeward", "-Atc", statement)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def shut_down(self):
        """Stops Patroni as systemd does: it stops PostgreSQL and gives up the leader key. PostgreSQL 15 may wait for
        itself if it is stopped while it begins to recover from a crash. Then it is ended as docs/operating.md says."""
        self.process.terminate()
        try:
            self.process.wait(SHUTDOWN_SECONDS)
        except subprocess.TimeoutExpired:
            send([self.postmaster()], signal.SIGQUIT)
            self.process.wait(SHUTDOWN_SECONDS)

    def stop(self):
        """Ends PostgreSQL before Patroni, which would wait for its standbys."""
        # Also without Patroni: a frozen PostgreSQL would ignore the signal below.
        self.resume()
        if self.is_running:
            self.process.kill()
            self.process.wait()
        if first := self.postmaster():
            # An immediate shutdown also frees shared memory.
            send([first], signal.SIGQUIT)
            with contextlib.suppress(AssertionError):
                wait_until(lambda: not processes_in(self.data), STOP_SECONDS)
        self.kill()


class PatroniCluster:
    """etcd and the members, in a folder of their own."""

    def __init__(self, options=None):
        self.folder = Path(tempfile.mkdtemp(prefix="homeward-patroni-")).resolve()
        # The user `postgres` has to reach its folders.
        self.folder.chmod(0o755)
        self.etcd = Etcd(self.folder / "etcd")
        self.members = [PatroniMember(number, self.etcd, self.folder / f"postgres-{number}", options or Options())
                        for number in range(1, MEMBERS + 1)]

    @property
    def parts(self):
        return [self.etcd, *self.members]

    @property
    def hosts(self):
        return ",".join(member.address for member in self.members)

    def start(self):
        self.etcd.start()
        self.members[0].start().wait_for(lambda: self.primary(), START_SECONDS, "there was no primary")
        for member in self.members[1:]:
            member.start()
        self.wait_until_healthy()
        return self

    def roles(self):
        """Returns the role and the state of each member, as the first member that responds sees them."""
        for member in self.members:
            try:
                found = ask(f"{member.api}/cluster")["members"]
                return {one["name"]: (one["role"], one["state"]) for one in found}
            except UNREACHABLE:
                pass
        return {}

    def primary(self):
        """Returns the member that accepts writes, or None. A frozen one doesn't respond."""
        return next((member for member in self.members if member.is_primary()), None)

    def synchronous_standby(self):
        """Returns the member that confirms each commit and may replace the primary, or None."""
        roles = self.roles()
        return next((member for member in self.members if roles.get(member.name, [""])[0] == "sync_standby"), None)

    def is_healthy(self):
        """Whether all standbys follow the primary and one of them may replace it.

        The primary says who follows it. Patroni's list of members shows a member that was frozen as running."""
        if not (primary := self.primary()) or not self.synchronous_standby():
            return False
        followers = answers(lambda: ask(f"{primary.api}/patroni").get("replication", []), *UNREACHABLE)() or []
        return sum(one["state"] == "streaming" for one in followers) == MEMBERS - 1

    def wait_until_healthy(self, seconds=90):
        wait_until(self.is_healthy, seconds,
                   lambda: f"{self.roles()}\n" + "\n".join(member.log_text() for member in self.members))

    def new_database(self, name="homeward"):
        """Creates a database and returns its URL, with which libpq finds the primary."""
        primary = self.primary()
        for command in (["createuser", "homeward"], ["createdb", "--owner=homeward", name]):
            primary.run(*command).check_returncode()
        return f"postgres://homeward@{self.hosts}/{name}?target_session_attrs=read-write&connect_timeout=2"

    def close(self):
        with ExitStack() as ends:
            ends.callback(shutil.rmtree, self.folder, ignore_errors=True)
            for member in self.members:
                ends.callback(member.disk.close)
            for part in self.parts:
                ends.callback(part.stop)
