"""The history of a load, and what the server must show of it afterwards: every acknowledged write once, the balances of
the model, and an event for each write at every listener."""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise


def as_time(seconds):
    """Returns a time of this computer as the API writes it, in whole milliseconds."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:23] + "Z"


@dataclass(frozen=True)
class Attempt:
    """A request. `outcome` is its status or the name of the client's error; `ended` is a monotonic time."""

    operation: str
    ended: float
    seconds: float
    outcome: int | str
    is_acknowledged: bool


@dataclass(frozen=True)
class Event:
    """An event as a listener gets it, or the event that it must get. One with a later version, or a later time where
    the resource has no version, replaces those before it."""

    kind: str
    resource: str
    version: int = 0
    at: str = ""

    @property
    def subject(self):
        return self.kind, self.resource

    @property
    def order(self):
        return self.version, self.at


@dataclass
class Findings:
    lost: list = field(default_factory=list)
    doubled: list = field(default_factory=list)
    missed: list = field(default_factory=list)
    wrong_balances: list = field(default_factory=list)

    @property
    def are_clean(self):
        return not (self.lost or self.doubled or self.missed or self.wrong_balances)


class History:
    """Everything that the clients did. Threads add to it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.attempts = []
        self.entries = {}  # (owner, list of entries): the keys of the acknowledged ones
        self.announced = {}  # person: the events that their listeners must get

    def record(self, attempt):
        with self.lock:
            self.attempts.append(attempt)

    def acknowledge(self, owner, collection, key):
        """Records that an entry of a list of the owner is stored."""
        with self.lock:
            self.entries.setdefault((owner, collection), []).append(key)

    def announce(self, person, event):
        with self.lock:
            self.announced.setdefault(person, []).append(event)

    @property
    def acknowledged(self):
        with self.lock:
            return [attempt for attempt in self.attempts if attempt.is_acknowledged]

    @property
    def failed(self):
        with self.lock:
            return [attempt for attempt in self.attempts if not attempt.is_acknowledged]

    def longest_silence(self, since, until=None):
        """Returns the longest time in seconds without an acknowledgement, of the operation that had the longest."""
        until = until or time.monotonic()
        ends = {}
        for attempt in self.acknowledged:
            if since <= attempt.ended <= until:
                ends.setdefault(attempt.operation, []).append(attempt.ended)
        operations = {attempt.operation for attempt in self.attempts}
        return max((later - earlier for operation in operations
                    for earlier, later in pairwise([since, *sorted(ends.get(operation, [])), until])), default=0)

    def compare(self, stored, balances, heard):
        """Compares the history with the server's content after the load.

        - stored: the keys of all entries, by (owner, list of entries)
        - balances: (expected, found) by name
        - heard: the events of each listener, by (person, listener's name)
        """
        findings = Findings()
        for name, keys in stored.items():
            expected, found = Counter(self.entries.get(name, [])), Counter(keys)
            # Every request is repeated until it is acknowledged, so an entry without an acknowledgement is a second
            # result of a repeated request.
            findings.lost += [(*name, key) for key in (expected - found)]
            findings.doubled += [(*name, key) for key in (found - expected)]
        findings.lost += [(*name, key) for name, keys in self.entries.items() if name not in stored for key in keys]
        listening = {person for person, _ in heard}
        findings.missed += [(person, None, event) for person, events in self.announced.items()
                            if person not in listening for event in events]
        for (person, listener), events in heard.items():
            latest = {}
            for event in events:
                latest[event.subject] = max(latest.get(event.subject, (0, "")), event.order)
            findings.missed += [
                (person, listener, event) for event in self.announced.get(person, [])
                if event.subject not in latest or latest[event.subject] < event.order]
        findings.wrong_balances = [(name, *pair) for name, pair in balances.items() if pair[0] != pair[1]]
        return findings

