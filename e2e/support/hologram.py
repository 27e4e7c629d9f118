"""A replacement for Hologram's cloud on loopback.

It implements only what the vendor documents: docs.hologram.io (the REST API's introduction, "embedded APIs overview",
"data router: messages and topics") and the vendor's repository rest-api-docs (apiary.apib).

- `POST /api/1/devices/messages` passes bytes to a device's TCP port. Accepted does not mean delivered.
- `GET /api/1/csr/rdm` lists messages from devices, newest first, 25 per page, `startafter` for older ones.
- A socket accepts `{"k": device key, "d": text, "t": [topics]}` and two line ends, and responds `[0,0]`.
- Routes: each message is posted to webhooks and stored in buckets, with the text in base64.

A test can turn on the faults of a real cloud: lost, late and repeated messages."""

import base64
import contextlib
import datetime
import http.server
import json
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

MESSAGE_BYTES = 10_000
PAGE = 25
LISTEN_PORT = 4010
ANSWERS = {"ok": b"[0,0]", "unreadable": b"[2,0]", "unknown": b"[3,0]"}


class Device:
    def __init__(self, number, key, port):
        self.number = number
        self.key = key
        self.port = port
        self.reachable = True
        self.bytes = 0  # both directions: messages, the cloud's responses, commands


class Hologram:
    """The cloud with one account. `sent` holds the requested messages to devices, `received` the messages from
    devices."""

    API_KEY = "qbeV4s9IPkHsR1234567890112456"

    def __init__(self):
        self.devices = {}
        self.sent = []
        self.received = []
        self.webhooks = []
        self.buckets = []
        # Whether the API lists the messages from devices.
        self.keeps_log = True
        # While True, messages from devices wait here instead of going to the routes.
        self.holding = False
        self._held = []
        self._keys = []
        self._lock = threading.Lock()
        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self._socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    # Methods for tests.

    @property
    def url(self):
        return f"http://127.0.0.1:{self._http.server_port}/api/1"

    @property
    def socket_address(self):
        return f"127.0.0.1:{self._socket.getsockname()[1]}"

    def environment(self, **more):
        return {"HOMEWARD_HOLOGRAM_KEY": self.API_KEY, "HOMEWARD_HOLOGRAM_URL": self.url, **more}

    def add_device(self, port, number=None, key=None):
        """Adds a SIM card whose device listens at this loopback port instead of 4010."""
        number = number or 1_000_000 + len(self.devices)
        self.devices[number] = Device(number, key or f"KEY{number % 100_000:05}", port)
        return self.devices[number]

    def route_to_webhook(self, url):
        self.webhooks.append(url)

    def route_to_folder(self, folder):
        """Adds a route to a folder as the bucket."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)

        def put(key, content):
            # The object appears atomically, as in a bucket.
            path = folder / key
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = folder / f".{path.name}.draft"
            draft.write_bytes(content)
            draft.rename(path)

        self.buckets.append(put)

    def route_to_bucket(self, put):
        """Adds a route to a bucket, which `put(key, bytes)` writes."""
        self.buckets.append(put)

    def release(self):
        """Sends the held messages to the routes."""
        self.holding = False
        with self._lock:
            held, self._held = self._held, []
        for message in held:
            self._route(message)

    def repeat(self, message=None):
        """Sends a message to all routes again."""
        self._route(message or self.received[-1])

    def wait_sent(self, count=1, seconds=20):
        return self._wait(self.sent, count, seconds, "messages to devices")

    def wait_received(self, count=1, seconds=20):
        return self._wait(self.received, count, seconds, "messages of devices")

    @staticmethod
    def _wait(things, count, seconds, words):
        deadline = time.monotonic() + seconds
        while len(things) < count:
            assert time.monotonic() < deadline, f"only {len(things)} {words} within {seconds} s"
            threading.Event().wait(0.02)
        return things

    def close(self):
        self._http.shutdown()
        self._socket.close()

    # The REST API.

    def _handler(cloud):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status, content):
                body = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def refuse(self, status, error):
                self.answer(status, {"success": False, "error": error})

            def is_let_in(self):
                expected = base64.b64encode(f"apikey:{cloud.API_KEY}".encode()).decode()
                is_known = self.headers.get("Authorization") == f"Basic {expected}"
                if not is_known:
                    self.refuse(401, "Not authorized")
                return is_known

            def do_GET(self):
                if not self.is_let_in():
                    return
                path, _, query = self.path.partition("?")
                if path != "/api/1/csr/rdm":
                    return self.refuse(404, "Not found")
                parameters = {name: values[-1] for name, values in urllib.parse.parse_qs(query).items()}
                self.answer(200, cloud._page(parameters))

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if not self.is_let_in():
                    return
                if self.path != "/api/1/devices/messages":
                    return self.refuse(404, "Not found")
                try:
                    message = json.loads(body)
                except ValueError:
                    return self.refuse(400, "Invalid JSON")
                problem = cloud._problem(message)
                if problem:
                    return self.refuse(400, problem)
                self.answer(
                    200, {"success": True, "data": [cloud._take(number, message) for number in message["deviceids"]]})

        return Handler

    def _problem(self, message):
        """Checks the documented number and size limits strictly: `"port": "4010"` is refused."""
        numbers = message.get("deviceids")
        if not isinstance(numbers, list) or not all(
                type(number) is int and number in self.devices for number in numbers):
            return "deviceids must be numbers of devices of this account"
        if message.get("protocol") not in ("TCP", "UDP"):
            return "protocol must be TCP or UDP"
        if type(message.get("port")) is not int or not 1 <= message["port"] <= 65_535:
            return "port must be a number from 1 to 65535"
        if message.get("encrypted") is not False:
            return "this stand-in can't encrypt payloads, which is the default"
        text = message.get("base64data", "")
        if not text or len(text) > MESSAGE_BYTES:
            return "data must have 1 to 10,000 bytes"
        with contextlib.suppress(ValueError):
            base64.b64decode(text, validate=True)
            return None
        return "base64data is not base64"

    def _take(self, number, message):
        payload = base64.b64decode(message["base64data"])
        identifier = f"9a9e55f0-a167-4d9d-972e-{len(self.sent):012}"
        device = self.devices[number]
        self.sent.append((number, payload))
        if device.reachable and message["protocol"] == "TCP" and message["port"] == LISTEN_PORT:
            threading.Thread(target=self._hand_over, args=(device, payload), daemon=True).start()
        return {"deviceid": number, "messageid": identifier}

    @staticmethod
    def _hand_over(device, payload):
        address = ("127.0.0.1", device.port)
        with contextlib.suppress(OSError), socket.create_connection(address, timeout=5) as connection:
            connection.sendall(payload)
            device.bytes += len(payload)

    def _page(self, query):
        limit = int(query.get("limit", PAGE))
        with self._lock:
            found = list(reversed(self.received)) if self.keeps_log else []
        if "deviceid" in query:
            found = [one for one in found if one["device"] == int(query["deviceid"])]
        if "topicname" in query:
            found = [one for one in found if query["topicname"] in one["tags"]]
        if "timestart" in query:
            found = [one for one in found if one["at"] >= int(query["timestart"])]
        if "timeend" in query:
            found = [one for one in found if one["at"] <= int(query["timeend"])]
        if "startafter" in query:
            found = [one for one in found if one["id"] < int(query["startafter"])]
        page = found[:limit]
        continues = len(found) > limit
        return {
            "success": True, "limit": limit, "size": len(page), "continues": continues,
            **({"links": {"path": "/api/1/csr/rdm", "next": f"?startafter={page[-1]['id']}"}} if continues else {}),
            "lastid": page[-1]["id"] if page else 0, "data": [self._record(one) for one in page],
        }

    @staticmethod
    def _record(message):
        inner = {
            "received": when(message["at"], "%Y-%m-%dT%H:%M:%S+00:00"), "authtype": "devicekey",
            "tags": message["tags"],
            "data": base64.b64encode(message["text"].encode()).decode(), "record_id": f"record-{message['id']}",
            "device_id": message["device"], "device_name": "tracker", "source": message["device"],
        }
        return {
            "id": message["id"], "logged": when(message["at"], "%Y-%m-%d %H:%M:%S"), "expires": None, "orgid": 1,
            "deviceid": message["device"], "record_id": inner["record_id"], "device_metadata": None,
            "data": json.dumps(inner), "tags": message["tags"], "matched_rules": [],
        }

    # The devices' socket.

    def _accept(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._listen, args=(connection,), daemon=True).start()

    def _listen(self, connection):
        with contextlib.suppress(OSError), connection:
            connection.settimeout(10)
            got = b""
            while not got.endswith((b"\n\n", b"\r\r")):
                more = connection.recv(65_536)
                if not more:
                    return
                got += more
            connection.sendall(self._read(got))

    def _read(self, text):
        try:
            message = json.loads(text)
            key, data, topics = message["k"], message["d"], message.get("t", [])
        except (ValueError, KeyError):
            return ANSWERS["unreadable"]
        device = next((device for device in self.devices.values() if device.key == key), None)
        if device is None:
            return ANSWERS["unknown"]
        device.bytes += len(text) + len(ANSWERS["ok"])
        self.take_from(device, data, topics)
        return ANSWERS["ok"]

    def take_from(self, device, text, topics=("homeward",), at=None):
        """Handles a message from a device. A test may act as the device."""
        with self._lock:
            message = {"id": 1_000 + len(self.received), "at": int(at or time.time()), "device": device.number,
                       "tags": list(topics), "text": text}
            self.received.append(message)
            if self.holding:
                self._held.append(message)
                return message
        # The cloud responds to the device before its routes run.
        threading.Thread(target=self._route, args=(message,), daemon=True).start()
        return message

    # Routes.

    @staticmethod
    def routed(message):
        """Returns the documented body of a route."""
        return json.dumps({
            "received": when(message["at"], "%Y-%m-%dT%H:%M:%S.000000"), "authtype": "devicekey",
            "tags": [*message["tags"], f"_DEVICE_{message['device']}_"],
            "device": {"id": message["device"], "name": "tracker"}, "errorcode": 0, "source": str(message["device"]),
            "timestamp": "0", "data": base64.b64encode(message["text"].encode()).decode(),
        }).encode()

    def _route(self, message):
        body = self.routed(message)
        for put in self.buckets:
            with self._lock:
                self._keys.append(message["id"])
                key = f"{message['device']}/{when(message['at'], '%Y-%m-%dT%H:%M:%S')}-{len(self._keys)}.json"
            put(key, body)
        for url in self.webhooks:
            request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
            with contextlib.suppress(urllib.error.URLError, OSError):
                urllib.request.urlopen(request, timeout=10).close()


def when(seconds, form):
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime(form)
