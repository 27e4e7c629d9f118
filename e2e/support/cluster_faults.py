"""What all faults of a cluster have in common."""

import os
import threading
from contextlib import contextmanager

from support.cluster_load import load_during

ROUNDS = int(os.environ.get("ROUNDS", "1"))


@contextmanager
def fault(cluster, name):
    """Runs a load while the body breaks something. Afterwards the load's content and the ledger must be right."""
    with load_during(name, cluster.balancer) as load:
        yield load
    cluster.wait_until_healthy()
    ledger = cluster.nodes[0].command("verify")
    assert ledger.returncode == 0, ledger.stdout + ledger.stderr


def hold(seconds):
    """Lets a fault last for a time."""
    threading.Event().wait(seconds)
