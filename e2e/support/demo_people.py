"""The people of `homeward demo` and some of their things, created over HTTP on a server with wallets of 100.00."""

import math
import secrets
import time

from support.server import Person

HOME = (48.137_154, 11.576_124)
FIX_MINUTES = 5


class DemoPeople:
    """Mia, Ben, Ada, and Olga, who is an administrator. `node` runs commands."""

    def __init__(self, server, node):
        self.server, self.node = server, node
        self.password = "-".join(secrets.token_hex(2) for _ in range(3))

    def create(self):
        self.mia = self._join("Mia Sommer", "+49 151 5550101", dateOfBirth="1986-04-12")
        self.ben = self._join("Ben Winter", "+49 151 5550102", dateOfBirth="1984-11-30")
        self.ada = self._join("Ada Frost", "+49 151 5550103")
        self.olga = self._join("Olga Licht", "+49 151 5550104")
        self.node.command("account", "operator", self.olga.email).check_returncode()
        self._add_items()
        self._add_packages()
        self._add_family()
        return self

    def _join(self, name, phone, **fields):
        email = f"{name.split()[0].lower()}@example.org"
        return Person(self.server, name, email=email, password=self.password, app="carrepsa", phone=phone, **fields)

    def _add_items(self):
        self.mia.add_item("Keys")
        bicycle = self.mia.add_item("Bicycle")
        self.tracker = self.mia.add_osmand_tracker(bicycle)
        now = int(time.time())
        for step in range(24):
            latitude = HOME[0] + 0.0004 * (24 - step)
            longitude = HOME[1] + 0.002 * math.sin(step / 3)
            self.mia.report(self.tracker, latitude, longitude, at=now - (24 - step) * FIX_MINUTES * 60)
        self.mia.is_at(*HOME)

    def _add_packages(self):
        for person in (self.mia, self.ben, self.ada):
            # The first request creates the wallet.
            person.call("GET", "/carrepsa/wallet", expect=200)
        self._offer(self.ben, "Bike helmet", "Aachen", "Bonn", 1_200, 4_000)
        books = self._offer(self.ada, "Box of books", "Köln", "Düsseldorf", 800, 2_500)
        coat = self._offer(self.mia, "Winter coat", "München", "Ulm", 950, 6_000)
        self._step(self.mia, books, "acceptance")
        self._step(self.ben, coat, "acceptance")
        self._step(self.mia, coat, "pickup")
        self._step(self.mia, coat, "delivery")

    @staticmethod
    def _offer(owner, title, start, goal, reward, deposit):
        return owner.call("POST", "/carrepsa/packages", {
            "title": title, "from": start, "to": goal, "weight": 1_200, "reward": reward, "moneyLock": deposit},
            expect=201)

    @staticmethod
    def _step(person, package, step):
        person.call("POST", f"/carrepsa/packages/{package['id']}/{step}", {}, expect=201)

    def _add_family(self):
        lena = self.mia.call("POST", "/family/children", {"name": "Lena", "dateOfBirth": "2016-05-14"}, expect=201)
        path = f"/family/children/{lena['id']}"
        picture = self.mia.call("GET", "/pictures?builtin=true", expect=200)["items"][0]["id"]
        chore = self.mia.call("POST", "/family/chores", {"name": "Wash the dishes", "pictureId": picture}, expect=201)
        self.mia.call("POST", f"{path}/contracts", {"maxPoints": 7, "levels": [
            {"reward": "An ice cream", "points": 3}, {"reward": "A trip to the pool", "points": 4}]}, expect=201)
        self.mia.call("POST", f"{path}/assignments", {"chores": [{"choreId": chore["id"], "points": 3}]}, expect=201)
        self.child_sign_in = self.mia.call("POST", f"{path}/sign-in-codes", {}, expect=201)["url"]

    def lines(self):
        """Returns what to print for signing in."""
        password = self.password
        return [
            f"Open {self.server.url} and sign in as",
            f"  mia@example.org   {password}   (keys and a bicycle, packages, a child)",
            f"  ben@example.org   {password}   (packages)",
            f"  ada@example.org   {password}   (packages)",
            f"  olga@example.org  {password}   (an administrator)",
            f"Sign in as the child Lena, once: {self.child_sign_in}",
        ]
