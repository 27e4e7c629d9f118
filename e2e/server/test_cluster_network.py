"""The network of the fault tests holds what is sent over a cut link, delays what is sent over a slow one, and knows
which part a connection comes from."""

import select
import socket
import socketserver
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest

from support.network import OUTSIDE, Network, Speed

SILENCE_SECONDS = 0.3
CLIENT = """
import socket, sys
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
print("connected", flush=True)
print(connection.recv(5).decode())
"""


class Echo(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.sendall(b"hello")
        while content := self.request.recv(1_024):
            self.request.sendall(content)


@pytest.fixture
def echo():
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.fixture
def network():
    with closing(Network()) as network:
        yield network


@pytest.fixture
def connection(network, echo):
    with socket.create_connection(("127.0.0.1", network.link("echo", echo))) as connection:
        assert connection.recv(5) == b"hello"
        yield connection


def is_silent(connection):
    connection.settimeout(SILENCE_SECONDS)
    try:
        return connection.recv(1_024) is None
    except TimeoutError:
        connection.settimeout(10)
        return True


def test_a_cut_link_delivers_nothing_until_it_is_healed(network, connection):
    network.cut((OUTSIDE, "echo"))
    connection.sendall(b"first")
    assert is_silent(connection)
    network.heal()
    assert connection.recv(5) == b"first"


def test_a_cut_link_accepts_a_connection_and_does_not_answer(network, echo):
    port = network.link("echo", echo)
    network.cut(*network.links_of("echo"))
    with socket.create_connection(("127.0.0.1", port)) as connection:
        assert is_silent(connection)
        network.heal()
        assert connection.recv(5) == b"hello"


def test_only_the_links_of_the_named_parts_are_cut(network, echo, connection, tmp_path):
    network.add_part("member", tmp_path)
    network.cut(*network.links_of("member", without=[OUTSIDE]))
    connection.sendall(b"first")
    assert connection.recv(5) == b"first"
    command = [sys.executable, "-c", CLIENT, str(network.link("echo", echo))]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, bufsize=0) as member:
        assert member.stdout.readline() == b"connected\n"
        assert select.select([member.stdout], [], [], SILENCE_SECONDS)[0] == []
        network.heal()
        assert member.stdout.read() == b"hello\n"


def test_a_slow_link_delays_each_direction(network, connection):
    network.slow_down(Speed(delay=0.1, bytes_per_second=10_000))
    begun = time.monotonic()
    connection.sendall(bytes(1_000))
    assert len(connection.recv(1_000, socket.MSG_WAITALL)) == 1_000
    assert time.monotonic() - begun > 2 * 0.2


def test_the_end_of_a_connection_arrives(network, echo):
    with socket.create_connection(("127.0.0.1", network.link("echo", echo))) as connection:
        connection.sendall(b"first")
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(10)
        while connection.recv(1_024):
            pass
