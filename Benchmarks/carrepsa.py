"""Complete deliveries over HTTP: four writes each, with money moving in three of them."""

import contextlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from support.server import Person, Postgres, Server
from wrk import Load

PEOPLE = 100
CLIENTS = (1, 64, 256)
SECONDS = 5
PGBENCH_SECONDS = 30
PER_COMMIT = 64
PGBENCH_CLIENTS = (1, 64)
ROWS = ("carrepsa_package", "carrepsa_story", "ledger_account", "ledger_transfer", "ledger_posting", "outbox")


class Rates(NamedTuple):
    """What a load run reached: deliveries, transfers and requests per second."""
    deliveries: float
    transfers: float
    requests: float
    p99_milliseconds: float


class SQLiteStore:
    name = "SQLite"

    def __init__(self):
        self.url = None

    def count(self, server, table, condition="TRUE"):
        store = sqlite3.connect(f"file:{server.folder / 'data/homeward.sqlite'}?mode=ro", uri=True)
        try:
            return store.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0]
        finally:
            store.close()

    def execute(self, server, statement):
        """Executes a statement while the server is stopped."""
        store = sqlite3.connect(server.folder / "data/homeward.sqlite")
        with contextlib.closing(store), store:
            store.execute(statement)


class PostgresStore:
    name = "PostgreSQL"

    def __init__(self, cluster):
        self.cluster = cluster
        self.url = cluster.new_database()

    def count(self, server, table, condition="TRUE"):
        return int(self.rows(f"SELECT count(*) FROM {table} WHERE {condition}"))

    def execute(self, server, statement):
        self.rows(statement)

    def rows(self, query):
        """The rows of a query as lines, with `|` between the columns."""
        done = subprocess.run([self.cluster.binaries / "psql", "-qAtc", query, self.url],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


def counts(store, server):
    """(deliveries, transfers) after the server has executed the requests that wrk left in progress."""
    before = None
    while True:
        now = (store.count(server, "carrepsa_package", "state = 'delivered'"), store.count(server, "ledger_transfer"))
        if now == before:
            return now
        before = now
        time.sleep(0.3)


def run(store, servers, tokens, clients, pattern, seconds=SECONDS):
    """One load run, whose clients are divided over the servers of one store."""
    delivered, transfers = counts(store, servers[0])
    threads = 2 if len(servers) == 1 else 1
    loads = [Load(server, "deliveries.lua", (clients + number) // len(servers), seconds, [tokens, pattern, number],
                  threads)
             for number, server in enumerate(servers)]
    results = [load.finish() for load in loads]
    finished, longest = 0, 0
    for server, result in zip(servers, results, strict=True):
        count, microseconds, refused, refusal = map(int, re.search(
            r"Deliveries: (\d+) in (\d+) us, refused: (\d+) \((\d+)\)", result.output).groups())
        assert refused == 0, f"{refused} refused, one with {refusal}\n{server.log_text()[-2000:]}"
        finished, longest = finished + count, max(longest, microseconds / 1e6)
    delivered_then, transfers_then = counts(store, servers[0])
    stored, moved = delivered_then - delivered, transfers_then - transfers
    # Requests in progress at the end are executed, but not counted by wrk.
    assert finished <= stored <= finished + clients, (finished, stored)
    return Rates(finished / longest, moved / longest, sum(result.per_second for result in results),
                 max(result.p99_milliseconds for result in results))


ENVIRONMENT = {"HOMEWARD_LOG_LEVEL": "warning", "HOMEWARD_WELCOME_AMOUNT": "1000000.00"}


def add_people(server):
    """Creates the people, each with an open wallet. Returns them and the file of their tokens."""
    people = [Person(server, f"Neighbour {number}", app="carrepsa", phone=f"+49 151 {1_000_000 + number}")
              for number in range(PEOPLE)]
    for someone in people:
        someone.call("GET", "/carrepsa/wallet", expect=200)
    tokens = server.folder / "tokens"
    tokens.write_text("".join(f"{someone.token}\n" for someone in people))
    return people, tokens


def start_server(store):
    """Starts a server with people; (server, people, the file of their tokens)."""
    server = Server(store.url, ENVIRONMENT)
    try:
        return server.start(), *add_people(server)
    except BaseException:
        server.close()
        raise


def measure(store, say, baseline):
    """All runs on one engine. Afterwards `baseline` gets the server: (name, transactions or deliveries per second)."""
    server, _, tokens = start_server(store)
    try:
        results = [(clients, pattern, run(store, [server], tokens, clients, pattern))
                   for pattern in ("uniform", "hot") for clients in CLIENTS]
        done = server.command("verify")
        assert done.returncode == 0, done.stdout + done.stderr
        server.stop()
        compare = baseline(server)
        for clients, pattern, rates in results:
            say(f"deliveries, {store.name}, {clients} clients, {pattern}", rates.deliveries, "a second",
                note=f"{rates.transfers:,.0f} transfers, {rates.requests:,.0f} durable requests a second, "
                     f"p99 {rates.p99_milliseconds:.0f} ms")
            compare(clients, rates)
    finally:
        server.close()


def raw_rows(server):
    """Deliveries per second with rows written directly to SQLite, PER_COMMIT (the number of clients) at a time."""
    source = server.folder / "data/homeward.sqlite"
    folder = Path(tempfile.mkdtemp(prefix="homeward-bench-"))
    store = sqlite3.connect(folder / "raw.sqlite", isolation_level=None)
    store.execute("PRAGMA journal_mode=WAL")
    store.execute("PRAGMA synchronous=FULL")
    store.execute("ATTACH ? AS source", (str(source),))
    known = {name for (name,) in store.execute("SELECT name FROM source.sqlite_master WHERE type = 'table'")}
    deliveries = store.execute("SELECT count(*) FROM source.carrepsa_package").fetchone()[0]
    shares = []
    for table in (name for name in ROWS if name in known):
        for (sql,) in store.execute(
                "SELECT sql FROM source.sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC",
                (table,)).fetchall():
            store.execute(sql)
        rows = store.execute(f"SELECT * FROM source.{table} LIMIT 200000").fetchall()
        places = ", ".join("?" * len(rows[0]))
        total = store.execute(f"SELECT count(*) FROM source.{table}").fetchone()[0]
        shares.append((f"INSERT INTO {table} VALUES ({places})", rows, total / deliveries))
    # As many deliveries as there are rows of each kind.
    count = int(min(len(rows) / share for _, rows, share in shares))
    started = time.perf_counter()
    for start in range(0, count, PER_COMMIT):
        end = min(start + PER_COMMIT, count)
        store.execute("BEGIN IMMEDIATE")
        for insert, rows, share in shares:
            store.executemany(insert, rows[int(start * share):int(end * share)])
        store.execute("COMMIT")
    rate = count / (time.perf_counter() - started)
    store.close()
    shutil.rmtree(folder)
    return rate


def against_raw_rows(say):
    def baseline(server):
        rate = raw_rows(server)
        say(f"the same rows straight to SQLite, {PER_COMMIT} deliveries a commit", rate, "a second")
        return lambda _, rates: say("  against those rows", rates.deliveries, "a second", rate)
    return baseline


def pgbench(cluster, url, clients):
    """The transactions per second of pgbench on a database that it has filled."""
    output = subprocess.run(
        [cluster.binaries / "pgbench", "-c", str(clients), "-j", str(min(2, clients)), "-M", "prepared",
         "-T", str(PGBENCH_SECONDS), url],
        check=True, capture_output=True, text=True).stdout
    return float(re.search(r"tps = ([\d.]+)", output).group(1))


def against_pgbench(cluster, say):
    def baseline(server):
        url = cluster.new_database()
        subprocess.run([cluster.binaries / "pgbench", "-q", "-i", "-s", "10", url], check=True, capture_output=True)
        baselines = {clients: pgbench(cluster, url, clients) for clients in PGBENCH_CLIENTS}
        for clients, rate in baselines.items():
            say(f"pgbench -s 10 -c {clients} -j {min(2, clients)} -M prepared, same cluster", rate, "a second")

        def compare(clients, rates):
            nearest = max(known for known in baselines if known <= clients)
            say(f"  transactions against pgbench's with {nearest}", rates.requests, "a second", baselines[nearest])

        return compare
    return baseline


def deliveries(say):
    measure(SQLiteStore(), say, against_raw_rows(say))
    cluster = Postgres().start()
    try:
        measure(PostgresStore(cluster), say, against_pgbench(cluster, say))
    finally:
        cluster.close()


FEED_LIMIT = 500
FEED_CLIENTS = 64
FEED_ROUNDS = 3
SHORT_SECONDS = 2


def full_feed(say):
    """Deliveries of one busy owner while the owner's feed fills, and once it is full and old entries are deleted."""
    cluster = Postgres().start()
    try:
        fill_feed(PostgresStore(cluster), say)
    finally:
        cluster.close()


def fill_feed(store, say):
    server, people, tokens = start_server(store)
    try:
        owner = f"account_id = '{people[0].call('GET', '/account', expect=200)['id']}'"

        def hot(seconds):
            return run(store, [server], tokens, FEED_CLIENTS, "hot", seconds).deliveries

        hot(SHORT_SECONDS)
        filling, full = [], []
        for _ in range(FEED_ROUNDS):
            store.execute(server, f"DELETE FROM notice WHERE {owner}")
            filling.append(hot(SHORT_SECONDS))
            # The server itself posts fewer notifications of a kind in a day.
            store.execute(server, f"""
                INSERT INTO notice (id, account_id, kind, resource, subject, details, at)
                SELECT gen_random_uuid()::text, account_id, kind, resource, subject, details, at
                FROM notice, generate_series(1, {FEED_LIMIT}) WHERE {owner} LIMIT {FEED_LIMIT}""")
            full.append(hot(SECONDS))
        deadlocks = server.log_text().count("deadlock")
        assert deadlocks == 0, f"{deadlocks} deadlocks"
        say(f"deliveries of one owner, {store.name}, {FEED_CLIENTS} clients, feed full", sorted(full)[FEED_ROUNDS // 2],
            "a second", sorted(filling)[FEED_ROUNDS // 2], note="no deadlock; baseline: the feed filling")
        assert server.command("verify").returncode == 0
    finally:
        server.close()
