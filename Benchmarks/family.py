"""*Today* of a large family after one week, and again after five years, on both engines.

Ten children have sixty chores: most are of one or two children, the others are shared by turns, by points, or by the
first child to claim them. SQL adds the assignments of the earlier days, one for each child and day. The baseline is the
same page after one week, in the same run.
"""

import datetime
import statistics
import time

from carrepsa import ENVIRONMENT, PostgresStore, SQLiteStore
from support.children import Household
from support.server import Postgres, Server

CHILDREN = 10
CHORES = 60
WEEK_DAYS = 7
YEARS_DAYS = 5 * 365
REQUESTS = 60
WARM_UP = 5
SHARED = ("turns", "points", "first")
SHARED_EVERY = 4

DATES = {
    "SQLite": "date('now', '-' || i || ' days')",
    "PostgreSQL": "to_char(now() AT TIME ZONE 'UTC' - i * interval '1 day', 'YYYY-MM-DD')",
}

ASSIGNMENTS = """
    WITH RECURSIVE d(i) AS (SELECT CAST({first} AS BIGINT) UNION ALL SELECT i + 1 FROM d WHERE i < {last})
    INSERT INTO family_assignment (
        id, child_id, booking_id, chore_id, name, picture_id, points, at, occurrence_date)
    SELECT '01000000-0000-7000-8000-' || CAST(100000000000 + {first} * 10000000 + number AS TEXT), child_id,
        '01000000-0000-7000-8000-100000000000', chore_id, name, picture_id, 1, {now} - i * 86400000, {date}
    FROM (
        SELECT i, ROW_NUMBER() OVER (ORDER BY i, s.id, c.child_id) AS number, c.child_id, s.chore_id, h.name,
            h.picture_id
        FROM d CROSS JOIN family_schedule s JOIN family_schedule_child c ON c.schedule_id = s.id
        JOIN family_chore h ON h.id = s.chore_id WHERE s.distribution = 'each'
    ) AS days
"""


def family(say):
    with_family(SQLiteStore(), say)
    cluster = Postgres()
    try:
        with_family(PostgresStore(cluster.start()), say)
    finally:
        cluster.close()


def with_family(store, say):
    server = Server(store.url, ENVIRONMENT)
    try:
        server.start()
        ada = Household(server, "Ada")
        children = [ada.child(f"Child {number}") for number in range(CHILDREN)]
        picture = ada.picture()
        first = datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=YEARS_DAYS)
        for number in range(CHORES):
            chore = ada.call("POST", "/family/chores", {"name": f"Chore {number}", "pictureId": picture}, expect=201)
            is_shared = number % SHARED_EVERY == 0
            some = children[number % CHILDREN:][:1 + number % 2] if not is_shared else children
            ada.call("PUT", f"/family/chores/{chore['id']}/schedule", {
                "childIds": [child["id"] for child in some], "startsOn": str(first), "rule": "FREQ=DAILY",
                "dueTime": "18:00", "distribution": SHARED[number % len(SHARED)] if is_shared else "each"}, expect=200)
        device = ada.device(children[0])
        add_days(store, server, 1, WEEK_DAYS)
        young = measure(ada, device)
        add_days(store, server, WEEK_DAYS + 1, YEARS_DAYS)
        assignments = store.count(server, "family_assignment")
        for name, milliseconds in measure(ada, device).items():
            say(f"{name}, {store.name}", milliseconds, "ms", young[name], note=f"{assignments:,} assignments")
    finally:
        server.close()


def add_days(store, server, first, last):
    """Adds the assignments of some days before today, while the server is stopped."""
    server.stop()
    store.execute(server, "UPDATE family_schedule SET applies_from = starts_on")
    store.execute(server, ASSIGNMENTS.format(
        first=first, last=last, now=int(time.time() * 1000), date=DATES[store.name]))
    server.start()


def measure(parent, child):
    """The median times in milliseconds."""
    return {
        "Today of ten children, JSON": median(parent, "application/json"),
        "Today of ten children, page": median(parent, "text/html"),
        "Today of one child, JSON": median(child, "application/json"),
        "Today of one child, page": median(child, "text/html"),
    }


def median(person, accept):
    times = []
    for _ in range(WARM_UP + REQUESTS):
        started = time.perf_counter()
        status, _, _ = person.server.request(
            "GET", "/family/today", None, person.token, {"Accept": accept})
        times.append((time.perf_counter() - started) * 1_000)
        assert status == 200, status
    return statistics.median(times[WARM_UP:])
