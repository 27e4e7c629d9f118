"""The same deliveries on one, two and three nodes that share the cores and one PostgreSQL server."""

import statistics
from contextlib import ExitStack

from carrepsa import ENVIRONMENT, SECONDS, PostgresStore, add_people, run
from support.cluster import Node
from support.server import Postgres, free_port

NODES = 3
CLIENTS = 64
ROUNDS = 3
WARM_UP_SECONDS = 2


def nodes(say):
    with ExitStack() as opened:
        cluster = Postgres()
        opened.callback(cluster.close)
        store = PostgresStore(cluster.start())
        all_nodes = [Node(number, store.url, f"http://localhost:{free_port()}", ENVIRONMENT)
                     for number in range(1, NODES + 1)]
        for node in all_nodes:
            opened.callback(node.close)
        measure(store, all_nodes, say)


def measure(store, all_nodes, say):
    first, *others = all_nodes
    objects = first.folder / "objects"
    objects.mkdir()
    for node in all_nodes:
        node.environment["HOMEWARD_OBJECTS"] = f"folder:{objects}"
    first.start()
    _, tokens = add_people(first)
    for node in others:
        node.copy_keys(first)
    first.stop()
    # The store grows from run to run, so the numbers of nodes take turns.
    rounds = [[loaded(store, all_nodes[:count], tokens) for count in range(1, NODES + 1)] for _ in range(ROUNDS)]
    first.start()
    done = first.command("verify")
    assert done.returncode == 0, done.stdout + done.stderr
    alone = None
    for count, results in enumerate(zip(*rounds, strict=True), 1):
        rate = statistics.median(rates.deliveries for rates in results)
        tail = statistics.median(rates.p99_milliseconds for rates in results)
        say(f"deliveries, nodes: {count}, {CLIENTS} clients, median of {ROUNDS}", rate, "a second", alone,
            f"p99 {tail:.0f} ms")
        alone = alone or rate


def loaded(store, running, tokens):
    """The rates of a run on nodes that have just been started and warmed up."""
    for node in running:
        node.start()
    run(store, running, tokens, CLIENTS, "uniform", WARM_UP_SECONDS)
    rates = run(store, running, tokens, CLIENTS, "uniform", SECONDS)
    for node in running:
        node.stop()
    return rates
