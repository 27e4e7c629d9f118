"""A replacement for Google's push service on loopback that works with Chromium's own push client, so that the browser
itself decrypts the server's messages:

* check-in and registration as Chromium implements them (google_apis/gcm/protocol/checkin.proto and
  google_apis/gcm/engine/registration_request.cc in https://chromium.googlesource.com/chromium/src);
* delivery over MCS, the connection that Chromium keeps open (google_apis/gcm/protocol/mcs.proto);
* the application server's interface: RFC 8030 with VAPID (RFC 8292) and the limits of
  https://firebase.google.com/docs/cloud-messaging, including 4096 bytes of payload.

    service = PushService()
    server = own_server(environment=service.environment())
    with push_phone(playwright, person, service) as page: turn_on(page)"""

import base64
import contextlib
import datetime
import http.server
import os
import queue
import re
import shutil
import socket
import ssl
import tempfile
import threading
import time
import urllib.parse

from support.patience import wait_until
from support.protobuf import bytes_field, fixed_field, number_field, read_varint, texts, varint

PAYLOAD_BYTES = 4096
LONGEST_SIGNATURE_SECONDS = 24 * 60 * 60
# Android id and security token, which a check-in returns. Any values work.
ANDROID_ID, SECURITY_TOKEN = 1234567890123456789, 987654321
# MCS tags.
PING, PING_RESPONSE, LOGIN, LOGIN_RESPONSE, MESSAGE = 0, 1, 2, 3, 8
# The messages that a browser reports as received when it logs in (received_persistent_id in mcs.proto's LoginRequest).
RECEIVED_IDS = 10


def from_base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Received:
    """A message posted by an application server."""

    def __init__(self, path, headers, body):
        self.token = path.rsplit("/", 1)[-1]
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.body = body
        self.at = time.monotonic()
        self.status = None


class PushService:
    """The push service. `received` holds every posted message, `answers` the next statuses to return instead of 201,
    `events` what happened when, for the message of a failed test."""

    def __init__(self):
        self.received = []
        self.events = []
        self.registrations = {}
        self.connected = threading.Event()
        self._answers = []
        self._arrivals = queue.Queue()
        self._connection = None
        self._count = 0
        # By id. After a lost connection the browser gets the messages that it doesn't report as received.
        self._messages = {}
        self._lock = threading.Lock()
        self._folder = tempfile.mkdtemp(prefix="homeward-push-")
        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        self._mcs = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, args=(self._certificate(),), daemon=True).start()

    # Methods for tests.

    @property
    def origin(self):
        return f"http://127.0.0.1:{self._http.server_port}"

    def environment(self):
        """The server settings that send messages to this service."""
        return {"HOMEWARD_PUSH_REWRITE": self.origin}

    def arguments(self):
        """Chromium's switches that connect its push client to this service."""
        return [
            f"--gcm-checkin-url={self.origin}/checkin", f"--gcm-registration-url={self.origin}/register",
            f"--gcm-mcs-endpoint=https://localhost:{self._mcs.getsockname()[1]}", "--ignore-certificate-errors",
        ]

    def answer(self, *statuses, headers=None):
        """Sets the statuses of the next responses, one each. Afterwards the status is 201 again."""
        with self._lock:
            self._answers += [(status, headers or {}) for status in statuses]

    def forget(self):
        """Removes the browser's subscriptions, as after clearing its data."""
        self.registrations.clear()
        self._messages.clear()

    def subscription(self, token=None):
        """Creates a subscription without a browser, so that a test can decrypt the messages: the JSON that a browser
        would send, the private key and the secret."""
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        token = token or f"own-{os.urandom(6).hex()}"
        key = ec.generate_private_key(ec.SECP256R1())
        public = key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        secret = os.urandom(16)

        def text(value):
            return base64.urlsafe_b64encode(value).rstrip(b"=").decode()

        self.registrations[token] = None
        described = {"endpoint": f"https://fcm.googleapis.com/fcm/send/{token}", "expirationTime": None,
                     "keys": {"p256dh": text(public), "auth": text(secret)}}
        return described, key, secret

    def record_event(self, event):
        self.events.append(f"{time.strftime('%X')} {event}")

    def next(self, seconds=10):
        """Waits for the next posted message and returns it."""
        return self._arrivals.get(timeout=seconds)

    def close(self):
        self._http.shutdown()
        self._mcs.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    # HTTP.

    def _handler(service):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def reply(self, status, body=b"", headers=None):
                self.send_response(status)
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.reply(404)

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path.startswith("/checkin"):
                    return self.reply(200, service._checked_in(), {"Content-Type": "application/x-protobuf"})
                if self.path.startswith("/register"):
                    return self.reply(200, service._registered(body), {"Content-Type": "text/plain"})
                received = Received(self.path, self.headers, body)
                received.status, headers = service._take(received)
                service.record_event(f"answered {received.status} for {received.token}")
                service.received.append(received)
                self.reply(received.status, headers=headers)
                service._arrivals.put(received)

        return Handler

    @staticmethod
    def _checked_in():
        return (number_field(1, 1) + number_field(3, int(time.time() * 1000)) + fixed_field(7, ANDROID_ID)
                + fixed_field(8, SECURITY_TOKEN) + bytes_field(11, b"v"))

    def _registered(self, body):
        fields = {name: values[0] for name, values in urllib.parse.parse_qs(body.decode()).items()}
        if fields.get("delete"):
            self.record_event(f"unregistered {fields.get('X-subtype')}")
            return b"deleted=" + fields.get("app", "").encode()
        token = f"token-{os.urandom(6).hex()}"
        self.registrations[token] = fields
        self.record_event(f"registered {fields.get('X-subtype')} as {token}")
        return b"token=" + token.encode()

    def _take(self, received):
        with self._lock:
            if self._answers:
                return self._answers.pop(0)
        if received.token not in self.registrations:
            return 410, {}
        registration = self.registrations[received.token]
        problem = self._problem(received, registration and registration["sender"])
        if problem:
            return problem, {}
        if registration:
            self._deliver(registration, received)
        return 201, {"Location": f"{self.origin}/message/{len(self.received)}"}

    @staticmethod
    def _problem(received, sender):
        """Returns the error that Google sends for an invalid message."""
        if not re.fullmatch(r"\d+", received.headers.get("ttl", "")):
            return 400
        if received.headers.get("content-encoding") != "aes128gcm":
            return 400
        if len(received.headers.get("topic", "")) > 32:
            return 400
        if len(received.body) > PAYLOAD_BYTES:
            return 413
        try:
            claims, key = read_vapid(received.headers.get("authorization", ""))
        except Exception:  # noqa: BLE001  (any unreadable header is an invalid one)
            return 403
        origin_is_right = claims.get("aud") in ("https://fcm.googleapis.com", "https://jmt17.google.com")
        left = claims.get("exp", 0) - time.time()
        if sender is not None and key.rstrip("=") != sender.rstrip("="):
            return 403
        return None if origin_is_right and 0 < left <= LONGEST_SIGNATURE_SECONDS and "sub" in claims else 403

    # MCS.

    def _certificate(self):
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        now = datetime.datetime.now(datetime.UTC)
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
            .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=30))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False).sign(key, hashes.SHA256())
        )
        path = os.path.join(self._folder, "localhost.pem")
        with open(path, "wb") as file:
            file.write(key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
            file.write(certificate.public_bytes(serialization.Encoding.PEM))
        return path

    def _accept(self, certificate):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        while True:
            try:
                accepted = self._mcs.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._talk, args=(context, accepted), daemon=True).start()

    def _talk(self, context, accepted):
        # In a thread, because a silent client must not block others.
        try:
            connection = context.wrap_socket(accepted, server_side=True)
        except OSError as error:
            self.record_event(f"no connection: {error}")
            return

        def read(count):
            got = b""
            while len(got) < count:
                more = connection.recv(count - len(got))
                if not more:
                    raise EOFError
                got += more
            return got

        try:
            version = read(1)
            while True:
                tag = read(1)[0]
                content = read(read_varint(read))
                if tag == LOGIN:
                    said = (bytes_field(1, b"login-1") + number_field(5, 1)
                            + number_field(8, int(time.time() * 1000)))
                    connection.sendall(version + bytes([LOGIN_RESPONSE]) + varint(len(said)) + said)
                    self._connect(connection, texts(content, RECEIVED_IDS))
                elif tag == PING:
                    with self._lock:
                        connection.sendall(bytes([PING_RESPONSE, 0]))
        except (EOFError, OSError) as error:
            self.record_event(f"connection ended: {error!r}")

    def _connect(self, connection, known):
        self.record_event(f"connected, knows {known}")
        with self._lock:
            self._connection = connection
            for message in (frame for name, frame in self._messages.items() if name not in known):
                connection.sendall(message)
        self.connected.set()

    def _deliver(self, registration, received):
        with self._lock:
            self._count += 1
            name = f"0:{self._count}"
        extras = {"subtype": registration["X-subtype"], "content-encoding": received.headers["content-encoding"]}
        message = (
            bytes_field(3, registration["sender"].encode()) + bytes_field(5, registration["app"].encode())
            + b"".join(bytes_field(7, bytes_field(1, name.encode()) + bytes_field(2, value.encode()))
                       for name, value in extras.items())
            + bytes_field(9, name.encode()) + number_field(17, 60)
            + number_field(18, int(time.time() * 1000)) + bytes_field(21, received.body)
        )
        frame = bytes([MESSAGE]) + varint(len(message)) + message
        with self._lock:
            self._messages[name] = frame
            try:
                if self._connection:
                    self._connection.sendall(frame)
            except OSError as error:
                self.record_event(f"not sent: {error!r}")


def read_vapid(header):
    """Returns the claims of an Authorization header and its key. Fails if the signature is wrong (RFC 8292, 3)."""
    from joserfc import jwt
    from joserfc.jwk import ECKey

    assert header.startswith("vapid "), header
    fields = dict(part.strip().split("=", 1) for part in header.removeprefix("vapid ").split(","))
    raw = from_base64url(fields["k"])
    assert len(raw) == 65 and raw[0] == 4

    def text(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()

    key = ECKey.import_key({"kty": "EC", "crv": "P-256", "x": text(raw[1:33]), "y": text(raw[33:])})
    return jwt.decode(fields["t"], key, algorithms=["ES256"]).claims, fields["k"]


# A phone with a push-capable browser.


@contextlib.contextmanager
def push_phone(playwright, person, service, allowed=True, desktop=None, **options):
    """Opens a signed-in phone with its own profile, which a push subscription requires, and yields its page. `allowed`
    is the answer to the permission prompt. `desktop` shows the notifications, for tests that tap them."""
    from conftest import ARGUMENTS, CHROMIUM

    folder = tempfile.mkdtemp(prefix="homeward-profile-")
    settings = {**playwright.devices["Pixel 7"], "base_url": person.server.url, "locale": "en-GB", **options}
    settings.pop("default_browser_type", None)
    context = playwright.chromium.launch_persistent_context(
        folder, executable_path=CHROMIUM, headless=True, args=[*ARGUMENTS, *service.arguments()],
        env={**os.environ, **(desktop.environment() if desktop else {})}, **settings)
    try:
        if allowed:
            context.grant_permissions(["notifications"], origin=person.server.url)
        page = context.pages[0]
        page.push_service = service
        record_displays(page)
        page.goto("/sign-in")
        page.get_by_label(re.compile("email", re.I)).fill(person.email)
        page.get_by_label(re.compile("^password", re.I)).fill(person.password)
        page.get_by_role("button", name=re.compile("^sign in$", re.I)).click()
        page.wait_for_url(lambda url: "/sign-in" not in url)
        yield page
    finally:
        context.close()
        shutil.rmtree(folder, ignore_errors=True)


def turn_on(page, service):
    """Turns notifications on in the page and waits until the browser's push client is ready."""
    from playwright.sync_api import expect

    page.goto("/account/notifications")
    page.get_by_role("button", name="Turn on notifications").click()
    expect(page.get_by_text("Notifications are on")).to_be_visible(timeout=30_000)
    # After a failed first try the client waits ten seconds, and longer each time.
    assert service.connected.wait(60), "Chromium's push client did not connect"


SHOWN = """() => navigator.serviceWorker.ready.then((registration) => registration.getNotifications()).then(
    (all) => all.map(({ title, body, tag, lang, data, actions }) => ({
        title, body, tag, lang, data, actions: actions.map(({ action, title }) => ({ action, title })),
    })))"""


def shown(page):
    """Returns the notifications that the browser currently shows."""
    return page.evaluate(SHOWN)


def record_displays(page):
    """Records in `page.displays` when the browser displays a notification; `wait_shown` takes the times from there
    (https://chromedevtools.github.io/devtools-protocol/tot/BackgroundService)."""
    page.displays = []
    session = page.context.new_cdp_session(page)

    def record(message):
        event = message["backgroundServiceEvent"]
        if event["eventName"] == "Notification displayed":
            page.displays.append(event["timestamp"])

    session.on("BackgroundService.backgroundServiceEventReceived", record)
    session.send("BackgroundService.startObserving", {"service": "notifications"})
    session.send("BackgroundService.setRecording", {"service": "notifications", "shouldRecord": True})


def wait_shown(page, seconds=120):
    """Waits until the browser displays the next notification, and returns those that it shows. (Its push client
    reconnects half a minute or more after a lost connection.)

    Reading them must wait for the display: Chromium forgets a notification that is read after it was stored and before
    it is displayed (DoReadAllNotificationDataForServiceWorkerRegistration in
    content/browser/notifications/platform_notification_context_impl.cc)."""
    wait_until(lambda: page.displays, seconds, lambda: f"nothing after {page.push_service.events}",
               pause=lambda: page.wait_for_timeout(50))
    page.displays.pop(0)
    return wait_until(lambda: shown(page), otherwise="the notification is not shown",
                      pause=lambda: page.wait_for_timeout(50))
