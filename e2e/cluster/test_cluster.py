"""Faults of a cluster under load: no acknowledged write is lost or doubled, no listener misses an event, and writes
succeed again within 20 seconds. `ROUNDS` sets the number of times that each fault happens (make soak: 20). Runs with
`-m cluster` after scripts/setup --tests --cluster."""

import pytest

from support.carrepsa import RICH
from support.cluster import Cluster
from support.cluster_faults import ROUNDS, fault, hold
from support.items import upload
from support.patience import wait_until
from support.patroni import TTL_SECONDS
from support.program_clock import ProgramClock
from support.server import Person

pytestmark = pytest.mark.cluster

FREEZE_SECONDS = 20
HOUR = 3_600
# Longer than the pause after which a node looks for jobs that are due.
CLOCK_SECONDS = 8
ETCD_SECONDS = 15


@pytest.fixture(scope="module")
def running_cluster():
    cluster = Cluster(RICH).start()
    yield cluster
    cluster.close()


@pytest.fixture
def cluster(running_cluster):
    running_cluster.wait_until_healthy()
    return running_cluster


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_killed_node_loses_nothing(cluster, turn):
    node = cluster.nodes[turn % len(cluster.nodes)]
    with fault(cluster, "kill -9 of a node") as load:
        node.kill()
        cluster.balancer.wait_for_node(node, is_up=False)
        load.wait_for_writes()
        node.start()
        cluster.balancer.wait_for_node(node)


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_frozen_node_loses_nothing(cluster, turn):
    node = cluster.nodes[turn % len(cluster.nodes)]
    with fault(cluster, "SIGSTOP of a node"):
        node.freeze()
        try:
            hold(FREEZE_SECONDS)
            assert node.name not in cluster.balancer.available()
        finally:
            node.resume()
        cluster.balancer.wait_for_node(node)


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_killed_primary_loses_nothing(cluster, turn):
    with fault(cluster, "kill -9 of the primary"):
        primary = wait_until(cluster.postgres.primary)
        primary.kill()
        wait_until(cluster.postgres.primary, 60, "no standby was promoted")
        primary.start()
        cluster.wait_until_healthy()


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_killed_synchronous_standby_loses_nothing(cluster, turn):
    with fault(cluster, "kill -9 of the synchronous standby") as load:
        standby = wait_until(cluster.postgres.synchronous_standby)
        standby.kill()
        load.wait_for_writes()
        standby.start()
        cluster.wait_until_healthy()


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_frozen_primary_loses_nothing(cluster, turn):
    with fault(cluster, "SIGSTOP of the primary") as load:
        primary = wait_until(cluster.postgres.primary)
        primary.freeze()
        try:
            wait_until(cluster.postgres.primary, 60, "no standby was promoted")
            load.wait_for_writes()
        finally:
            # It doesn't know yet that it has been replaced.
            primary.resume()
        cluster.wait_until_healthy()
        assert cluster.postgres.primary() is not primary


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_the_loss_of_etcd_loses_nothing(cluster, turn):
    assert ETCD_SECONDS > TTL_SECONDS, "the leader key has expired by then"
    with fault(cluster, "kill -9 of etcd"):
        cluster.postgres.etcd.kill()
        hold(ETCD_SECONDS)
        cluster.postgres.etcd.start()
        cluster.wait_until_healthy()


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_without_the_bucket_only_photos_wait(cluster, turn):
    someone = Person(cluster.balancer)
    with fault(cluster, "kill -9 of the bucket's server") as load:
        cluster.bucket.kill()
        with pytest.raises(AssertionError, match="/pictures: 50"):
            upload(someone)
        load.wait_for_writes()
        failed = load.history.failed
        cluster.bucket.start()
        assert wait_until(lambda: try_upload(someone), 30, "no photo could be added")
    assert failed == []
    for command in ("archive", "check"):
        done = cluster.nodes[0].command("fixes", command)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def clock(running_cluster, tmp_path_factory):
    """The clock of the last node."""
    clock, node = ProgramClock(tmp_path_factory.mktemp("clock")), running_cluster.nodes[-1]
    libraries = f"{node.environment['LD_PRELOAD']}:{clock.environment['LD_PRELOAD']}"
    node.environment |= {**clock.environment, "LD_PRELOAD": libraries}
    node.restart()
    return clock


def jobs_of_another_hour(cluster):
    """Returns the jobs that are due, or whose lease ends, in half an hour or later."""
    primary = wait_until(cluster.postgres.primary)
    return primary.query("SELECT kind FROM job WHERE dead_at IS NULL AND due_at > "
                         "extract(epoch FROM clock_timestamp() + interval '30 minutes') * 1000").split()


@pytest.mark.parametrize("seconds", [HOUR, -HOUR], ids=["ahead", "behind"])
@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_node_with_a_wrong_clock_gets_no_requests(cluster, clock, turn, seconds):
    node = cluster.nodes[-1]
    with fault(cluster, f"clock of a node wrong by {seconds:+} s") as load:
        clock.forward(seconds)
        try:
            cluster.balancer.wait_for_node(node, is_up=False)
            assert node.request("GET", "/health/ready")[0] == 503
            hold(CLOCK_SECONDS)
            load.wait_for_writes()
            # A clock that is ahead would lease jobs, or postpone them, until another hour.
            assert jobs_of_another_hour(cluster) == []
        finally:
            clock.forward(-seconds)
        cluster.balancer.wait_for_node(node)
        load.wait_for_writes()
    dead = node.command("jobs", "list")
    assert dead.returncode == 0 and dead.stdout == "", dead.stdout


def try_upload(someone):
    try:
        return upload(someone)
    except AssertionError:
        return None


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_no_request_fails_during_a_rolling_restart(cluster, turn):
    with fault(cluster, "rolling restart") as load:
        for node in cluster.nodes:
            node.restart()
            cluster.balancer.wait_for_node(node, is_up=True)
            load.wait_for_writes(5)
    assert load.history.failed == []
