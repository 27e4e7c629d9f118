"""Durability of money and evidence: the server or PostgreSQL is killed during deliveries. Afterwards every acknowledged
step is stored once, no step is half done, each person's money equals the sum of the steps, and `homeward verify` finds
no error. `ROUNDS` sets the number of kills of each kind (make soak: 20)."""

import http.client
import itertools
import json
import os
import threading
import time

import pytest

from support import carrepsa_plans as plans
from support.carrepsa import CarrepsaFixture
from support.items import upload
from support.patience import wait_until
from support.server import Postgres

ROUNDS = int(os.environ.get("ROUNDS", "2"))
COUPLES = 8
START = 100_000_000


class Delivery:
    """A package with its plan and the number of acknowledged steps."""

    def __init__(self, steps, package):
        self.steps, self.package = list(steps), package
        self.acknowledged = 1
        self.done = None  # the number of stored steps, after the first check

    @property
    def present(self):
        return self.steps[:self.done]


class OwnerAndCarrier:
    """An owner and a carrier who deliver package after package and record each acknowledgement."""

    def __init__(self, carrepsa, number, administrators):
        self.server = carrepsa.server
        self.owner = carrepsa.add_person(f"Owner {number}")
        self.carrier = carrepsa.add_person(f"Carrier {number}")
        self.people = {"owner": self.owner, "carrier": self.carrier, "administrator": administrators[0],
                       "second": administrators[1]}
        picture = upload(self.carrier, width=64, height=64)
        makers = [lambda: plans.reviewed(picture), plans.divided, plans.decided, plans.appealed, plans.plain]
        # Each couple begins with another plan.
        self.plans = itertools.islice(itertools.cycle(makers), number, None)
        self.deliveries = {}
        self.unknown = 0  # unacknowledged requests that may have created a package
        self.steps = 0

    def run(self, stopping):
        while not stopping.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=5)
            try:
                while not stopping.is_set():
                    self._deliver(connection, next(self.plans)())
            except (OSError, http.client.HTTPException):
                stopping.wait(0.02)
            finally:
                connection.close()

    def _deliver(self, connection, steps):
        self.unknown += 1
        answer = self._send(connection, steps[0], "/carrepsa/packages")
        if answer is None:
            return
        self.unknown -= 1
        delivery = self.deliveries[answer["id"]] = Delivery(steps, answer["id"])
        page, package = "", answer
        while delivery.acknowledged < len(delivery.steps):
            step = delivery.steps[delivery.acknowledged]
            root = page if step.who == "recipient" else f"/carrepsa/packages/{delivery.package}"
            answer = self._send(connection, step, root + step.path, package)
            if answer is None:
                return
            if answer == "throttled":
                # The messages and edits of a person are limited.
                delivery.steps = [one for one in delivery.steps if one.path != step.path or one.who != step.who]
                if step.name == "edit":
                    delivery.steps = plans.plain()
                continue
            if "state" in answer:
                package = answer
            if step.kind == "recipient":
                page = answer["url"][answer["url"].index("/deliveries/"):]
            delivery.acknowledged += 1

    def _send(self, connection, step, path, before=None):
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if step.who in self.people:
            headers["Authorization"] = f"Bearer {self.people[step.who].token}"
        if step.reads:
            headers["If-Match"] = f'"{before["version"]}"'
        connection.request(step.method, path, json.dumps(step.body), headers)
        answer = connection.getresponse()
        content = answer.read()
        # While PostgreSQL is down the server reports that. Any other error is a defect.
        assert answer.status in (200, 201, 429, 500, 503), (step, answer.status, content)
        if answer.status == 429:
            return "throttled"
        self.steps += answer.status < 300
        return json.loads(content) if answer.status < 300 else None

    def check(self):
        """Checks each package against its plan, and the wallets against all plans."""
        stored = {}
        after = ""
        while after is not None:
            page = self.owner.call("GET", f"/carrepsa/packages?role=owner&limit=200{after}", expect=200)
            stored.update((package["id"], package["state"]) for package in page["items"])
            after = f"&after={page['next']}" if page["next"] else None
        missing = set(self.deliveries) - set(stored)
        assert not missing, f"{missing} were acknowledged and are gone"
        created = set(stored) - set(self.deliveries)
        assert len(created) <= self.unknown
        self.unknown -= len(created)
        for package in created:
            self.deliveries[package] = Delivery([plans.CREATE], package)
        for delivery in self.deliveries.values():
            if delivery.done is None:
                self._find(delivery)
            assert stored[delivery.package] == delivery.present[-1].state, delivery.package
        ended = [delivery.present for delivery in self.deliveries.values()]
        for person, side in ((self.owner, 0), (self.carrier, 1)):
            change = sum((step.owner, step.carrier)[side] for steps in ended for step in steps)
            held = sum(steps[-1].held[side] for steps in ended)
            assert CarrepsaFixture.money(person) == (START + change, held), person.name

    def _find(self, delivery):
        """Finds how many steps of the plan are stored: the acknowledged ones, or one more. Each is there once."""
        path = f"/carrepsa/packages/{delivery.package}"
        found = [entry["event"] for entry in self.owner.call("GET", path, expect=200)["story"]]
        status, _, conversation = self.server.request("GET", f"{path}/messages", token=self.owner.token)
        messages = [message["text"] for message in reversed(conversation["items"])] if status == 200 else []
        recipient = self.owner.call("GET", f"{path}/recipient", expect=200)["name"]
        reviews = []
        for person, role in ((self.owner, "owner"), (self.carrier, "carrier")):
            status, _, answer = self.server.request("GET", f"{path}/reviews", token=person.token)
            reviews += [role] if status == 200 and answer["own"] else []
        for count in (delivery.acknowledged, delivery.acknowledged + 1):
            steps = delivery.steps[:count]
            if (sorted(found) == sorted(plans.events(steps)) and messages == plans.names(steps, "message")
                    and reviews == plans.names(steps, "review")
                    and [recipient] == (plans.names(steps, "recipient") or [None])):
                delivery.done = min(count, len(delivery.steps))
                return
        acknowledged = [step.name for step in delivery.steps[:delivery.acknowledged]]
        raise AssertionError(f"{delivery.package}: {acknowledged} became {found} {messages} {reviews} {recipient}")


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


def kill_repeatedly(server, *faults):
    """Kills and revives with each pair of functions under load, `ROUNDS` times."""
    carrepsa = CarrepsaFixture(server, welcome=START)
    administrators = [carrepsa.add_person(name, is_operator=True) for name in ("Olga", "Otto")]
    couples = [OwnerAndCarrier(carrepsa, number, administrators) for number in range(COUPLES)]
    for kill, revive in faults * ROUNDS:
        with Load(couples) as load:
            load.wait_for(100)
            kill()
        revive()
        for couple in couples:
            couple.check()
        carrepsa.is_sound()
    assert sum(couple.steps for couple in couples) >= 100 * ROUNDS * len(faults)


@pytest.mark.spec("C-36")
def test_no_money_is_lost_when_the_server_is_killed(own_server):
    server = own_server(environment=RICH)
    kill_repeatedly(server, (server.kill, server.start))


@pytest.mark.spec("C-36")
def test_no_money_is_lost_when_postgresql_or_the_server_is_killed(own_server):
    cluster = Postgres().start()
    try:
        server = own_server(cluster.new_database(), environment=RICH)

        def revive():
            cluster.start()
            wait_until(lambda: server.request("GET", "/health/ready")[0] == 200, 20,
                       "the server did not find PostgreSQL again")

        kill_repeatedly(server, (server.kill, server.start), (cluster.kill, revive))
    finally:
        cluster.close()
