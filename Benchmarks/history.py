"""Deliveries and single fixes in a young store, and again after a long history, on both engines.

The server executes all deliveries of the history, so their packages, notifications, events and transfers are real and
the ledger is sealed. SQL adds the earlier fixes of each phone, one a minute, and those of their events that the server
keeps in the outbox. Nothing is analysed or vacuumed for the second measurement: the databases and the server do what
they always do.
"""

import statistics
import time

from carrepsa import FEED_LIMIT, SECONDS, PostgresStore, SQLiteStore, run, start_server
from support.server import Postgres
from wrk import send_fixes

CLIENTS = 64
DELIVERIES = 100_000
FIXES = 5_000_000
PHONES = 50
START = 1_000_000_000  # 2001, so that every fix of a run is in the past
RUN_SECONDS = 1_000_000  # between the first fixes of two runs
ROUNDS = 3
GROWTH_SECONDS = 30
OUTBOX_MINUTES = 7 * 24 * 60
VERIFY_SECONDS = 600
STATEMENTS = 5
STATEMENT_CHARACTERS = 240

# The earlier fixes count as archived. Otherwise, the server would archive all of them at once during the measurement.
EARLIER_FIXES = f"""
    WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {FIXES // PHONES}),
        known AS (SELECT series, MIN(at) AS at FROM fix GROUP BY series)
    INSERT INTO fix (series, at, latitude, longitude, accuracy, segment)
    SELECT series, known.at - i * 60000, latitude, longitude, accuracy, 0
    FROM n CROSS JOIN known JOIN fix USING (series) WHERE fix.at = known.at
"""
COUNT_FIXES = f"UPDATE whereabouts SET fixes = fixes + {FIXES // PHONES} WHERE fixes > 0"

# The numbers of earlier events are negative, because those from 1 on are taken.
EARLIER_EVENTS = f"""
    WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < {OUTBOX_MINUTES}),
        known AS (SELECT audience, resource, ROW_NUMBER() OVER (ORDER BY resource) AS number
            FROM outbox WHERE kind = 'fix' GROUP BY audience, resource)
    INSERT INTO outbox (sequence, audience, kind, resource, version, at)
    SELECT number - {PHONES + 1} * i, audience, 'fix', resource, 1, {{now}} - i * 60000 FROM n CROSS JOIN known
"""

# The statements of the server by their texts without further spaces.
STATEMENT_TIMES = r"""
    SELECT sum(calls), sum(total_exec_time) * 1000 / sum(calls), regexp_replace(query, '\s+', ' ', 'g') AS text
    FROM pg_stat_statements WHERE query NOT LIKE 'SELECT count(*) FROM %' GROUP BY text
"""


def history(say):
    with_history(SQLiteStore(), say)
    cluster = Postgres()
    try:
        with open(cluster.folder / "data/postgresql.conf", "a") as settings:
            settings.write("shared_preload_libraries = 'pg_stat_statements'\n")
        store = PostgresStore(cluster.start())
        store.rows("CREATE EXTENSION pg_stat_statements")
        with_history(store, say, lambda: statement_times(store))
    finally:
        cluster.close()


def with_history(store, say, statement_times=dict):
    server, people, tokens = start_server(store)
    try:
        secrets = [someone.add_osmand_tracker(someone.add_item("Phone")) for someone in people[:PHONES]]

        def measure(number):
            """Deliveries, then fixes: the rate and the p99 of each."""
            rates = run(store, [server], tokens, CLIENTS, "uniform")
            load = send_fixes(server, secrets, CLIENTS, START + number * RUN_SECONDS, SECONDS)
            sent.append(load.total)
            return {"deliveries": (rates.deliveries, rates.p99_milliseconds),
                    "fixes": (load.per_second, load.p99_milliseconds)}

        sent = []
        statement_times()
        early = measure(0)
        early_statements = statement_times()
        server.stop()
        add_earlier_rows(store, server)
        server.start()
        add_deliveries(store, server, tokens, say)
        statement_times()
        late = [measure(number) for number in range(1, ROUNDS + 1)]
        late_statements = statement_times()
        for kind, (early_rate, early_tail) in early.items():
            say(f"{kind}, {store.name}, {CLIENTS} clients, young store", early_rate, "a second",
                note=f"p99 {early_tail:.0f} ms")
            rates, tails = zip(*(measured[kind] for measured in late), strict=True)
            say(f"{kind}, {store.name}, {CLIENTS} clients, long history", statistics.median(rates), "a second",
                early_rate, f"p99 {statistics.median(tails):.0f} ms, medians of {ROUNDS}")
        report_statements(early_statements, late_statements, say)
        require_complete(store, server, people, sum(sent))
    finally:
        server.close()


def add_earlier_rows(store, server):
    store.execute(server, EARLIER_FIXES)
    store.execute(server, COUNT_FIXES)
    store.execute(server, EARLIER_EVENTS.format(now=int(time.time() * 1000)))


def add_deliveries(store, server, tokens, say):
    while (count := store.count(server, "carrepsa_package", "state = 'delivered'")) < DELIVERIES:
        rates = run(store, [server], tokens, CLIENTS, "uniform", GROWTH_SECONDS)
        say(f"  after {count:,} deliveries", rates.deliveries, "a second",
            note=f"p99 {rates.p99_milliseconds:.0f} ms")


def statement_times(store):
    """Returns (calls, microseconds of each) since the last call, by the text of the statement."""
    lines = store.rows(STATEMENT_TIMES).splitlines()
    store.rows("SELECT pg_stat_statements_reset()")
    return {text: (int(calls), float(each)) for calls, each, text in (line.split("|", 2) for line in lines)}


def report_statements(early, late, say):
    """Prints the statements with the largest share in what the deliveries and fixes take longer."""
    def added(text):
        calls, each = late[text]
        return calls * (each - early[text][1])

    for text in sorted(early.keys() & late.keys(), key=added, reverse=True)[:STATEMENTS]:
        calls, each = late[text]
        say(f"  statement, {calls:,} times", each, "us", early[text][1], text[:STATEMENT_CHARACTERS])


def require_complete(store, server, people, sent):
    """Requires that all of the history is there and that the ledger is sound."""
    stored = store.count(server, "fix") - FIXES
    # Requests in progress at the end of a run are stored, but not counted by wrk.
    assert sent <= stored <= sent + (1 + ROUNDS) * CLIENTS, (sent, stored)
    assert store.count(server, "outbox", "sequence < 0") > PHONES * OUTBOX_MINUTES * 0.9
    for someone in people:
        assert store.count(server, "notice", f"account_id = '{someone.id}'") >= FEED_LIMIT
    done = server.command("verify", seconds=VERIFY_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
