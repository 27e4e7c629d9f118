"""Three nodes of Homeward behind HAProxy, with PostgreSQL under Patroni and one bucket, on loopback."""

import csv
import shutil
import signal
import tempfile
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from support.buckets import Bucket
from support.patience import answers, wait_until
from support.patroni import HAPROXY, UNREACHABLE, PatroniCluster
from support.program import ChildProcess, Program
from support.server import Endpoint, Server, free_port

NODES = 3
# Longer than two of the balancer's checks.
DRAIN_SECONDS = 3
KEYS = ("secret.key", "push.key", "ledger.key")
START_SECONDS = 30
# Requests go to nodes that are ready. A node that isn't loses its open streams, so that browsers open them elsewhere;
# one that is about to stop (404) keeps its connections and gets no further requests.
SETTINGS = """
global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 1h
  timeout server 60s
  timeout check 1s
  option redispatch
  retries 3
frontend balancer
  bind 127.0.0.1:{port}
  option forwardfor
  default_backend nodes
frontend statistics
  bind 127.0.0.1:{statistics_port}
  stats enable
  stats uri /
backend nodes
  balance roundrobin
  option httpchk GET /health/ready
  http-check expect status 200
  http-check disable-on-404
  retry-on conn-failure
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
"""


class Node(ChildProcess, Server):
    """A node of Homeward with its own data folder."""

    def __init__(self, number, database_url, url, environment):
        super().__init__(database_url, {**environment, "HOMEWARD_URL": url, "HOMEWARD_TRUSTED_PROXIES": "127.0.0.1"})
        self.name = f"node-{number}"

    @property
    def data(self):
        return self.folder / "data"

    def copy_keys(self, other):
        """Copies the keys of another node, which this one needs before its first start."""
        self.data.mkdir(mode=0o700)
        for key in KEYS:
            shutil.copy2(other.data / key, self.data / key)

    def stop(self, how=signal.SIGTERM):
        self.resume()
        super().stop(how)


class Balancer(Endpoint, Program):
    """HAProxy."""

    def __init__(self, port, nodes):
        folder = Path(tempfile.mkdtemp(prefix="homeward-balancer-"))
        self.port, self.statistics_port, self.nodes = port, free_port(), nodes
        self.url = f"http://localhost:{port}"
        self.statistics_url = f"http://127.0.0.1:{self.statistics_port}/"
        servers = "".join(f"  server {node.name} 127.0.0.1:{node.port} check\n" for node in nodes)
        settings = SETTINGS.format(port=port, statistics_port=self.statistics_port)
        (folder / "haproxy.cfg").write_text(settings.lstrip() + servers)
        super().__init__("balancer", folder, HAPROXY, "-db", "-f", folder / "haproxy.cfg")

    def available(self):
        """Returns the names of the nodes that get requests."""
        with urllib.request.urlopen(f"{self.statistics_url};csv", timeout=2) as answer:
            rows = csv.DictReader(answer.read().decode().removeprefix("# ").splitlines())
        # "UP 1/2" is a node whose last check failed.
        return ({row["svname"] for row in rows if row["pxname"] == "nodes" and row["status"].startswith("UP")}
                & {node.name for node in self.nodes})

    def wait_for_node(self, node, is_up=True):
        has_node = answers(lambda: (node.name in self.available()) == is_up, *UNREACHABLE)
        wait_until(has_node, START_SECONDS, lambda: f"{node.name}, not available={is_up}: {self.available()}")

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Cluster:
    """All parts. `balancer` is where clients connect."""

    def __init__(self, environment=None, options=None):
        self.environment, self.options = environment or {}, options
        self.open = ExitStack()

    def start(self):
        with self.open:
            self._start()
            # `close` ends what has started.
            self.open = self.open.pop_all()
        return self

    def _start(self):
        self.postgres = PatroniCluster(self.options)
        self.open.callback(self.postgres.close)
        self.postgres.start()
        self.bucket = Bucket()
        self.open.callback(self.bucket.close)
        database, port = self.postgres.new_database(), free_port()
        environment = self.bucket.environment(**self.environment, HOMEWARD_DRAIN_SECONDS=str(DRAIN_SECONDS))
        self.nodes = [Node(number, database, f"http://localhost:{port}", environment)
                      for number in range(1, NODES + 1)]
        for node in self.nodes:
            self.open.callback(node.close)
        first, *others = self.nodes
        first.start()
        for node in others:
            node.copy_keys(first)
            node.start()
        self.balancer = Balancer(port, self.nodes)
        self.open.callback(self.balancer.close)
        self.balancer.start()
        self.wait_until_healthy()

    @property
    def parts(self):
        return [self.balancer, *self.nodes, self.bucket, *self.postgres.parts]

    def wait_until_healthy(self, seconds=90):
        self.postgres.wait_until_healthy(seconds)
        for node in self.nodes:
            self.balancer.wait_for_node(node)

    def close(self):
        self.open.close()
