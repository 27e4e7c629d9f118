"""Faults of the network of a cluster under load: the primary is cut off, and the links to the database are slow. All
parts continue to run. The same must hold as in test_cluster.py."""

import time

import pytest

from support.carrepsa import RICH
from support.cluster import Cluster
from support.cluster_faults import ROUNDS, fault, hold
from support.network import OUTSIDE, Network, Speed
from support.patience import wait_until
from support.patroni import TTL_SECONDS, Options

pytestmark = pytest.mark.cluster

SLOW_SECONDS = 15
# A round trip of 50 to 70 ms. The load needs about as many bytes a second, which therefore wait for each other.
SLOW = Speed(delay=0.025, jitter=0.010, bytes_per_second=1_000_000)


@pytest.fixture(scope="module")
def network():
    network = Network()
    yield network
    network.close()


@pytest.fixture(scope="module")
def running_cluster(network):
    cluster = Cluster(RICH, Options(network=network)).start()
    yield cluster
    cluster.close()


@pytest.fixture
def cluster(running_cluster, network):
    network.heal()
    running_cluster.wait_until_healthy()
    return running_cluster


def other_primary(cluster, primary):
    return next((member for member in cluster.postgres.members if member is not primary and member.is_primary()), None)


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_primary_that_is_cut_off_loses_nothing(cluster, network, turn):
    """Cuts all links of the primary: to nodes, standbys and etcd, and to the interfaces of the other Patronis.

    The primary can't renew the leader key, and no standby confirms its commits. It steps down before the key expires.
    Requests that wait for it fail after 12 seconds; only then do the nodes look for another primary."""
    with fault(cluster, "cut of all links of the primary") as load:
        primary = wait_until(cluster.postgres.primary)
        network.cut(*network.links_of(primary.name))
        try:
            wait_until(lambda: other_primary(cluster, primary), 60, "no standby was promoted")
            wait_until(lambda: not primary.is_primary(), TTL_SECONDS, "the old primary didn't step down")
            load.wait_for_writes()
        finally:
            # What clients sent to the old primary reaches it now.
            network.heal()
        cluster.wait_until_healthy()
        assert cluster.postgres.primary() is not primary


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_primary_that_only_nodes_reach_loses_nothing(cluster, network, turn):
    """Cuts the primary off from etcd and the standbys, but not from the nodes, which still send it writes.

    Without synchronous replication it would confirm these writes until it steps down, and the new primary wouldn't have
    them. So this cut, not the complete one, shows that a commit waits for a standby."""
    with fault(cluster, "cut between the primary and the rest of the database") as load:
        primary = wait_until(cluster.postgres.primary)
        network.cut(*network.links_of(primary.name, without=[OUTSIDE]))
        try:
            wait_until(lambda: other_primary(cluster, primary), 60, "no standby was promoted")
            load.wait_for_writes()
        finally:
            network.heal()
        cluster.wait_until_healthy()
        assert cluster.postgres.primary() is not primary


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_slow_network_fails_no_request(cluster, network, turn):
    with fault(cluster, "slow network between nodes and database") as load:
        network.slow_down(SLOW)
        begun = time.monotonic()
        try:
            hold(SLOW_SECONDS)
            load.wait_for_writes()
            slowed = [attempt.seconds for attempt in load.history.acknowledged
                      if attempt.ended - attempt.seconds > begun]
        finally:
            network.heal()
    assert load.history.failed == []
    assert min(slowed) > 2 * SLOW.delay, "the network was not slow"
    assert cluster.balancer.available() == {node.name for node in cluster.nodes}
