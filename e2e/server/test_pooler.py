"""A pooler between the server and PostgreSQL: PgBouncer, from Debian's package."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from support.server import STOP_SECONDS, Person, Server, free_port


class PgBouncer:
    def __init__(self, cluster, database_url, mode):
        self.folder = Path(tempfile.mkdtemp(prefix="homeward-pgbouncer-"))
        self.port = free_port()
        database = database_url.rsplit("/", 1)[1].split("?", 1)[0]
        self.url = f"postgres://homeward@127.0.0.1:{self.port}/{database}"
        (self.folder / "pgbouncer.ini").write_text(
            f"[databases]\n{database} = host=127.0.0.1 port={cluster.port} user=homeward\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\n"
            f"auth_type = any\npool_mode = {mode}\ndefault_pool_size = 20\n")
        prefix = []
        if os.geteuid() == 0:
            # PgBouncer refuses to run as root.
            shutil.chown(self.folder, "postgres")
            prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
        self.log = open(self.folder / "log", "w+")  # noqa: SIM115  (open as long as the process)
        self.process = subprocess.Popen(
            [*prefix, "/usr/sbin/pgbouncer", self.folder / "pgbouncer.ini"], stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log, cwd="/")

    def close(self):
        self.process.terminate()
        self.process.wait(STOP_SECONDS)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture
def pooler(postgres):
    started = []

    def start(mode):
        started.append(PgBouncer(postgres, postgres.new_database(), mode))
        return started[-1]

    yield start
    for one in started:
        one.close()


def test_a_pooler_of_sessions_works(pooler):
    server = Server(pooler("session").url)
    try:
        server.start()
        ada = Person(server)
        item = ada.add_item("Keys")
        assert ada.call("GET", f"/tracking/items/{item['id']}", expect=200)["name"] == "Keys"
    finally:
        server.close()


@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_a_pooler_of_transactions_is_rejected_at_start(pooler, mode):
    server = Server(pooler(mode).url)
    try:
        with pytest.raises(RuntimeError, match="it must pool sessions"):
            server.start()
    finally:
        server.close()
