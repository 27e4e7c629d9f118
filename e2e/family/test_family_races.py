"""Requests at the same moment from two devices and two nodes, while a node is killed and clocks change: F-23, F-28 and
F-30. `HOMEWARD_TEST_RACE_ROUNDS` sets the number of races (make soak: 1,000), and `HOMEWARD_TEST_RACE_SEED` which."""

import os
import sqlite3
import time

import pytest

from support.cluster import Node
from support.family_races import FamilyRaces
from support.program_clock import ProgramClock
from support.server import Postgres, free_port

ROUNDS = int(os.environ.get("HOMEWARD_TEST_RACE_ROUNDS", "24"))
SEED = int(os.environ.get("HOMEWARD_TEST_RACE_SEED", "20261127"))
KILL_EVERY = 12


class Cluster:
    """Nodes on one database, each with its own clock, and the database's clock."""

    def __init__(self, tmp_path_factory, engine):
        # PostgreSQL runs as another account, which reads the files of its clock.
        folder = tmp_path_factory.mktemp("clocks", numbered=True)
        for each in [folder, *folder.parents][:4]:
            each.chmod(0o755)
        names = ["database", "first", "second"] if engine == "postgres" else ["first"]
        for name in names:
            (folder / name).mkdir(mode=0o755)
        self.clocks = [ProgramClock(folder / name) for name in names]
        for name in names:
            (folder / name / "clock-ahead").chmod(0o644)
        self.postgres = Postgres(self.clocks[0].environment).start() if engine == "postgres" else None
        self.url = self.postgres and self.postgres.new_database()
        self.nodes = []
        origin = f"http://localhost:{free_port()}"
        for number, clock in enumerate(self.clocks[1:] if self.postgres else self.clocks, start=1):
            node = Node(number, self.url, origin, {})
            libraries = f"{node.environment['LD_PRELOAD']}:{clock.environment['LD_PRELOAD']}"
            node.environment |= {**clock.environment, "LD_PRELOAD": libraries}
            if self.nodes:
                node.copy_keys(self.nodes[0])
            self.nodes.append(node)
            node.start()
        self.skewed = 0

    def close(self):
        for node in self.nodes:
            node.close()
        if self.postgres:
            self.postgres.close()

    def now(self):
        return int(time.time()) + self.clocks[0].seconds

    def move(self, seconds):
        """Moves all clocks at the same moment."""
        for clock in self.clocks:
            clock.forward(seconds)

    def skew(self, seconds):
        """Sets the last node's clock wrong by some seconds. With SQLite it is the only one, and stays right."""
        if self.postgres:
            self.clocks[-1].forward(seconds - self.skewed)
            self.skewed = seconds

    def rows(self, query):
        if self.postgres:
            return self.postgres.rows(self.url, query)
        store = sqlite3.connect(f"file:{self.nodes[0].data / 'homeward.sqlite'}?mode=ro", uri=True)
        try:
            return [[str(cell) for cell in row] for row in store.execute(query)]
        finally:
            store.close()


@pytest.mark.spec("F-23-A", "F-29-A", "F-35-A")
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_occurrence_counts_once_and_points_are_spent_once(tmp_path_factory, kind, capsys):
    cluster = Cluster(tmp_path_factory, kind)
    try:
        races = FamilyRaces(cluster, SEED)
        races.run(ROUNDS, KILL_EVERY)
        assignments, automatic = races.check()
        with capsys.disabled():
            print(f"\n{kind}: {ROUNDS} rounds, {assignments} assignments, {automatic} of them automatic")
            for name, (count, done) in sorted(races.figures.items()):
                print(f"  {name:32} {count:5} races, {done:5} won")
    finally:
        cluster.close()
