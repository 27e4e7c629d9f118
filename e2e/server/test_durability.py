"""A write with a 2xx response is on disk: tests with tracing, kills and a full disk. `ROUNDS` sets the number of kills
(make soak: 20)."""

import http.client
import os
import re
import shutil
import signal
import subprocess
import threading
import time

import pytest

from support.patience import answers, wait_until
from support.server import BINARIES, Person, Server

ROUNDS = int(os.environ.get("ROUNDS", "2"))
WRITERS = 8


def tracked_item(server):
    someone = Person(server)
    item = someone.add_item("Bag")
    return someone, item, someone.add_osmand_tracker(item)


class Load:
    """Clients that post fixes, each with a unique time, and record which were acknowledged."""

    def __init__(self, server, secret, start):
        self.server, self.secret, self.next = server, secret, start
        self.acknowledged, self.refused = [], []
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.threads = [threading.Thread(target=self._write) for _ in range(WRITERS)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def wait_for(self, count, seconds=30):
        deadline = time.monotonic() + seconds
        while len(self.acknowledged) < count:
            assert time.monotonic() < deadline, f"{len(self.acknowledged)} of {count} writes in {seconds} s"
            self.stopping.wait(0.01)

    def _write(self):
        while not self.stopping.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=5)
            try:
                while not self.stopping.is_set():
                    with self.lock:
                        at, self.next = self.next, self.next + 1
                    connection.request("GET", f"/ingest/osmand?id={self.secret}&lat=50.1&lon=6.1&timestamp={at}")
                    answer = connection.getresponse()
                    answer.read()
                    (self.acknowledged if answer.status == 200 else self.refused).append(at)
            except (OSError, http.client.HTTPException):
                self.stopping.wait(0.02)
            finally:
                connection.close()


def stored_times(someone, item):
    csv = someone.call("GET", f"/tracking/items/{item['id']}/fixes?format=csv").decode()
    return {line.split(",")[1] for line in csv.splitlines()[1:]}


def as_text(at):
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(at))


def missing(someone, item, acknowledged):
    stored = stored_times(someone, item)
    return [at for at in acknowledged if as_text(at) not in stored]


def test_no_acknowledged_write_is_lost_when_the_server_is_killed(own_server):
    server = own_server()
    someone, item, secret = tracked_item(server)
    acknowledged, start = [], int(time.time()) - 2_000_000
    for _ in range(ROUNDS):
        with Load(server, secret, start) as load:
            load.wait_for(50)
            server.kill()
        acknowledged += load.acknowledged
        start = load.next
        server.start()
        assert missing(someone, item, acknowledged) == []
    assert len(acknowledged) >= 50 * ROUNDS


def test_no_acknowledged_write_is_lost_when_postgresql_is_killed(postgres, own_server):
    from support.server import Postgres

    cluster = Postgres().start()
    try:
        server = own_server(cluster.new_database())
        someone, item, secret = tracked_item(server)
        acknowledged, start = [], int(time.time()) - 2_000_000
        for _ in range(min(ROUNDS, 3)):
            with Load(server, secret, start) as load:
                load.wait_for(50)
                cluster.kill()
            acknowledged += load.acknowledged
            start = load.next
            cluster.start()
            wait_until(lambda: server.request("GET", "/health/ready")[0] == 200, 20,
                       "the server did not find PostgreSQL again")
            assert missing(someone, item, acknowledged) == []
    finally:
        cluster.close()


SYSCALL = re.compile(r"^(\d+) +([\d.]+) (?:<\.\.\. )?(\w+)(?:\((\d+)| resumed>)(.*)$")


def trace_events(path):
    """Returns (begin, end, thread, call, descriptor, text) of each traced call, ordered by end."""
    open_calls = {}
    for line in path.read_text(errors="replace").splitlines():
        match = SYSCALL.match(line)
        if not match:
            continue
        thread, at, call, descriptor, text = match.groups()
        at = float(at)
        if line.rstrip().endswith("<unfinished ...>"):
            open_calls[thread] = (at, descriptor, text)
            continue
        if "resumed>" in line and thread in open_calls:
            begin, descriptor, before = open_calls.pop(thread)
            yield begin, at, thread, call, descriptor, before + text
        elif descriptor is not None:
            yield at, at, thread, call, descriptor, text


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_every_acknowledgement_follows_a_sync_begun_after_its_request(tmp_path):
    server = Server()
    trace = tmp_path / "trace"
    # Traced from the start, because attaching to a process may be forbidden.
    environment = server.environment
    process = None
    try:
        server.start()
        _, _, secret = tracked_item(server)
        server.stop()
        process = subprocess.Popen(
            ["strace", "-f", "-ttt", "-s", "80", "-o", trace,
             "-e", "trace=read,recvfrom,recvmsg,write,writev,sendto,sendmsg,fdatasync,fsync",
             BINARIES / "homeward", "serve"],
            env=environment, cwd=server.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        is_ready = answers(lambda: server.request("GET", "/health/ready")[0] == 200, OSError)
        wait_until(is_ready, 60, "the traced server did not start")
        with Load(server, secret, int(time.time()) - 2_000_000) as load:
            load.wait_for(100, seconds=60)
    finally:
        if process:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        server.close()

    syncs, arrived, checked = [], {}, 0
    for begin, end, _, call, descriptor, text in sorted(trace_events(trace), key=lambda event: event[1]):
        if call in ("fdatasync", "fsync") and "= 0" in text:
            syncs.append((begin, end))
        elif call in ("read", "recvfrom", "recvmsg") and "/ingest/osmand" in text:
            arrived[descriptor] = end
        elif call in ("write", "writev", "sendto", "sendmsg") and "HTTP/1.1 200" in text and descriptor in arrived:
            request = arrived.pop(descriptor)
            assert any(request <= first and last <= end for first, last in syncs[-200:]), \
                f"acknowledged at {end} what came at {request}, with no sync in between"
            checked += 1
    assert checked >= 100


@pytest.mark.skipif(os.geteuid() != 0, reason="a small file system can only be mounted by root")
def test_full_disk_rejects_writes_serves_reads_and_recovers(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", small], capture_output=True,
                             check=False)
    if mounted.returncode:
        pytest.skip("this system does not let us mount a file system")
    server = Server(environment={"HOMEWARD_DATA": str(small / "data")})
    try:
        server.start()
        someone, item, secret = tracked_item(server)
        filler = small / "filler"
        # Without a buffer, whose rest would fail again when the file is closed.
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 65536)
            except OSError:
                pass
        with Load(server, secret, int(time.time()) - 2_000_000) as load:
            wait_until(lambda: len(load.refused) >= 20, 30, "a full disk was never noticed")
        assert someone.call("GET", "/tracking/items", expect=200)["items"][0]["name"] == "Bag", "reads go on"
        assert missing(someone, item, load.acknowledged) == []
        filler.unlink()
        with Load(server, secret, load.next) as again:
            again.wait_for(20)
        server.kill()
        server.start()
        assert missing(someone, item, load.acknowledged + again.acknowledged) == []
    finally:
        server.close()
        subprocess.run(["umount", "-l", small], check=False)
