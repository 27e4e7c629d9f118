"""Faults of two nodes on one PostgreSQL server, without a balancer. e2e/cluster has those of a whole cluster."""

from itertools import cycle, islice

import pytest

from support.carrepsa import RICH
from support.cluster import Node
from support.cluster_load import load_during
from support.patience import answers, wait_until
from support.server import Endpoint, Postgres, free_port


class AnyNode(Endpoint):
    """The nodes in turn, as a client uses them that knows all addresses."""

    def __init__(self, nodes):
        self.nodes, self.turns = nodes, cycle(nodes)

    @property
    def port(self):
        for node in islice(self.turns, len(self.nodes)):
            if node.is_running:
                return node.port
        raise ConnectionError("no node is running")


@pytest.fixture(scope="module")
def database():
    database = Postgres().start()
    yield database
    database.close()


@pytest.fixture(scope="module")
def nodes(database, tmp_path_factory):
    environment = {**RICH, "HOMEWARD_OBJECTS": f"folder:{tmp_path_factory.mktemp('objects')}"}
    url = database.new_database()
    nodes = [Node(number, url, f"http://localhost:{free_port()}", environment) for number in (1, 2)]
    try:
        nodes[0].start()
        nodes[1].copy_keys(nodes[0])
        nodes[1].start()
        yield nodes
    finally:
        for node in nodes:
            node.close()


def is_sound(node):
    ledger = node.command("verify")
    assert ledger.returncode == 0, ledger.stdout + ledger.stderr


def test_the_other_node_continues_when_one_is_killed(nodes):
    with load_during("kill -9 of a node", AnyNode(nodes)) as load:
        nodes[0].kill()
        load.wait_for_writes()
        nodes[0].start()
    is_sound(nodes[0])


def test_both_nodes_continue_after_the_database_was_killed(nodes, database):
    with load_during("kill -9 of PostgreSQL", AnyNode(nodes)) as load:
        database.kill()
        try:
            wait_until(lambda: load.history.failed, 30, "no request failed")
        finally:
            database.start()
        for node in nodes:
            wait_until(answers(lambda node=node: node.request("GET", "/health/ready")[0] == 200, OSError), 30,
                       "a node isn't ready")
    is_sound(nodes[1])
