"""Durability of money: the server or PostgreSQL is killed during deliveries. Afterwards every acknowledged step is
stored, no step is half done, and `homeward verify` finds no error. `ROUNDS` sets the number of kills (make soak:
20)."""

import http.client
import json
import os
import threading
import time

from support.carrepsa import CarrepsaFixture
from support.patience import wait_until
from support.server import Postgres

ROUNDS = int(os.environ.get("ROUNDS", "2"))
COUPLES = 8
START, REWARD, LOCK = 100_000_000, 3, 7
STATES = ["none", "available", "accepted", "travelling", "delivered"]
# The money of a package by its state: taken from the owner's wallet, added to the carrier's wallet, held.
OWNER = dict(zip(STATES, (0, -REWARD, -REWARD, -REWARD, -REWARD), strict=True))
CARRIER = dict(zip(STATES, (0, 0, -LOCK, -LOCK, REWARD), strict=True))


class OwnerAndCarrier:
    """An owner and a carrier who deliver package after package and record each acknowledgement."""

    def __init__(self, carrepsa, number):
        self.server = carrepsa.server
        self.owner = carrepsa.add_person(f"Owner {number}", start=START)
        self.carrier = carrepsa.add_person(f"Carrier {number}", start=START)
        self.acknowledged = {}  # package id: the furthest state acknowledged with a 2xx
        self.unknown = 0  # unacknowledged requests that may have created a package
        self.steps = 0

    def run(self, stopping):
        while not stopping.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=5)
            try:
                while not stopping.is_set():
                    self._deliver(connection)
            except (OSError, http.client.HTTPException):
                stopping.wait(0.02)
            finally:
                connection.close()

    def _deliver(self, connection):
        body = {"title": "Parcel", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": REWARD, "moneyLock": LOCK}
        self.unknown += 1
        answer = self._post(connection, self.owner, "/carrepsa/packages", body)
        if answer is None:
            return
        self.unknown -= 1
        package = answer["id"]
        self.acknowledged[package] = "available"
        for who, step, state in ((self.carrier, "acceptance", "accepted"), (self.owner, "pickup", "travelling"),
                                 (self.owner, "delivery", "delivered")):
            if self._post(connection, who, f"/carrepsa/packages/{package}/{step}", {}) is None:
                return
            self.acknowledged[package] = state

    def _post(self, connection, who, path, body):
        headers = {"Authorization": f"Bearer {who.token}", "Accept": "application/json",
                   "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        # While PostgreSQL is down the server reports that. Any other error is a defect.
        assert answer.status in (201, 500, 503), (answer.status, content)
        self.steps += answer.status == 201
        return json.loads(content) if answer.status == 201 else None

    def check(self):
        """Checks that each stored package has its acknowledged state or the next one, and that the wallets match."""
        stored = {}
        after = ""
        while after is not None:
            page = self.owner.call("GET", f"/carrepsa/packages?role=owner&limit=200{after}", expect=200)
            stored.update((package["id"], package["state"]) for package in page["items"])
            after = f"&after={page['next']}" if page["next"] else None
        for package, state in self.acknowledged.items():
            assert package in stored, f"{package} was acknowledged as {state} and is gone"
            further = STATES.index(stored[package]) - STATES.index(state)
            assert 0 <= further <= 1, f"{package} was acknowledged as {state} and is {stored[package]}"
        assert len(stored) - len(self.acknowledged) <= self.unknown
        states = list(stored.values())
        open_states = [state for state in states if state != "delivered"]
        held = REWARD * len(open_states), LOCK * sum(state in ("accepted", "travelling") for state in open_states)
        assert CarrepsaFixture.money(self.owner) == (START + sum(OWNER[state] for state in states), held[0])
        assert CarrepsaFixture.money(self.carrier) == (START + sum(CARRIER[state] for state in states), held[1])


class Load:
    """Runs all pairs at the same time."""

    def __init__(self, couples):
        self.couples = couples
        self.stopping = threading.Event()
        self.problems = []
        self.threads = [threading.Thread(target=self._run, args=(couple,)) for couple in couples]

    def _run(self, couple):
        try:
            couple.run(self.stopping)
        except AssertionError as problem:
            self.problems.append(problem)

    def __enter__(self):
        self.before = self.steps()
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        assert not self.problems, self.problems[0]

    def steps(self):
        return sum(couple.steps for couple in self.couples)

    def wait_for(self, count, seconds=60):
        deadline = time.monotonic() + seconds
        while self.steps() - self.before < count:
            assert not self.problems, self.problems[0]
            assert time.monotonic() < deadline, f"{self.steps() - self.before} of {count} steps in {seconds} s"
            self.stopping.wait(0.01)


# The initial balance of every wallet.
RICH = {"HOMEWARD_WELCOME_AMOUNT": f"{START // 100}.00"}


def kill_repeatedly(server, kill, revive):
    carrepsa = CarrepsaFixture(server)
    couples = [OwnerAndCarrier(carrepsa, number) for number in range(COUPLES)]
    for _ in range(ROUNDS):
        with Load(couples) as load:
            load.wait_for(100)
            kill()
        revive()
        for couple in couples:
            couple.check()
        carrepsa.is_sound()
    assert sum(couple.steps for couple in couples) >= 100 * ROUNDS


def test_no_money_is_lost_when_the_server_is_killed(own_server):
    server = own_server(environment=RICH)
    kill_repeatedly(server, server.kill, server.start)


def test_no_money_is_lost_when_the_server_on_postgresql_is_killed(postgres, own_server):
    server = own_server(postgres.new_database(), environment=RICH)
    kill_repeatedly(server, server.kill, server.start)


def test_no_money_is_lost_when_postgresql_is_killed(own_server):
    cluster = Postgres().start()
    try:
        server = own_server(cluster.new_database(), environment=RICH)

        def revive():
            cluster.start()
            wait_until(lambda: server.request("GET", "/health/ready")[0] == 200, 20,
                       "the server did not find PostgreSQL again")

        kill_repeatedly(server, cluster.kill, revive)
    finally:
        cluster.close()
