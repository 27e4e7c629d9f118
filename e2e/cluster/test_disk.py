"""The disk of the primary is full. The same must hold as in test_cluster.py.

Neither PostgreSQL nor Patroni ends this state: a primary that can't extend a file rejects the statement and stays the
primary; one that can't extend its write-ahead log crashes, and Patroni starts it again and again. Requests get 503. So
the tests do what docs/operating.md asks of an administrator: free the disk, switch over, or stop Patroni."""

import subprocess

import pytest

from support.carrepsa import RICH
from support.cluster import Cluster
from support.cluster_faults import ROUNDS, fault
from support.disk import can_mount
from support.patience import wait_until
from support.patroni import Options

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(not can_mount(), reason="only root can mount a small disk")]

# Enough for the content of 20 rounds.
DISK_MEGABYTES = 1_000
LOG_SEGMENTS = 30


@pytest.fixture(scope="module")
def running_cluster():
    cluster = Cluster(RICH, Options(disk_megabytes=DISK_MEGABYTES)).start()
    yield cluster
    cluster.close()


@pytest.fixture
def cluster(running_cluster):
    for member in running_cluster.postgres.members:
        member.disk.free()
    running_cluster.wait_until_healthy()
    return running_cluster


def fill(cluster, load):
    """Fills the disk of the primary until requests fail, and returns the primary."""
    primary = wait_until(cluster.postgres.primary)
    failed = len(load.history.failed)
    primary.disk.fill()
    wait_until(lambda: len(load.history.failed) > failed, 60, "no request failed")
    return primary


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_writes_succeed_again_once_the_disk_has_space(cluster, turn):
    with fault(cluster, "full disk of the primary, freed") as load:
        primary = fill(cluster, load)
        # A full database isn't a reason to take the nodes away: they still serve reads.
        assert cluster.balancer.available() == {node.name for node in cluster.nodes}
        primary.disk.free()
        load.wait_for_writes()
        assert cluster.postgres.primary() is primary
    assert {attempt.outcome for attempt in load.history.failed} == {503}


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_switchover_leaves_a_primary_with_a_full_disk(cluster, turn):
    with fault(cluster, "full disk of the primary, switchover") as load:
        primary = fill(cluster, load)
        done = subprocess.run(["patronictl", "-c", primary.settings, "switchover", "homeward", "--master", primary.name,
                               "--candidate", cluster.postgres.synchronous_standby().name, "--force"],
                              capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        load.wait_for_writes()
        assert cluster.postgres.primary() is not primary
        primary.disk.free()
        cluster.wait_until_healthy()


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_primary_without_space_for_its_log_is_replaced_once_it_is_stopped(cluster, turn):
    with fault(cluster, "full disk of the primary, crash, stop of its Patroni") as load:
        primary = fill(cluster, load)
        crash(primary)
        primary.shut_down()
        wait_until(cluster.postgres.primary, 60, "no standby was promoted")
        load.wait_for_writes()
        primary.disk.free()
        primary.start()
        cluster.wait_until_healthy()


def crash(primary):
    """Fills the segments of the write-ahead log that exist. PostgreSQL crashes when it needs another."""
    def crashes():
        return primary.log.read_text(errors="replace").count("PANIC:  could not write to file \"pg_wal")

    before = crashes()
    for _ in range(LOG_SEGMENTS):
        # A new segment begins only if the present one has content.
        primary.run("psql", "-c", "SELECT pg_logical_emit_message(false, 'test', 'content')",
                    "-c", "SELECT pg_switch_wal()")
        if crashes() > before:
            return
        primary.disk.fill()
    raise AssertionError("PostgreSQL didn't crash")
