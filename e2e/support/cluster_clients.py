"""Clients of a cluster that continue through its faults: writes that are repeated until they are acknowledged, and live
streams that resume."""

import contextlib
import http.client
import json
import socket
import threading
import time
import uuid

from support.cluster_history import Attempt, Event

RETRY_SECONDS = 0.1
RESPONSE_SECONDS = 8
# Longer than any fault. A request without an acknowledgement after that fails the test.
PATIENCE_SECONDS = 90
# A stream carries a heartbeat every 15 seconds.
SILENCE_SECONDS = 40
# Every tenth write is sent again although it was acknowledged, as a client does that lost the response.
REPEAT_EVERY = 10
# The responses of a cluster during a fault. Others are errors.
PASSING = {502, 503, 504}


class Client:
    """A connection to the cluster that repeats each write until it is acknowledged."""

    def __init__(self, server, history, token=None):
        self.server, self.history, self.token = server, history, token
        self.connection, self.count = None, 0

    def write(self, operation, method, path, body=None):
        """Returns the response, decoded if it is JSON. All attempts carry one idempotency key."""
        key = str(uuid.uuid4())
        answer = self._until_acknowledged(operation, method, path, body, key)
        self.count += 1
        if self.count % REPEAT_EVERY == 0:
            again = self._until_acknowledged(operation, method, path, body, key)
            assert again == answer, f"{method} {path}: a repeated request got {again} instead of {answer}"
        return answer

    def _until_acknowledged(self, operation, method, path, body, key):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            outcome, answer = self._attempt(operation, method, path, body, key)
            if outcome in range(200, 300):
                return answer
            assert isinstance(outcome, str) or outcome in PASSING, f"{method} {path}: {outcome} {answer}"
            assert time.monotonic() < deadline, f"{method} {path}: {outcome} after {PATIENCE_SECONDS} s"
            # Not for the time that `Retry-After` names: more requests meet the fault.
            threading.Event().wait(RETRY_SECONDS)

    def _attempt(self, operation, method, path, body, key):
        begun = time.monotonic()
        headers = {"Accept": "application/json", "Idempotency-Key": key}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            self.connection = self.connection or http.client.HTTPConnection(
                "127.0.0.1", self.server.port, timeout=RESPONSE_SECONDS)
            self.connection.request(method, path, body and json.dumps(body), headers)
            response = self.connection.getresponse()
            outcome, answer = response.status, response.read()
            if "json" in (response.headers.get("Content-Type") or ""):
                answer = json.loads(answer)
        except (OSError, http.client.HTTPException) as error:
            if self.connection:
                self.connection.close()
            self.connection, outcome, answer = None, type(error).__name__, None
        ended = time.monotonic()
        self.history.record(Attempt(operation, ended, ended - begun, outcome, outcome in range(200, 300)))
        return outcome, answer


class Listener:
    """A page's live stream, which reconnects and resumes after its last event."""

    def __init__(self, server, person):
        self.server, self.token, self.person = server, person.token, person.id
        self.events, self.last_id, self.reconnections = [], None, 0
        self.connection, self.is_closed = None, threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self.thread.start()

    def _run(self):
        while not self.is_closed.is_set():
            with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
                self._read()
            self.reconnections += 1
            self.is_closed.wait(RETRY_SECONDS)

    def _read(self):
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=SILENCE_SECONDS)
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {self.token}"}
        if self.last_id:
            headers["Last-Event-ID"] = self.last_id
        try:
            self.connection.request("GET", "/events", headers=headers)
            response = self.connection.getresponse()
            if response.status == 200:
                self._parse(response)
        finally:
            self.connection.close()

    def _parse(self, lines):
        fields = {}
        for line in lines:
            name, _, value = line.decode().rstrip("\r\n").partition(":")
            if name:
                fields[name] = value.removeprefix(" ")
                continue
            self.last_id = fields.get("id", self.last_id)
            if "data" in fields:
                data = json.loads(fields["data"])
                self.events.append(Event(data["kind"], data["resource"], data["version"],
                                         "" if data["version"] else data["at"]))
            fields = {}

    def close(self):
        self.is_closed.set()
        if self.connection and (stream := self.connection.sock):
            # Closing it alone would wait until the response is read to its end.
            with contextlib.suppress(OSError):
                stream.shutdown(socket.SHUT_RDWR)
