"""HTTPS with certificate files, and the documented settings."""

import contextlib
import http.client
import json
import re
import signal
import socket
import ssl
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from support.https import get, pair, register, until_ready
from support.patience import wait_until
from support.server import BINARIES, ROOT, Server


@pytest.fixture
def certificate(tmp_path):
    return pair(tmp_path / "certificate")


def test_https_with_certificate_files(certificate):
    key, chain = certificate
    server = Server()
    url = f"https://localhost:{server.port}"
    server.environment |= {"HOMEWARD_URL": url, "HOMEWARD_TLS_CERTIFICATE": str(chain), "HOMEWARD_TLS_KEY": str(key)}
    server.process = subprocess.Popen(
        [*server.program(), "serve"], env=server.environment, cwd=server.folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _, headers, _ = until_ready(url, chain)
        assert "max-age" in headers["Strict-Transport-Security"]
        assert register(url, chain)
        # At the server's own address, for which the certificate isn't valid.
        assert server.command("health").returncode == 0
    finally:
        server.close()


@pytest.fixture
def https(tmp_path):
    """A server with certificate files that a test may replace."""
    key, chain = pair(tmp_path / "first", "first")
    server = Server()
    server.url = f"https://localhost:{server.port}"
    server.environment |= {
        "HOMEWARD_URL": server.url, "HOMEWARD_TLS_CERTIFICATE": str(chain), "HOMEWARD_TLS_KEY": str(key)}
    with open(server.log, "ab") as log:
        server.process = subprocess.Popen(
            [*server.program(), "serve"], env=server.environment, cwd=server.folder, stdin=subprocess.DEVNULL,
            stdout=log, stderr=log)
    try:
        until_ready(server.url, chain)
        yield server, key, chain
    finally:
        server.close()


def handshake(server, version=None):
    """Opens a TLS connection, with `version` only if given."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if version:
        # The client must allow the version, or it would refuse it itself.
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
    return context.wrap_socket(socket.create_connection(("127.0.0.1", server.port), timeout=10))


def shown(server):
    with handshake(server) as connection:
        return connection.getpeercert(binary_form=True)


def der(chain):
    return ssl.PEM_cert_to_DER_cert(chain.read_text())


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_only_tls_1_2_and_later_is_accepted(https):
    server, _, _ = https
    for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
        with pytest.raises(ssl.SSLError) as refusal:
            handshake(server, version).close()
        # The error must be the server's alert, not this client's own check.
        assert "ALERT_PROTOCOL_VERSION" in str(refusal.value).upper().replace(" ", "_")
    for version, name in ((ssl.TLSVersion.TLSv1_2, "TLSv1.2"), (ssl.TLSVersion.TLSv1_3, "TLSv1.3")):
        with handshake(server, version) as connection:
            assert connection.version() == name


def status(connection):
    connection.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
    response = http.client.HTTPResponse(connection)
    response.begin()
    response.read()
    return response.status


def test_sighup_loads_a_new_certificate_and_ignores_a_broken_one(https, tmp_path):
    server, key, chain = https
    first = der(chain)
    open_since_before = handshake(server)
    assert status(open_since_before) == 200
    assert shown(server) == first

    new_key, new_chain = pair(tmp_path / "second", "second")
    key.write_bytes(new_key.read_bytes())
    chain.write_bytes(new_chain.read_bytes())
    server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: shown(server) == der(new_chain), 10, "the new certificate is not used")
    assert status(open_since_before) == 200

    chain.write_text("no certificate")
    server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: "can't be used" in server.log_text(), 10, server.log_text)
    assert shown(server) == der(new_chain)
    assert status(open_since_before) == 200
    open_since_before.close()


def test_replaced_certificate_is_loaded_without_a_signal(https, tmp_path):
    server, key, chain = https
    new_key, new_chain = pair(tmp_path / "second", "second")
    key.write_bytes(new_key.read_bytes())
    chain.write_bytes(new_chain.read_bytes())
    wait_until(lambda: shown(server) == der(new_chain), 60, "the new certificate is not used")


def test_clients_without_http_2_are_served(https):
    server, _, _ = https
    for offer in ([], ["http/1.1"]):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if offer:
            context.set_alpn_protocols(offer)
        with context.wrap_socket(socket.create_connection(("127.0.0.1", server.port), timeout=10)) as connection:
            assert connection.selected_alpn_protocol() == (offer[0] if offer else None)
            assert status(connection) == 200


def streams(server, chain):
    """The number of open live streams."""
    return int(re.search(r"^homeward_live_listeners (\d+)$", get(server.url, chain, "/metrics")[2].decode(), re.M)[1])


@pytest.mark.parametrize("says_so", [True, False])
def test_a_live_stream_over_http_1_1_and_tls_ends_when_its_client_leaves(https, says_so):
    server, _, chain = https
    token = register(server.url, chain)
    connection = handshake(server)
    connection.sendall(f"GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    response = http.client.HTTPResponse(connection)
    response.begin()
    assert response.status == 200 and response.headers["Connection"] == "close"
    assert response.readline().startswith(b"retry:")
    assert streams(server, chain) == 1
    if says_so:
        # Sends the alert `close_notify` first.
        with contextlib.suppress(OSError):
            connection.unwrap()
    response.close()
    connection.close()
    wait_until(lambda: streams(server, chain) == 0, 10, lambda: f"{streams(server, chain)} streams")


def connections(server):
    """The number of connections that the server has."""
    rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(1 for row in map(str.split, rows) if row[1].endswith(f":{server.port:04X}") and row[3] == "01")


def test_page_files_and_live_stream_share_one_http_2_connection(https, phone):
    server, _, chain = https
    token = register(server.url, chain)
    page = phone(server, ignore_https_errors=True, service_workers="block")
    # The page opens the stream itself, so that the protocol is reported for it as well.
    page.add_init_script("delete window.SharedWorker")
    # Chromium splits the cookies of a request into several fields.
    page.context.add_cookies([{"name": "other", "value": "1", "url": server.url}])
    protocols = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.responseReceived", lambda event: protocols.update(
        {urllib.parse.urlsplit(event["response"]["url"]).path: event["response"]["protocol"]}))
    page.goto("/sign-in")
    assert page.evaluate("""async () => {
        const body = new URLSearchParams({ email: "tls@example.org", password: "correct horse" });
        return (await fetch("/session", { method: "POST", body, headers: { Accept: "text/html" } })).ok;
    }""")
    page.goto("/tracking")
    page.wait_for_function("() => document.documentElement.dataset.live === 'open'")
    assert len(protocols) > 5 and protocols["/events"] == "h2" and set(protocols.values()) == {"h2"}, protocols
    entries = page.evaluate("""() => performance.getEntries()
        .filter((entry) => "nextHopProtocol" in entry).map((entry) => [entry.name, entry.nextHopProtocol])""")
    assert any(name.endswith(".js") for name, _ in entries)
    assert {protocol for _, protocol in entries} == {"h2"}, entries
    wait_until(lambda: connections(server) == 1, 20, lambda: f"{connections(server)} connections")
    assert page.evaluate("document.documentElement.dataset.live") == "open"
    # A change arrives over the stream, and the page requests the new list over the same connection.
    get(server.url, chain, "/tracking/items", data=json.dumps({"name": "Keys"}).encode(), method="POST",
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
    page.get_by_text("Keys").first.wait_for()


def test_every_documented_setting_is_a_flag():
    documented = re.findall(r"\| `(--[a-z0-9-]+)` \|", (ROOT / "docs/settings.md").read_text())
    shown = subprocess.run([BINARIES / "homeward", "serve", "--help"], capture_output=True, text=True, timeout=60,
                           check=False)
    assert shown.returncode == 0
    assert len(documented) > 30
    assert [flag for flag in documented if not re.search(rf"^\s+{flag} <", shown.stdout, re.MULTILINE)] == []
