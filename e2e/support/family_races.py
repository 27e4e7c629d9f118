"""Several devices of a family that act on the same occurrence, request or points at the same moment."""

import http.client
import random
import threading
import urllib.error
import uuid

from support.children import Household
from support.patience import wait_until

HOUR, DAY = 3600, 24 * 3600
# The last Sundays of March and October 2027 to 2030, an hour before the clocks of Berlin change (01:00 UTC).
CLOCK_CHANGES = [1806192000, 1824940800, 1837641600, 1856390400, 1869091200, 1887840000, 1901145600, 1919289600]
BEFORE_CHANGE_SECONDS = HOUR + 5
CHORES_OF_EACH_KIND = 3
AUTOMATIC_HOURS, AUTOMATIC_POINTS = 1, 1
# What the loser of a race gets. 422 is for an occurrence that is done.
DONE, REFUSED = {200, 201, 204}, {403, 404, 409, 422}
KILL_SECONDS = 0.03


class FamilyRaces:
    """Two parents and two children, each of whom acts at any of the nodes. `figures` counts the races by kind."""

    def __init__(self, cluster, seed):
        self.cluster = cluster
        self.random = random.Random(seed)
        self.parent = Household(cluster.nodes[0], "Ada")
        self.other_parent = Household(cluster.nodes[0], "Ben")
        self.other_parent.call("POST", "/family/parents", {"code": self.parent.invitation()["code"]}, expect=201)
        children = [self.parent.child(name) for name in ("Mia", "Leo")]
        self.children = {child["id"]: self.parent.device(child) for child in children}
        self.picture = self.parent.picture()
        self.chores = {kind: [self._chore(kind, number) for number in range(CHORES_OF_EACH_KIND)]
                       for kind in ("each", "turns", "first")}
        self.reward = self.parent.call("POST", "/family/shop", {"name": "Cinema", "price": 1}, expect=201)
        self.last_assignment = None
        self.figures = {}
        self.killed = False

    def _chore(self, kind, number):
        # One chore of each kind gives points by itself.
        automatic = {"automaticHours": AUTOMATIC_HOURS, "automaticPoints": AUTOMATIC_POINTS} if number == 0 else {}
        chore = self.parent.call(
            "POST", "/family/chores", {"name": f"{kind} {number}", "pictureId": self.picture, **automatic}, expect=201)
        today = self.parent.call("GET", "/family/today", expect=200)["date"]
        children = list(self.children)
        # The children begin in turn.
        self.parent.call("PUT", f"/family/chores/{chore['id']}/schedule", {
            "childIds": children if number % 2 else children[::-1], "startsOn": today,
            "rule": "FREQ=DAILY", "distribution": kind, "timeZone": "Europe/Berlin"}, expect=200)
        return chore["id"]

    def run(self, rounds, kill_every):
        races = [self.give, self.report, self.decide, self.leave_open, self.claim, self.give_to_both, self.swap,
                 self.buy, self.end_purchase, self.undo]
        coming = []
        for number in range(rounds):
            self.killed = number % kill_every == kill_every - 1
            self._change_clocks()
            done = None
            while done is None:
                # Each race comes once before one of them comes again. One that has nothing to do is left out.
                coming = coming or self.random.sample(races, len(races))
                race = coming.pop()
                done = race()
                if done is None and not coming:
                    self.cluster.move(DAY)
            name = f"{race.__name__}, with a kill" if self.killed else race.__name__
            count, won = self.figures.get(name, (0, 0))
            self.figures[name] = (count + 1, won + done)
            if not self.cluster.nodes[-1].is_running:
                # A node whose clock is wrong isn't ready.
                self.cluster.skew(0)
                self.cluster.nodes[-1].start()

    def _change_clocks(self):
        """Moves the time of the whole cluster, and sometimes sets the clock of the last node wrong."""
        moves = [DAY, DAY, DAY, HOUR, -HOUR, -DAY, "clock change"]
        move = self.random.choice(moves)
        if move == "clock change":
            now = self.cluster.now()
            move = next((at - BEFORE_CHANGE_SECONDS - now for at in CLOCK_CHANGES if at - HOUR > now), DAY)
            # Every second time the race runs after the change.
            move += self.random.choice([0, 2 * HOUR])
            # At most a month at once: requests and swaps get old.
            move = min(move, 30 * DAY)
        self.cluster.move(move)
        self.cluster.skew(self.random.choice([0, 0, 90, -90]))

    # The races return how many of the requests succeeded of which only one can; `None` if there is nothing to do.

    def give(self):
        """Both parents give points for the same occurrence."""
        entry = self._due("each")
        if not entry:
            return None
        return self._once(*(self._give(entry, entry["childId"], parent, node)
                            for node, parent in enumerate((self.parent, self.other_parent))))

    def report(self):
        """A child reports a chore on two devices while a parent gives points for it."""
        entry = self._due("each", "turns")
        if not entry:
            return None
        child = entry["childId"]
        self._together(self._report(entry, child, 0), self._report(entry, child, 1),
                       self._give(entry, child, self.parent, 1))
        return 0

    def decide(self):
        """Two parents decide, and the child withdraws."""
        entry = self._due("each", "turns")
        if not entry or self._send(*self._report(entry, entry["childId"], 0)) != 201:
            return None
        child, (request,) = entry["childId"], self._requests(entry)
        path = f"/family/children/{child}/requests/{request['id']}"
        return self._once((0, self.parent, "POST", f"{path}/approval", {"points": 3}),
                          (1, self.other_parent, "POST", f"{path}/approval", {"points": 2}),
                          (1, self.other_parent, "DELETE", path, {"reason": "Not yet"}),
                          (0, self.children[child], "DELETE", path, None))

    def leave_open(self):
        """A child reports a chore that gives points by itself, once the clocks moved."""
        entry = self._due("each", "turns", automatic=True)
        if not entry:
            return None
        self._together(self._report(entry, entry["childId"], 0), self._report(entry, entry["childId"], 1))
        return 0

    def claim(self):
        """Two children claim the same occurrence."""
        entry = self._due("first")
        if not entry or entry["childId"]:
            return None
        return self._once(*((node, device, "PUT", f"/family/children/{child}/turns/{self._key(entry)}", None)
                            for node, (child, device) in enumerate(self.children.items())))

    def give_to_both(self):
        """Two parents give the points of an occurrence of one child to two children."""
        entry = self._due("turns", "first")
        if not entry:
            return None
        both = zip(self.children, (self.parent, self.other_parent), strict=True)
        return self._once(*(self._give(entry, child, parent, node) for node, (child, parent) in enumerate(both)))

    def swap(self):
        """The other child agrees on two devices, and both parents, while one of them gives points."""
        entries = {}
        # Only turns of today and of coming days can be swapped.
        for entry in self._entries("turns", states=("due", "next")):
            entries.setdefault(entry["childId"], entry)
        if len(entries) < len(self.children):
            return None
        (child, own), (other, wanted) = entries.items()
        status, _, swap = self._answer(0, self.children[child], "POST", f"/family/children/{child}/swaps", {
            "choreId": own["choreId"], "occurrence": own["occurrence"], "otherChoreId": wanted["choreId"],
            "otherOccurrence": wanted["occurrence"]})
        if status != 201:
            return None
        path = f"/family/swaps/{swap['id']}"
        self._together(*((node, self.children[other], "PUT", f"{path}/acceptance", None) for node in (0, 1)))
        approvals = [(0, self.parent, "PUT", f"{path}/approval", None),
                     (1, self.other_parent, "PUT", f"{path}/approval", None)]
        statuses = self._together(*approvals, self._give(own, child, self.parent, 0),
                                  self._give(own, other, self.other_parent, 1))
        given = sum(status in DONE for status in statuses[2:])
        assert given <= 1, statuses
        return sum(status in DONE for status in statuses[:2])

    def buy(self):
        """A child spends more than half of its points on two devices."""
        child, device = self.random.choice(list(self.children.items()))
        earned = self._earned(child)
        points = self._points(child)
        if not points:
            return None
        price = points // 2 + 1
        self.parent.call("PUT", f"/family/shop/{self.reward['id']}", {
            "name": "Cinema", "price": price, "needsApproval": self.random.random() < 0.7}, expect=200)
        body = {"rewardId": self.reward["id"], "price": price}
        statuses = self._together(
            *((node, device, "POST", f"/family/children/{child}/purchases", body) for node in (0, 1)))
        done = sum(status in DONE for status in statuses)
        # Points that were given automatically in between can be enough for two.
        assert done * price <= points + self._earned(child) - earned, (done, price, points)
        return done

    def end_purchase(self):
        """A parent approves or declines what the child cancels, or both parents give the points back."""
        for child, device in self.children.items():
            purchases = self.parent.call("GET", f"/family/children/{child}/purchases", expect=200)["items"]
            for purchase in purchases:
                path = f"/family/children/{child}/purchases/{purchase['id']}"
                if purchase["state"] == "waiting":
                    return self._once((0, self.parent, "POST", f"{path}/approval", None),
                                      (1, self.other_parent, "DELETE", path, None), (1, device, "DELETE", path, None))
                if purchase["state"] == "approved":
                    return self._once((0, self.parent, "POST", f"{path}/refund", None),
                                      (1, self.other_parent, "POST", f"{path}/refund", None))
        return None

    def undo(self):
        """Both parents undo points while the child spends them."""
        if not self.last_assignment:
            return None
        child, assignment = self.last_assignment
        path = f"/family/children/{child}/assignments/{assignment}"
        buy = (1, self.children[child], "POST", f"/family/children/{child}/purchases",
               {"rewardId": self.reward["id"]})
        statuses = self._together((0, self.parent, "DELETE", path, None), (1, self.other_parent, "DELETE", path, None),
                                  buy)
        self.last_assignment = None
        done = sum(status in DONE for status in statuses[:2])
        assert done <= 1, statuses
        return done

    def _entries(self, *kinds, automatic=False, states=("due", "overdue")):
        ids = [chore for kind in kinds for chore in self.chores[kind][:1 if automatic else None]]
        items = self.parent.call("GET", "/family/today", expect=200)["items"]
        return [entry for entry in items if entry["state"] in states and entry["choreId"] in ids]

    def _due(self, *kinds, automatic=False):
        entries = self._entries(*kinds, automatic=automatic)
        return self.random.choice(entries) if entries else None

    @staticmethod
    def _key(entry):
        return f"{entry['choreId']}/{entry['occurrence']}"

    def _requests(self, entry):
        requests = self.parent.call("GET", f"/family/children/{entry['childId']}/requests?limit=200", expect=200)
        return [request for request in requests["items"]
                if (request["choreId"], request["occurrence"]) == (entry["choreId"], entry["occurrence"])]

    def _earned(self, child):
        [[earned]] = self.cluster.rows(f"""
            SELECT COALESCE(SUM(points), 0) FROM family_assignment
            WHERE child_id = '{child}' AND reversed_at IS NULL""")
        return int(earned)

    def _sums(self, child):
        """Returns the child's points by ledger, by assignments less purchases, and as its page shows them."""
        [[spent]] = self.cluster.rows(f"""SELECT COALESCE(SUM(price), 0) FROM family_purchase
            WHERE child_id = '{child}' AND state IN ('waiting', 'approved')""")
        balances = {account.split(":")[0]: int(balance) for account, balance in self.cluster.rows(
            f"SELECT id, balance FROM ledger_account WHERE id IN ('achievement:{child}', 'spent:{child}')")}
        assert balances.get("spent", 0) == int(spent)
        return balances.get("achievement", 0), self._earned(child) - int(spent), self._points(child) or 0

    def _points(self, child):
        return self.parent.call("GET", f"/family/children/{child}", expect=200)["spendablePoints"]

    def _report(self, entry, child, node):
        return (node, self.children[child], "POST", f"/family/children/{child}/requests",
                {"choreId": entry["choreId"], "occurrence": entry["occurrence"]})

    @staticmethod
    def _give(entry, child, parent, node):
        chores = [{"choreId": entry["choreId"], "occurrence": entry["occurrence"], "points": 1 + node}]
        return node, parent, "POST", f"/family/children/{child}/assignments", {"chores": chores}

    def _once(self, *calls):
        """Returns how many of the calls succeeded: at most one."""
        done = sum(status in DONE for status in self._together(*calls))
        assert done <= 1, (done, calls)
        return done

    def _together(self, *calls):
        """Sends the requests at the same moment, and in some rounds kills the last node at a random time after it.
        Returns their statuses; `None` for a request to the killed node that got no response."""
        calls = list(calls)
        self.random.shuffle(order := list(range(len(calls))))
        statuses, problems = [None] * len(calls), []
        start = threading.Barrier(len(calls) + 1)

        def send(index):
            start.wait()
            try:
                statuses[index] = self._send(*calls[index])
            except (AssertionError, OSError) as problem:
                problems.append(problem)

        threads = [threading.Thread(target=send, args=(index,)) for index in order]
        for thread in threads:
            thread.start()
        start.wait()
        if self.killed and self.cluster.nodes[-1].is_running:
            threading.Event().wait(self.random.random() * KILL_SECONDS)
            self.cluster.nodes[-1].kill()
        for thread in threads:
            thread.join()
        assert not problems, problems[0]
        return statuses

    def _send(self, node, person, method, path, body):
        return self._answer(node, person, method, path, body)[0]

    def _answer(self, node, person, method, path, body):
        node = self.cluster.nodes[min(node, len(self.cluster.nodes) - 1)]
        try:
            answer = node.request(method, path, body, person.token, {"Idempotency-Key": str(uuid.uuid4())})
        except (urllib.error.URLError, http.client.HTTPException, ConnectionError) as error:
            if not self.killed or node is not self.cluster.nodes[-1]:
                raise AssertionError(f"{method} {path}") from error
            return None, None, None
        assert answer[0] in DONE | REFUSED, (method, path, body, answer)
        if "/assignments" in path and method == "POST" and answer[0] == 201:
            self.last_assignment = path.split("/")[3], answer[2]["items"][0]["id"]
        return answer

    def check(self):
        """Each occurrence counts at most once, points equal the ledger, and no balance is below zero."""
        rows = self.cluster.rows
        assert rows("""
            SELECT child_id, chore_id, occurrence_date, COUNT(*) FROM family_assignment
            WHERE reversed_at IS NULL AND occurrence_date IS NOT NULL GROUP BY 1, 2, 3 HAVING COUNT(*) > 1""") == []
        shared = ", ".join(f"'{chore}'" for kind in ("turns", "first") for chore in self.chores[kind])
        assert rows(f"""
            SELECT chore_id, occurrence_date, COUNT(*) FROM family_assignment
            WHERE reversed_at IS NULL AND chore_id IN ({shared}) GROUP BY 1, 2 HAVING COUNT(*) > 1""") == []
        # Nothing that is done still waits.
        assert rows("""
            SELECT r.id FROM family_request r JOIN family_assignment a ON a.child_id = r.child_id
                AND a.chore_id = r.chore_id AND a.occurrence_date = r.occurrence_date
            WHERE a.reversed_at IS NULL""") == []
        assert rows("SELECT COUNT(*) FROM ledger_account WHERE may_overdraw = 0 AND balance < 0") == [["0"]]
        assert rows("SELECT COALESCE(SUM(balance), 0) FROM ledger_account") == [["0"]]
        for child in self.children:
            # A job may give points automatically between two of the reads.
            wait_until(lambda child=child: len(set(self._sums(child))) == 1, 10, lambda child=child: self._sums(child))
        ledger = self.cluster.nodes[0].command("verify", seconds=300)
        assert ledger.returncode == 0, ledger.stdout + ledger.stderr
        [[assignments]] = rows("SELECT COUNT(*) FROM family_assignment WHERE reversed_at IS NULL")
        [[automatic]] = rows("SELECT COUNT(*) FROM family_assignment WHERE is_automatic <> 0 AND reversed_at IS NULL")
        return int(assignments), int(automatic)
