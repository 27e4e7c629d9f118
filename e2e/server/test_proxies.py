"""The reverse-proxy configurations of packaging/proxies."""

import json
import shutil
import signal
import ssl
import subprocess
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest
import yaml

from support.https import get, pair, register, until_ready
from support.patience import wait_until
from support.server import ROOT, Server, free_port

RECIPES = ROOT / "packaging" / "proxies"
SECRETS = ("/password-resets/the-secret", "/ingest/osmand?id=the-secret", "/ingest/hologram/the-secret")


@pytest.fixture
def certificate(tmp_path):
    return pair(tmp_path / "certificate")


@pytest.fixture
def server():
    server = Server(environment={"HOMEWARD_TRUSTED_PROXIES": "127.0.0.1", "HOMEWARD_REGISTRATIONS_PER_HOUR": "2"})
    try:
        yield server
    finally:
        server.close()


def adapted(name, *changes):
    """Returns a recipe with the addresses and paths of a test."""
    recipe = (RECIPES / name).read_text()
    for written, ours in changes:
        assert written in recipe, written
        recipe = recipe.replace(written, ours)
    return recipe


@contextmanager
def running(command, log, end=signal.SIGTERM, **options):
    with open(log, "ab") as output:
        proxy = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options)
    try:
        yield
    finally:
        proxy.send_signal(end)
        try:
            proxy.wait(10)
        except subprocess.TimeoutExpired:
            proxy.kill()
            proxy.wait()


def status(ask):
    with pytest.raises(urllib.error.HTTPError) as refused:
        ask()
    return refused.value.code


def check(server, url, chain, folder):
    """Checks what each recipe promises. `folder` has the files that the proxy writes."""
    server.url = url
    server.environment["HOMEWARD_URL"] = url
    # `start` would connect to the proxy without its certificate.
    with open(server.log, "ab") as log:
        server.process = subprocess.Popen(
            [*server.program(), "serve"], env=server.environment, cwd=server.folder, stdin=subprocess.DEVNULL,
            stdout=log, stderr=log)
    until_ready(url, chain)
    token = register(url, chain)

    assert status(lambda: get(url, chain, "/metrics")) == 404
    assert server.request("GET", "/metrics")[0] == 200

    # An invented address of a client doesn't count: the third account of the hour is one too many.
    register(url, chain, "second@example.org", {"X-Forwarded-For": "203.0.113.7"})
    assert status(lambda: register(url, chain, "third@example.org", {"X-Forwarded-For": "203.0.113.8"})) == 429

    # An export that is imported may be larger than a photo. The server reads this one, and finds no archive in it.
    body = b'--x\r\nContent-Disposition: form-data; name="archive"; filename="a"\r\n\r\n' + bytes(12_000_000)
    assert status(lambda: get(url, chain, "/account/import", data=body + b"\r\n--x--\r\n", method="POST", headers={
        "Content-Type": "multipart/form-data; boundary=x", "Authorization": f"Bearer {token}"})) == 422

    # The live stream isn't buffered.
    context = ssl.create_default_context(cafile=str(chain))
    stream = urllib.request.urlopen(urllib.request.Request(
        f"{url}/events", headers={"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}),
        timeout=10, context=context)
    body = json.dumps({"name": "Keys"}).encode()
    get(url, chain, "/tracking/items", data=body, method="POST",
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
    seen = []
    while not any('"kind":"item"' in line.replace(" ", "") for line in seen):
        seen.append(stream.readline().decode())
    stream.close()

    # Addresses with secrets are not logged, with the server or without it.
    for path in SECRETS:
        assert 400 <= status(lambda path=path: get(url, chain, path)) < 500
    server.stop()
    for path in SECRETS:
        assert status(lambda path=path: get(url, chain, path)) == 502
    for log in folder.rglob("*"):
        assert not log.is_file() or b"the-secret" not in log.read_bytes(), log
    assert "the-secret" not in server.log_text()


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_recipe(certificate, server, tmp_path):
    key, chain = certificate
    port = free_port()
    recipe = adapted(
        "nginx.conf", ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), ("home.example.org", "localhost"),
        ("/etc/homeward/fullchain.pem", str(chain)), ("/etc/homeward/privkey.pem", str(key)),
        ("127.0.0.1:8080", f"127.0.0.1:{server.port}"), ("/var/log/nginx/homeward.log", str(tmp_path / "errors")))
    folders = "".join(
        f"{kind}_temp_path {tmp_path / kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(
        f"daemon off; master_process off; pid {tmp_path}/pid; error_log stderr;\nevents {{}}\n"
        # The surrounding configuration of a distribution's default file.
        f"http {{\naccess_log {tmp_path}/access;\n{folders}{recipe}}}\n")
    with running(["nginx", "-c", configuration, "-e", "stderr"], tmp_path / "log", signal.SIGQUIT):
        check(server, f"https://localhost:{port}", chain, tmp_path)


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
def test_caddy_recipe(certificate, server, tmp_path):
    key, chain = certificate
    port = free_port()
    configuration = tmp_path / "Caddyfile"
    # A certificate of our own, and no second port and no administration, which would be the system's.
    configuration.write_text(adapted(
        "Caddyfile", ("home.example.org {", f"localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {chain} {key}"),
        ("127.0.0.1:8080", f"127.0.0.1:{server.port}"),
        ("log default {", "admin off\n\tauto_https disable_redirects\n\tlog default {")))
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", configuration]
    with running(command, tmp_path / "log", env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}):
        check(server, f"https://localhost:{port}", chain, tmp_path)


def test_traefik_recipe_blocks_metrics_and_logs_no_requests():
    static = yaml.safe_load((RECIPES / "traefik.yaml").read_text())
    dynamic = yaml.safe_load((RECIPES / "traefik-homeward.yaml").read_text())
    assert static["providers"]["file"]["filename"].endswith("/homeward.yaml")
    assert "accessLog" not in static and static["log"]["level"] == "ERROR"
    entries = static["entryPoints"]
    assert all("forwardedHeaders" not in entry for entry in entries.values())
    http = dynamic["http"]
    for router in http["routers"].values():
        assert router["service"] in http["services"] and set(router["entryPoints"]) <= set(entries)
        assert set(router.get("middlewares", [])) <= set(http["middlewares"]) and router["tls"] == {}
    # Traefik's priority is the length of the rule.
    others, metrics = http["routers"]["homeward"], http["routers"]["homeward-metrics"]
    assert "Path(`/metrics`)" in metrics["rule"] and len(metrics["rule"]) > len(others["rule"])
    allowed = http["middlewares"]["this-computer"]["ipAllowList"]["sourceRange"]
    assert allowed == ["127.0.0.1/32", "::1/128"]
    assert not [middleware for middleware in http["middlewares"].values() if "buffering" in middleware]


@pytest.mark.spec("H-11")
@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
@pytest.mark.parametrize("trusted, found", [
    ("127.0.0.1", "The reverse proxy is trusted and names the clients."),
    ("192.0.2.1", "Requests come through a reverse proxy that isn’t trusted.")])
def test_the_doctor_examines_the_proxy(trusted, found, tmp_path):
    port = free_port()
    server = Server(environment={"HOMEWARD_TRUSTED_PROXIES": trusted, "HOMEWARD_URL": f"http://127.0.0.1:{port}"})
    configuration = tmp_path / "Caddyfile"
    configuration.write_text(
        f"{{\nadmin off\n}}\nhttp://127.0.0.1:{port} {{\nbind 127.0.0.1\nreverse_proxy 127.0.0.1:{server.port}\n}}\n")
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", configuration]
    try:
        server.start()
        with running(command, tmp_path / "log", env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}):
            wait_until(lambda: found in server.command("doctor").stdout, 20, lambda: server.command("doctor").stdout)
    finally:
        server.close()
