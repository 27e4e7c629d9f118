"""A cluster whose database is restored to a time has the writes before that time, and no later one."""

import copy
import tempfile
from pathlib import Path

import pytest

from support.backups import Backups, RestoredPostgres
from support.carrepsa import RICH
from support.cluster import Cluster, Node
from support.cluster_faults import ROUNDS
from support.cluster_history import History
from support.cluster_load import Load
from support.patience import wait_until
from support.patroni import Options

pytestmark = pytest.mark.cluster

LATER_WRITES = 5
HEAD = "ledger.head"


@pytest.fixture
def backups():
    # Not in a folder of pytest, which PostgreSQL's user can't reach.
    with tempfile.TemporaryDirectory(prefix="homeward-backups-") as folder:
        Path(folder).chmod(0o755)
        yield Backups(Path(folder))


@pytest.fixture
def cluster(backups):
    cluster = Cluster(RICH, Options(backups=backups)).start()
    yield cluster
    cluster.close()


@pytest.fixture
def restore(cluster, backups, tmp_path):
    """Returns a function that starts a node on the database of a time."""
    opened = []

    def restored(target):
        postgres = RestoredPostgres(backups, target)
        opened.append(postgres)
        postgres.start()
        # A copy must not write to the bucket of the cluster.
        environment = {**RICH, "HOMEWARD_OBJECTS": f"folder:{tmp_path}"}
        node = Node(0, postgres.url, cluster.balancer.url, environment)
        opened.append(node)
        node.copy_keys(cluster.nodes[0])
        return node

    yield restored
    for one in reversed(opened):
        one.close()


def content(load):
    """Returns all entries, and the balances found and expected."""
    stored, balances = {}, {}
    for writer in load.writers:
        stored |= writer.stored()
        balances |= writer.balances()
    return stored, balances


def wait_for_head(node):
    """Returns the end of the ledger's chain that the node has stored, which a backup includes. It is taken before the
    database, so that the chain of the database goes at least as far."""
    return wait_until((node.data / HEAD).exists, 30, "no batch was sealed") and (node.data / HEAD).read_bytes()


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_restored_database_ends_at_the_chosen_time(cluster, backups, restore, turn):
    primary = wait_until(cluster.postgres.primary)
    with Load(cluster.balancer) as load:
        head = wait_for_head(cluster.nodes[0])
        backups.create(primary.name)
        load.wait_for_writes()
        load.stop()
        assert load.findings().are_clean
        before = History()
        before.entries = copy.deepcopy(load.history.entries)
        _, balances = content(load)
        target = primary.query("SELECT clock_timestamp()")
        for writer in load.writers:
            for _ in range(LATER_WRITES):
                writer.write()
        later, _ = content(load)
    # The segment that has the time is archived once it is complete.
    primary.query("SELECT pg_switch_wal()")
    node = restore(target)
    (node.data / HEAD).write_bytes(head)
    ledger = node.command("verify")
    assert ledger.returncode == 0, ledger.stdout + ledger.stderr
    node.start()
    for writer in load.writers:
        for person in writer.people:
            person.server = node
    stored, restored_balances = content(load)
    assert {name: found for name, (_, found) in restored_balances.items()} == {
        name: found for name, (_, found) in balances.items()}
    findings = before.compare(stored, {}, {})
    assert (findings.lost, findings.doubled) == ([], [])
    assert all(len(keys) >= len(stored[name]) + LATER_WRITES for name, keys in later.items())
