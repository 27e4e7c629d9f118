"""The days of a year of an item with five million positions, and the time until the job has divided them.

The positions are those of a person who works on weekdays: one every six seconds, with jitter. The server's job computes
the stays and trips. The pages are read as JSON, one after the other.
"""

import contextlib
import datetime
import random
import sqlite3
import statistics
import time

from support.items import HOME, METRE
from support.patience import wait_until
from support.server import Person, Server

DAYS = 365
SECONDS_BETWEEN = 6
FIRST = datetime.datetime(2025, 3, 1, tzinfo=datetime.UTC)
WORK = (HOME[0] + 6_000 * METRE, HOME[1])
COMPUTE_SECONDS = 3_600
PAGES = 60


def place_at(hour):
    """Returns the true place at an hour of the day."""
    if 8 <= hour < 8.5:
        return HOME[0] + (WORK[0] - HOME[0]) * (hour - 8) * 2, HOME[1]
    if 8.5 <= hour < 17:
        return WORK
    if 17 <= hour < 17.5:
        return WORK[0] + (HOME[0] - WORK[0]) * (hour - 17) * 2, HOME[1]
    return HOME


def positions(series, days):
    generator = random.Random(1)
    for day in range(days):
        midnight = FIRST + datetime.timedelta(days=day)
        start = int(midnight.timestamp())
        is_weekend = midnight.weekday() >= 5
        for second in range(0, 86_400, SECONDS_BETWEEN):
            latitude, longitude = HOME if is_weekend else place_at(second / 3_600)
            yield (series, (start + second) * 1_000, latitude + generator.gauss(0, 5) * METRE,
                   longitude + generator.gauss(0, 8) * METRE, 8.0)


def with_year(server):
    """Fills a store while the server is stopped. The positions count as archived. Returns the owner and the item."""
    someone = Person(server)
    item = someone.add_item("Bag")
    secret = someone.add_osmand_tracker(item)
    someone.report(secret, *HOME, at=int(FIRST.timestamp()) - 86_400)
    server.stop()
    store = sqlite3.connect(server.folder / "data/homeward.sqlite")
    with contextlib.closing(store), store:
        (series,) = store.execute("SELECT series FROM track").fetchone()
        store.executemany(
            "INSERT INTO fix (series, at, latitude, longitude, accuracy, segment) VALUES (?, ?, ?, ?, ?, 0)",
            positions(series, DAYS))
        (count,) = store.execute("SELECT count(*) FROM fix").fetchone()
        store.execute("UPDATE whereabouts SET fixes = ?", (count,))
    return someone, item, count


def milliseconds(someone, paths):
    times = []
    for path in paths:
        begun = time.perf_counter()
        someone.call("GET", path, expect=200)
        times.append((time.perf_counter() - begun) * 1_000)
    return times


def days(say):
    server = Server().start()
    try:
        someone, item, count = with_year(server)
        server.start()
        begun = time.monotonic()
        last = (FIRST + datetime.timedelta(days=DAYS - 1)).date()
        path = f"/tracking/items/{item['id']}/days"
        wait_until(lambda: someone.call("GET", f"{path}/{last}?zone=UTC", expect=200)["parts"], COMPUTE_SECONDS,
                   pause=lambda: time.sleep(1))
        say("stays and trips of a year, computed", time.monotonic() - begun, "s", note=f"{count} positions")
        months = [f"{path}?month={FIRST.year + (FIRST.month + month - 1) // 12}-"
                  f"{(FIRST.month + month - 1) % 12 + 1:02}&zone=UTC" for month in range(12)]
        one_day = [f"{path}/{(FIRST + datetime.timedelta(days=day * DAYS // PAGES)).date()}?zone=UTC"
                   for day in range(PAGES)]
        years = [f"{path}?year={year}&zone=UTC" for year in sorted({FIRST.year, last.year})]
        for name, paths in (("the days of a year of an item", years), ("a month of an item", months),
                            ("a day of an item", one_day)):
            milliseconds(someone, paths)
            times = milliseconds(someone, paths)
            say(name, statistics.median(times), "ms", note=f"longest {max(times):.1f} ms, all {sum(times):.0f} ms")
    finally:
        server.close()
