"""Attacks by which one client made the server work for minutes: bodies in pieces of one byte, paths without a route,
and archives of brackets. While all of them run at once, the server answers others. `ATTACK_SECONDS` sets the time
(make soak: 60), and `ATTACK_LIMIT_SECONDS` how long a response may take: 1 with an optimised build on two processors.
A debug build needs about ten times as much for each byte."""

import contextlib
import io
import itertools
import os
import socket
import subprocess
import sys
import threading
import zipfile

from support.server import Person

SECONDS = float(os.environ.get("ATTACK_SECONDS", "10"))
LIMIT_SECONDS = float(os.environ.get("ATTACK_LIMIT_SECONDS", "10"))
PAUSE_SECONDS = 0.1
BODIES, PATHS, IMPORTS = 4, 16, 2
# Limits+Import.swift
UPLOADS_PER_NETWORK = 4
BLANKS, PATH_BYTES, BRACKETS = 40_000, 28_000, 524_288
# Each network has few places for uploads.
NETWORK, OTHER_NETWORK = "127.0.0.1", "127.0.0.2"
BOUNDARY = "x"
FILE = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="archive"; filename="a.zip"\r\n\r\n'.encode()


class Attack:
    """Threads that send requests to loopback until the block ends. Each counts its responses by status."""

    def __init__(self, server):
        self.port = server.port
        self.stopping = threading.Event()
        self.threads, self.statuses, self.failures = [], {}, []
        self.lock = threading.Lock()

    def add(self, name, count, body):
        self.threads += [threading.Thread(target=self._repeat, args=(name, body)) for _ in range(count)]

    def _repeat(self, name, body):
        while not self.stopping.is_set():
            try:
                status = body()
            # The server may close a connection whose request it has refused.
            except (ConnectionError, TimeoutError) as error:
                status = type(error).__name__
            except Exception as error:
                self.failures.append(error)
                raise
            with self.lock:
                self.statuses.setdefault(name, {}).setdefault(status, 0)
                self.statuses[name][status] += 1

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def send(self, head, pieces, source=NETWORK):
        """Sends a request. Returns the status of its response."""
        address = ("127.0.0.1", self.port)
        with contextlib.closing(socket.create_connection(address, 20, (source, 0))) as connection:
            connection.sendall(head.encode() + b"\r\n\r\n")
            for piece in pieces:
                connection.sendall(piece)
                if self.stopping.is_set():
                    return "stopped"
            return connection.recv(4096).split(b" ", 2)[1].decode()

    def body_of_blanks(self):
        """A multipart form whose delimiter is followed by blanks, each in a chunk of its own."""
        head = ("POST /session HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                f"Content-Type: multipart/form-data; boundary={BOUNDARY}")
        chunks = b"".join(b"1\r\n" + bytes([byte]) + b"\r\n" for byte in f"--{BOUNDARY}".encode())
        return self.send(head, [chunks] + [b"1\r\n \r\n" * 400] * (BLANKS // 400) + [b"0\r\n\r\n"])

    def unknown_path(self):
        return self.send(f"GET /{'a' * PATH_BYTES} HTTP/1.1\r\nHost: localhost", [])

    def import_of_brackets(self, tokens):
        with zipfile.ZipFile(archive := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("account.json", '{"role": "adult", "name": "Mia"}')
            file.writestr("tracking/items.json", "[" * BRACKETS)
        body = FILE + archive.getvalue() + f"\r\n--{BOUNDARY}--\r\n".encode()
        return self.send(self._upload(next(tokens), len(body)), [body])

    def slow_import(self, tokens):
        def pieces():
            yield FILE
            while not self.stopping.wait(PAUSE_SECONDS):
                yield b"a" * 1024
        return self.send(self._upload(next(tokens), 400_000_000), pieces(), OTHER_NETWORK)

    @staticmethod
    def _upload(token, count):
        return (f"POST /account/import HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
                f"Authorization: Bearer {token}\r\nContent-Length: {count}\r\n"
                f"Content-Type: multipart/form-data; boundary={BOUNDARY}")


# A process of its own: in this one, the attacking threads would delay the measurement.
PROBE = """
import sys, time, urllib.request
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    for url in sys.argv[2:]:
        started = time.monotonic()
        with urllib.request.urlopen(url, timeout=30) as response:
            response.read()
        print(url, time.monotonic() - started)
    time.sleep(0.1)
"""


def measured(urls):
    """Requests the URLs again and again. Returns the seconds that each response took, by URL."""
    command = [sys.executable, "-c", PROBE, str(SECONDS), *urls]
    probe = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=SECONDS + 60)
    times = {url: [] for url in urls}
    for line in probe.stdout.splitlines():
        url, seconds = line.split()
        times[url].append(float(seconds))
    return times


def test_server_answers_during_attacks(server):
    people = [Person(server, f"Person {number}") for number in range(UPLOADS_PER_NETWORK + 20)]
    slow, quick = people[:UPLOADS_PER_NETWORK], people[UPLOADS_PER_NETWORK:]
    attack = Attack(server)
    attack.add("bodies", BODIES, attack.body_of_blanks)
    attack.add("paths", PATHS, attack.unknown_path)
    # An account has few uploads an hour, so that the next one continues.
    tokens = itertools.cycle(person.token for person in quick)
    attack.add("imports", IMPORTS, lambda: attack.import_of_brackets(tokens))
    for person in slow:
        own = itertools.repeat(person.token)
        attack.add("slow imports", 1, lambda own=own: attack.slow_import(own))
    with attack:
        times = measured([server.url + path for path in ("/health/live", "/sign-in")])
    print({path: f"{len(seen)} times, at most {max(seen):.3f} s" for path, seen in times.items()}, attack.statuses)
    assert not attack.failures
    assert attack.statuses["paths"].keys() <= {"414", "stopped", "ConnectionResetError", "BrokenPipeError"}
    assert attack.statuses["paths"]["414"] > 0
    assert attack.statuses["bodies"]["400"] > 0
    assert attack.statuses["imports"]["422"] > 0
    for path, seen in times.items():
        assert max(seen) < LIMIT_SECONDS, path
