"""Many listeners to the live stream: when the last one is notified of a change, and what each costs."""

import json
import resource
import select
import socket
import time

from processes import memory_mib
from support.server import Person, Server

LISTENERS = 10_000
PER_PERSON = 20
ROUNDS = 3
AT_ONCE = 200
BUFFER_BYTES = 65_536
WAIT_SECONDS = 60


class Streams:
    """Open streams. One thread reads them: with a task for each, the client would need more time than the server."""

    def __init__(self, server):
        self.server = server
        self.poll = select.epoll()
        self.sockets = {}
        self.buffer = bytearray(BUFFER_BYTES)

    def join(self, people):
        """Opens the streams of the people and waits until each has begun. Returns the seconds that it took."""
        started = time.perf_counter()
        members = [someone for someone in people for _ in range(PER_PERSON)]
        for first in range(0, len(members), AT_ONCE):
            for number, someone in enumerate(members[first:first + AT_ONCE], first):
                self._connect(someone, number)
            self.times_of(b"id: ", len(members[first:first + AT_ONCE]))
        return time.perf_counter() - started

    def _connect(self, someone, number):
        stream = socket.socket()
        # One network may open a tenth of all streams.
        stream.bind((f"127.0.0.{1 + number % 100}", 0))
        stream.connect(("127.0.0.1", self.server.port))
        stream.sendall(f"GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                       f"Authorization: Bearer {someone.token}\r\n\r\n".encode())
        stream.setblocking(False)
        self.sockets[stream.fileno()] = stream
        self.poll.register(stream.fileno(), select.EPOLLIN)

    def times_of(self, text, count):
        """Waits until the text has arrived on so many streams. Returns the times in order."""
        arrived, end = {}, time.perf_counter() + WAIT_SECONDS
        while len(arrived) < count:
            assert time.perf_counter() < end, f"the text arrived on {len(arrived)} of {count} streams"
            for stream, _ in self.poll.poll(1, 2_000):
                read = self.sockets[stream].recv_into(self.buffer)
                assert read, "a stream was closed"
                assert not self.buffer.startswith(b"HTTP/1.1 4"), bytes(self.buffer[:read])
                if stream not in arrived and text in self.buffer[:read]:
                    arrived[stream] = time.perf_counter()
        return sorted(arrived.values())

    def close(self):
        for stream in self.sockets.values():
            stream.close()
        self.poll.close()


def send_at_once(server, people):
    """Sends the same new item for each person, each on a connection of its own. Returns the time before the first."""
    body = json.dumps({"name": "Kite"}).encode()
    connections = [(socket.create_connection(("127.0.0.1", server.port)), someone) for someone in people]
    started = time.perf_counter()
    for connection, someone in connections:
        connection.sendall(
            f"POST /tracking/items HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
            f"Authorization: Bearer {someone.token}\r\n\r\n".encode() + body)
    return started, connections


def require_success(connections):
    for connection, _ in connections:
        with connection, connection.makefile("rb") as response:
            assert b" 201 " in response.readline()


def live(say):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    # The server starts with a shell's usual limit, and raises it.
    resource.setrlimit(resource.RLIMIT_NOFILE, (1_024, most))
    server = Server(environment={"HOMEWARD_WELCOME_AMOUNT": "100000.00"}).start()
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    streams = Streams(server)
    try:
        people = [Person(server) for _ in range(LISTENERS // PER_PERSON)]
        owner = Person(server, app="carrepsa", phone="+49 151 5550100")
        idle = memory_mib(server.process)
        say(f"{LISTENERS:,} streams opened", streams.join(people), "s")
        say("memory of each", (memory_mib(server.process) - idle) * 1024 / LISTENERS, "KiB")
        for _ in range(ROUNDS):
            started = time.perf_counter()
            owner.call("POST", "/carrepsa/packages", {
                "title": "Hat", "from": "Aachen", "to": "Bonn", "weight": 100, "reward": 100, "moneyLock": 100,
            }, expect=201)
            times = streams.times_of(b'"package', LISTENERS)
            say("one change for all: the first is notified (with the request)", (times[0] - started) * 1000, "ms")
            say("the last one", (times[-1] - started) * 1000, "ms", (times[0] - started) * 1000)
        for _ in range(ROUNDS):
            started, connections = send_at_once(server, people)
            times = streams.times_of(b'"item"', LISTENERS)
            require_success(connections)
            say(f"{len(people)} changes at once, each for {PER_PERSON}: the last is notified",
                (times[-1] - started) * 1000, "ms")
        say("memory with them, at most", memory_mib(server.process, "VmHWM"), "MiB")
    finally:
        streams.close()
        server.close()
