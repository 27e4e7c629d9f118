"""The published benchmarks. `make bench`, or Benchmarks/run NAME… for some of them.

Everything runs on this machine, load generator and server side by side; compare the ratios, not the figures of two
machines. Each benchmark measures its baseline in the same run.
"""

import http.client
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "e2e"))

from board import board  # noqa: E402
from carrepsa import deliveries, full_feed  # noqa: E402
from days import days  # noqa: E402
from family import family  # noqa: E402
from history import history  # noqa: E402
from live import live  # noqa: E402
from nodes import nodes  # noqa: E402
from offers import offers  # noqa: E402
from phone import slow_phone  # noqa: E402
from processes import memory_mib  # noqa: E402
from support.server import Person, Server  # noqa: E402
from tracker import Tracker  # noqa: E402
from wrk import send_fixes  # noqa: E402

SECONDS = 5
START = 1_000_000_000  # 2001, so that every fix of a run is in the past
HISTORY = 5_000_000
PHONES = 50
TRACKERS = 8
FIXES_PER_MESSAGE = 200
SOURCES_PER_PERSON = 100


def say(name, value, unit, baseline=None, note=""):
    ratio = f"{value / baseline:8.2f} x baseline {baseline:,.0f}" if baseline else ""
    print(f"{name:54} {value:12,.1f} {unit:10} {ratio} {note}", flush=True)


def raw_inserts(rows_per_commit):
    """Rows per second of SQLite alone, with the server's synchronous commits."""
    folder = Path(tempfile.mkdtemp(prefix="homeward-bench-"))
    store = sqlite3.connect(folder / "raw.sqlite", isolation_level=None)
    store.execute("PRAGMA journal_mode=WAL")
    store.execute("PRAGMA synchronous=FULL")
    store.execute("CREATE TABLE fix (series INTEGER, at INTEGER, latitude REAL, longitude REAL, accuracy REAL, "
                  "PRIMARY KEY (series, at)) STRICT, WITHOUT ROWID")
    at, ends = 0, time.perf_counter() + SECONDS / 2
    started = time.perf_counter()
    while time.perf_counter() < ends:
        store.execute("BEGIN IMMEDIATE")
        for _ in range(rows_per_commit):
            at += 1
            store.execute("INSERT INTO fix VALUES (1, ?, 50.1, 6.1, 5)", (at,))
        store.execute("COMMIT")
    rate = at / (time.perf_counter() - started)
    store.close()
    shutil.rmtree(folder)
    return rate


def fixes_stored(server):
    store = sqlite3.connect(server.folder / "data/homeward.sqlite")
    try:
        return store.execute("SELECT count(*) FROM fix").fetchone()[0]
    finally:
        store.close()


def ingest():
    for connections in (1, 64, 512):
        server = Server(environment={"HOMEWARD_LOG_LEVEL": "warning"}).start()
        try:
            someone = Person(server)
            secrets = [someone.add_osmand_tracker(someone.add_item(f"Phone {number}")) for number in range(PHONES)]
            load = send_fixes(server, secrets, connections, START, SECONDS)
            server.stop()
            stored = fixes_stored(server)
            # Requests in progress at the end are stored, but not counted by wrk.
            assert load.total <= stored <= load.total + connections, (load.total, stored)
            say(f"fixes over HTTP, one a request, {connections} connections", load.per_second, "a second",
                raw_inserts(min(connections, 64)), f"p99 {load.p99_milliseconds:.0f} ms, all {stored:,} stored")
        finally:
            server.close()


def deliver(port, tracker, messages):
    """Posts messages sequentially, each after the response to the previous one, as a tracker does."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for body, headers in messages:
        connection.request("POST", tracker.path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == 200, (answer.status, content)
    assert tracker.check(content, answer.headers["Homeward-Signature"])
    connection.close()


def batched():
    server = Server(environment={"HOMEWARD_LOG_LEVEL": "warning"}).start()
    try:
        someone = Person(server)
        trackers = [Tracker(server, someone, someone.add_item(f"Bag {number}")) for number in range(TRACKERS)]
        count = 150
        mail = []
        for tracker in trackers:
            starts = range(START, START + count * FIXES_PER_MESSAGE, FIXES_PER_MESSAGE)
            mail.append([tracker.message(range(start, start + FIXES_PER_MESSAGE)) for start in starts])
        threads = [threading.Thread(target=deliver, args=(server.port, tracker, messages))
                   for tracker, messages in zip(trackers, mail, strict=True)]
        started = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - started
        server.stop()
        sent = TRACKERS * count * FIXES_PER_MESSAGE
        assert fixes_stored(server) == sent, (fixes_stored(server), sent)
        say(f"fixes over HTTP, {FIXES_PER_MESSAGE} a signed message, {TRACKERS} trackers", sent / seconds, "a second",
            raw_inserts(FIXES_PER_MESSAGE), f"all {sent:,} stored")
    finally:
        server.close()


def bare_process():
    """The program's cost of starting and exiting: (milliseconds, MiB)."""
    started = time.perf_counter()
    process = subprocess.Popen([*Server.program(), "--help"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return (time.perf_counter() - started) * 1000, usage.ru_maxrss / 1024


def start_milliseconds(server):
    started = time.perf_counter()
    server.start()
    return (time.perf_counter() - started) * 1000


def idle():
    server = Server()
    try:
        bare, memory = bare_process()
        say("start-up to ready, new store", start_milliseconds(server), "ms", bare)
        times = []
        for _ in range(5):
            server.stop()
            times.append(start_milliseconds(server))
        say("start-up to ready, median of 5", statistics.median(times), "ms", bare)
        say("memory when idle", memory_mib(server.process), "MiB", memory)
    finally:
        server.close()


def median_list_milliseconds(someone):
    times = []
    for _ in range(60):
        started = time.perf_counter()
        answer = someone.call("GET", "/tracking/items?limit=200", expect=200)
        times.append((time.perf_counter() - started) * 1000)
    assert len(answer["items"]) == 200
    return statistics.median(times[10:])


def item_list():
    server = Server().start()
    try:
        someone = Person(server)
        items = [someone.add_item(f"Thing {number}") for number in range(200)]
        someone.is_at(50, 6)
        now = int(time.time())
        # Half of the sources are phones, as many as a person may have; half are trackers.
        for item in items[:SOURCES_PER_PERSON]:
            secret = someone.add_osmand_tracker(item)
            for number in range(5):
                someone.report(secret, 50, 6, at=now - 100 + number)
        for item in items[SOURCES_PER_PERSON:]:
            tracker = Tracker(server, someone, item)
            deliver(server.port, tracker, [tracker.message(range(now - 100, now - 95))])
        assert fixes_stored(server) == 1_000
        few = median_list_milliseconds(someone)
        server.stop()
        store = sqlite3.connect(server.folder / "data/homeward.sqlite", isolation_level=None)
        columns = [row[1] for row in store.execute("PRAGMA table_info(fix)")]
        series = [row[0] for row in store.execute("SELECT DISTINCT series FROM fix")]
        each = HISTORY // len(series)
        copied = ", ".join(name for name in columns if name != "at")
        store.execute("BEGIN")
        for one in series:
            store.execute(
                f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
                f"INSERT INTO fix ({copied}, at) SELECT {copied}, ? + n.i * 1000 FROM n, "
                f"(SELECT * FROM fix WHERE series = ? LIMIT 1)", (each, START * 1000, one))
        store.execute("COMMIT")
        store.close()
        count = fixes_stored(server)
        server.start()
        many = median_list_milliseconds(someone)
        say("list of 200 items, 1,000 fixes stored", few, "ms")
        say(f"list of 200 items, {count:,} fixes stored", many, "ms", few)
    finally:
        server.close()


BENCHMARKS = {
    "idle": idle, "ingest": ingest, "batched": batched, "list": item_list, "live": lambda: live(say),
    "deliveries": lambda: deliveries(say), "feed": lambda: full_feed(say), "nodes": lambda: nodes(say),
    "history": lambda: history(say), "days": lambda: days(say), "phone": lambda: slow_phone(say),
    "board": lambda: board(say), "family": lambda: family(say), "offers": lambda: offers(say),
}

for name in sys.argv[1:] or BENCHMARKS:
    BENCHMARKS[name]()
