"""The search of a trip and posting an offer, with 1,000 open offers and with 1,000,000.

The offers are distributed at random over Germany; half of them go at most about 30 kilometres. They are rows like the
one of a posted offer, with the first entry of the history, but without an escrow account. The trips have up to about
300 kilometres and a detour of 5 to 20. Each request is one over HTTP and JSON, with its own connection.
"""

import contextlib
import csv
import io
import math
import random
import sqlite3
import statistics
import subprocess
import time
import uuid

from carrepsa import ENVIRONMENT, PostgresStore, SQLiteStore
from support.server import Person, Postgres, Server

FEW, MANY = 1_000, 1_000_000
ROWS_PER_BATCH = 50_000
OWNERS = 50
TRAVELLERS = 10
TRIPS_PER_TRAVELLER = 20
POSTS_PER_OWNER = 4
WARM_UP = 5
SOUTH, WEST, HEIGHT, WIDTH = 47, 6, 7, 9
LOCAL_DEGREES = 0.25
# As in Sources/Carrepsa/Trips/Grid.swift.
FINEST_BAND_DEGREES, COLUMN_LIMIT, NUMBER_LIMIT = 0.2, 2_048, 1 << 21
FINE_LEVEL, COARSE_LEVEL = 0, 3


def cell(level, latitude, longitude):
    """Returns the number of the cell of a grid that contains a point."""
    degrees = FINEST_BAND_DEGREES * 2 ** level
    bands = math.ceil(180 / degrees)
    band = min(bands - 1, max(0, math.floor((latitude + 90) / degrees)))
    middle = min(90, (band + 0.5) * degrees - 90)
    columns = max(1, math.ceil(360 / degrees * math.cos(math.radians(middle))))
    return band * COLUMN_LIMIT + min(columns - 1, math.floor((longitude + 180) / 360 * columns))


def cell_pair(level, origin, destination):
    return cell(level, *origin) * NUMBER_LIMIT + cell(level, *destination)


def point(generator):
    return SOUTH + generator.random() * HEIGHT, WEST + generator.random() * WIDTH


def ends(generator):
    """Returns the public points of an offer's ends."""
    origin = point(generator)
    if generator.random() < 0.5:
        return origin, point(generator)
    return origin, (origin[0] + generator.uniform(-LOCAL_DEGREES, LOCAL_DEGREES),
                    origin[1] + generator.uniform(-LOCAL_DEGREES, LOCAL_DEGREES))


def identifier(generator):
    """Returns a UUID of version 7 (RFC 9562)."""
    milliseconds = int(time.time() * 1_000)
    return str(uuid.UUID(int=milliseconds << 80 | 7 << 76 | generator.getrandbits(12) << 64 | 2 << 62
                         | generator.getrandbits(62)))


def offer(generator, template, owners):
    """Returns the row of an offer: the template's with its own places, size, reward and owner."""
    origin, destination = ends(generator)
    return {
        **template, "id": identifier(generator),
        "owner_id": generator.choice(owners),
        "origin_area_latitude": origin[0], "origin_area_longitude": origin[1],
        "destination_area_latitude": destination[0], "destination_area_longitude": destination[1],
        "cell_pair": cell_pair(FINE_LEVEL, origin, destination),
        "coarse_cell_pair": cell_pair(COARSE_LEVEL, origin, destination),
        "size": generator.choice([None, "bag", "boot"]), "reward": generator.randrange(100, 5_100)}


class SQLiteRows(SQLiteStore):
    """Reads and adds rows while the server is stopped."""

    def rows_of(self, server, query):
        store = sqlite3.connect(server.folder / "data/homeward.sqlite")
        store.row_factory = sqlite3.Row
        with contextlib.closing(store):
            return [dict(row) for row in store.execute(query)]

    def add(self, server, table, rows):
        store = sqlite3.connect(server.folder / "data/homeward.sqlite")
        names = list(rows[0])
        with contextlib.closing(store), store:
            store.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(['?'] * len(names))})",
                              ([row[name] for name in names] for row in rows))

    def settle(self):
        """Does nothing: the server doesn't run ANALYZE on SQLite, so its planner has no statistics here either."""


class PostgresRows(PostgresStore):
    """The same for PostgreSQL."""

    def rows_of(self, server, query):
        lines = self.psql("-qc", f"COPY ({query}) TO STDOUT WITH (FORMAT csv, HEADER, NULL '\\N')")
        return [{name: None if value == "\\N" else value for name, value in row.items()}
                for row in csv.DictReader(io.StringIO(lines))]

    def add(self, server, table, rows):
        names = list(rows[0])
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerows(["\\N" if row[name] is None else row[name] for name in names] for row in rows)
        self.psql("-qc", f"COPY {table} ({', '.join(names)}) FROM STDIN WITH (FORMAT csv, NULL '\\N')",
                  text=text.getvalue())

    def settle(self):
        """Does what autovacuum does some time later."""
        self.psql("-qc", "VACUUM ANALYZE")

    def psql(self, *arguments, text=None):
        done = subprocess.run([self.cluster.binaries / "psql", "-v", "ON_ERROR_STOP=1", *arguments, self.url],
                              input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


def fill(store, server, generator, count, owners):
    """Adds offers like the first one while the server is stopped."""
    server.stop()
    (template,) = store.rows_of(server, "SELECT * FROM carrepsa_package ORDER BY id LIMIT 1")
    (entry,) = store.rows_of(server, f"SELECT * FROM carrepsa_story WHERE package_id = '{template['id']}'")
    for start in range(0, count, ROWS_PER_BATCH):
        rows = [offer(generator, template, owners) for _ in range(min(ROWS_PER_BATCH, count - start))]
        store.add(server, "carrepsa_package", rows)
        store.add(server, "carrepsa_story",
                  [{**entry, "package_id": row["id"], "person_id": row["owner_id"]} for row in rows])
    store.settle()
    server.start()


def trip(generator, number):
    start = point(generator)
    return {
        "from": "A", "to": "B", "fromLatitude": start[0], "fromLongitude": start[1],
        "toLatitude": start[0] + generator.uniform(-2, 2), "toLongitude": start[1] + generator.uniform(-2.5, 2.5),
        "detour": (5, 10, 20)[number % 3]}


def saved(someone, body):
    """Returns the path of a new trip."""
    return f"/carrepsa/trips/{someone.call('POST', '/carrepsa/trips', body, expect=201)['id']}"


def package(generator):
    origin, destination = ends(generator)
    return {
        "title": "Parcel", "from": "A", "to": "B", "weight": 1_200, "reward": 100, "moneyLock": 400,
        "fromLatitude": origin[0], "fromLongitude": origin[1], "toLatitude": destination[0],
        "toLongitude": destination[1]}


def milliseconds(call):
    started = time.perf_counter()
    answer = call()
    return (time.perf_counter() - started) * 1_000, answer


def measure(generator, owners, travellers, trips):
    """Returns the times of searches and of postings in milliseconds, sorted, and the median of offers found."""
    asked = [(traveller, path) for traveller in travellers for path in trips[traveller.id]]
    for traveller, path in asked[:WARM_UP]:
        traveller.call("GET", path, expect=200)
    searches = [milliseconds(lambda who=who, path=path: who.call("GET", path, expect=200)) for who, path in asked]
    postings = [
        milliseconds(lambda who=who: who.call("POST", "/carrepsa/packages", package(generator), expect=201))[0]
        for _ in range(POSTS_PER_OWNER) for who in owners]
    return (sorted(time for time, _ in searches), sorted(postings),
            statistics.median(len(answer["matches"]) for _, answer in searches))


def at(times, share):
    """Returns the time that this share of the requests doesn't exceed."""
    return times[min(len(times) - 1, int(len(times) * share))]


def with_offers(store, say):
    server = Server(store.url, ENVIRONMENT)
    generator = random.Random(12)
    try:
        server.start()
        owners = [Person(server, f"Owner {number}", app="carrepsa", phone=f"+49 151 {1_000_000 + number}")
                  for number in range(OWNERS)]
        travellers = [Person(server, f"Traveller {number}", app="carrepsa", phone=f"+49 151 {2_000_000 + number}")
                      for number in range(TRAVELLERS)]
        for someone in owners + travellers:
            someone.call("GET", "/carrepsa/wallet", expect=200)
        trips = {someone.id: [saved(someone, trip(generator, number)) for number in range(TRIPS_PER_TRAVELLER)]
                 for someone in travellers}
        owners[0].call("POST", "/carrepsa/packages", package(generator), expect=201)
        identifiers = [someone.id for someone in owners]
        fill(store, server, generator, FEW, identifiers)
        searches, postings, _ = measure(generator, owners, travellers, trips)
        fill(store, server, generator, MANY - FEW, identifiers)
        many_searches, many_postings, found = measure(generator, owners, travellers, trips)
        count = store.count(server, "carrepsa_package", "state = 'available'")
        note = f"{count:,} open offers, median of {found:.0f} shown"
        say(f"search of a trip, {store.name}, median", at(many_searches, 0.5), "ms", at(searches, 0.5), note)
        say(f"search of a trip, {store.name}, 95 %", at(many_searches, 0.95), "ms", at(searches, 0.95))
        say(f"posting an offer, {store.name}, median", at(many_postings, 0.5), "ms", at(postings, 0.5))
        say(f"posting an offer, {store.name}, 95 %", at(many_postings, 0.95), "ms", at(postings, 0.95))
    finally:
        server.close()


def offers(say):
    with_offers(SQLiteRows(), say)
    cluster = Postgres().start()
    try:
        with_offers(PostgresRows(cluster), say)
    finally:
        cluster.close()
