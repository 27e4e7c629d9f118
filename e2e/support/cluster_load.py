"""A mixed load: deliveries, points and fixes, each repeated until it is acknowledged, and listeners."""

import threading
import time
from collections import Counter
from contextlib import contextmanager

from support.carrepsa import START
from support.children import Household
from support.cluster_clients import PATIENCE_SECONDS, Client, Listener
from support.cluster_figures import FIGURES
from support.cluster_history import Event, History, as_time
from support.patience import wait_until
from support.server import Person

REWARD, DEPOSIT = 3, 7
OPERATIONS = ("offer", "accept", "pickup", "deliver", "points", "fix")
PAUSE_SECONDS = 0.05
RECOVERY_SECONDS = 20
CONNECT_SECONDS = 60


class Writer:
    """A thread that writes one thing after another. Subclasses say what, and what the server must show afterwards."""

    def __init__(self, server, history, stopping):
        self.server, self.history, self.stopping = server, history, stopping

    def client(self, person=None):
        return Client(self.server, self.history, person and person.token)

    def run(self):
        while not self.stopping.is_set():
            self.write()
            self.stopping.wait(PAUSE_SECONDS)

    def balances(self):
        return {}


class Courier(Writer):
    """An owner and a carrier, and their packages."""

    def __init__(self, number, *arguments):
        super().__init__(*arguments)
        self.people = [Person(self.server, name, app="carrepsa", phone=f"+49151{2_000_000 + Person.count}")
                       for name in (f"Owner {number}", f"Carrier {number}")]
        self.owner, self.carrier = self.people
        self.as_owner, self.as_carrier = (self.client(person) for person in self.people)
        for person in self.people:
            # The first request creates the wallet.
            person.call("GET", "/carrepsa/wallet", expect=200)
        self.delivered = 0

    def write(self):
        package = self.as_owner.write("offer", "POST", "/carrepsa/packages", {
            "title": "Parcel", "from": "Aachen", "to": "Bonn", "weight": 1, "reward": REWARD, "moneyLock": DEPOSIT})
        self.history.acknowledge(self.owner.id, "packages", package["id"])
        self._announce(package, self.owner)
        path = f"/carrepsa/packages/{package['id']}"
        for operation, client, step in (("accept", self.as_carrier, "acceptance"), ("pickup", self.as_owner, "pickup"),
                                        ("deliver", self.as_owner, "delivery")):
            begun = time.time()
            package = client.write(operation, "POST", f"{path}/{step}", {})
            self._announce(package, *self.people)
            if step == "delivery":
                self.delivered += 1
                self.history.acknowledge(self.owner.id, "delivered packages", package["id"])
                self.history.announce(self.carrier.id, Event("wallet", "/carrepsa/wallet", at=as_time(begun)))

    def _announce(self, package, *people):
        event = Event("package", f"/carrepsa/packages/{package['id']}", package["version"])
        for person in people:
            self.history.announce(person.id, event)

    def stored(self):
        packages = list(pages(self.owner, "/carrepsa/packages?role=owner"))
        return {(self.owner.id, "packages"): [package["id"] for package in packages],
                (self.owner.id, "delivered packages"): [package["id"] for package in packages
                                                        if package["state"] == "delivered"]}

    def balances(self):
        def found(person):
            wallet = person.call("GET", "/carrepsa/wallet", expect=200)
            return wallet["balance"], wallet["held"]

        return {self.owner.name: ((START - REWARD * self.delivered, 0), found(self.owner)),
                self.carrier.name: ((START + REWARD * self.delivered, 0), found(self.carrier))}


class Parent(Writer):
    """A parent who gives points to a child."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.parent = Household(self.server)
        self.people = [self.parent]
        self.child, self.chore = self.parent.child(), self.parent.chore()
        self.as_parent, self.points = self.client(self.parent), 0
        self.path = f"/family/children/{self.child['id']}"

    def write(self):
        points = 1 + self.points % 3
        answer = self.as_parent.write("points", "POST", f"{self.path}/assignments", {
            "chores": [{"choreId": self.chore["id"], "points": points}]})
        self.points += points
        for one in answer["items"]:
            self.history.acknowledge(self.parent.id, "assignments", one["id"])
            self.history.announce(self.parent.id, Event("assignment", self.path, at=one["at"]))

    def stored(self):
        return {(self.parent.id, "assignments"): [one["id"] for one in pages(self.parent, f"{self.path}/assignments")]}

    def balances(self):
        child = self.parent.call("GET", self.path, expect=200)
        return {child["name"]: (self.points, child["achievementPoints"])}


class Tracker(Writer):
    """A position source that reports one fix after another, each with its own second."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.owner = Person(self.server)
        self.people = [self.owner]
        self.item = self.owner.add_item("Bag")["id"]
        self.secret = self.owner.add_osmand_tracker({"id": self.item})
        self.as_source, self.at = self.client(), int(time.time()) - 2_000_000

    def write(self):
        self.at += 1
        begun = time.time()
        self.as_source.write("fix", "GET", f"/ingest/osmand?id={self.secret}&lat=50.1&lon=6.1&timestamp={self.at}")
        self.history.acknowledge(self.owner.id, "fixes", as_time(self.at))
        self.history.announce(self.owner.id, Event("fix", f"/tracking/items/{self.item}", at=as_time(begun)))

    def stored(self):
        csv = self.owner.call("GET", f"/tracking/items/{self.item}/fixes?format=csv", expect=200).decode()
        return {(self.owner.id, "fixes"): [line.split(",")[1] for line in csv.splitlines()[1:]]}


def pages(person, path):
    """Returns all entries of a list."""
    after, sign = "", "&" if "?" in path else "?"
    while True:
        page = person.call("GET", f"{path}{sign}limit=200{after}", expect=200)
        yield from page["items"]
        if not page["next"]:
            return
        after = f"&after={page['next']}"


class Load:
    """Writers and two listeners for each of their people, from `with` to its end."""

    def __init__(self, server):
        self.history, self.stopping, self.errors = History(), threading.Event(), []
        common = server, self.history, self.stopping
        self.writers = [Courier(1, *common), Courier(2, *common), Parent(*common), Tracker(*common), Tracker(*common)]
        self.listeners = [Listener(server, person) for writer in self.writers for person in writer.people
                          for _ in range(2)]
        self.threads = [threading.Thread(target=self._run, args=[writer], daemon=True) for writer in self.writers]

    def _run(self, writer):
        try:
            writer.run()
        except Exception as error:  # noqa: BLE001  (reported by `check`)
            self.errors.append(error)

    def __enter__(self):
        try:
            for listener in self.listeners:
                listener.start()
            wait_until(lambda: all(listener.last_id for listener in self.listeners), CONNECT_SECONDS,
                       "the listeners did not connect")
            for thread in self.threads:
                thread.start()
            self.wait_for_writes()
        except BaseException:
            # Python doesn't call __exit__ then.
            self.stopping.set()
            self._close_listeners()
            raise
        return self

    def __exit__(self, *_):
        self.stop()
        self._close_listeners()

    def _close_listeners(self):
        for listener in self.listeners:
            listener.close()

    def stop(self):
        """Ends the writers once their requests are acknowledged."""
        self.stopping.set()
        for thread in [thread for thread in self.threads if thread.ident]:
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive(), "a writer's last request was not acknowledged"

    def wait_for_writes(self, count=20, seconds=60):
        """Waits until each operation was acknowledged `count` times more."""
        since = time.monotonic()

        def counts():
            found = dict.fromkeys(OPERATIONS, 0)
            for attempt in self.history.acknowledged:
                if attempt.ended > since:
                    found[attempt.operation] += 1
            return found

        wait_until(lambda: self.errors or min(counts().values()) >= count, seconds, lambda: f"{counts()}",
                   pause=lambda: threading.Event().wait(0.2))
        assert not self.errors, self.errors

    def findings(self, seconds=20):
        """Compares the history with the content. Events may arrive later than the responses."""
        self.stop()
        assert not self.errors, self.errors
        stored, balances = {}, {}
        for writer in self.writers:
            stored |= writer.stored()
            balances |= writer.balances()

        def compared():
            heard = {(listener.person, number): list(listener.events)
                     for number, listener in enumerate(self.listeners)}
            return self.history.compare(stored, balances, heard)

        deadline = time.monotonic() + seconds
        while (found := compared()).missed and time.monotonic() < deadline:
            threading.Event().wait(0.2)
        return found

    def report(self, name, silence, findings):
        """Prints the figures of a fault."""
        outcomes = Counter(str(attempt.outcome) for attempt in self.history.failed)
        print(f"\n{name}: {len(self.history.acknowledged)} requests acknowledged, {outcomes.total()} failed "
              f"{dict(outcomes)}; longest time without writes {silence:.1f} s; "
              f"{sum(listener.reconnections for listener in self.listeners)} reconnections of {len(self.listeners)} "
              f"listeners; lost {len(findings.lost)}, doubled {len(findings.doubled)}, missed {len(findings.missed)}, "
              f"wrong balances {len(findings.wrong_balances)}")


@contextmanager
def load_during(fault, server):
    """Runs a load while a test breaks something, then checks what the load left."""
    with Load(server) as load:
        begun = time.monotonic()
        yield load
        load.wait_for_writes()
        silence = load.history.longest_silence(begun)
        findings = load.findings()
    load.report(fault, silence, findings)
    FIGURES.add(fault, silence, len(load.history.failed), findings)
    assert findings.are_clean, findings
    assert silence < RECOVERY_SECONDS
