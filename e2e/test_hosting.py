"""HTTPS with certificate files, and the reverse-proxy recipe of docs/operating.md as it stands there."""

import json
import re
import shutil
import signal
import ssl
import subprocess
import urllib.request

import pytest

from support.patience import answers, wait_until
from support.server import ROOT, Server, free_port


@pytest.fixture
def certificate(tmp_path):
    key, chain = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", chain],
        check=True, capture_output=True)
    return key, chain


def get(url, chain, path, **options):
    context = ssl.create_default_context(cafile=str(chain))
    request = urllib.request.Request(f"{url}{path}", headers={"Accept": "application/json", **options.pop("headers", {})}, **options)
    with urllib.request.urlopen(request, timeout=10, context=context) as answer:
        return answer.status, answer.headers, answer.read()


def register(url, chain):
    body = json.dumps({"email": "tls@example.org", "password": "correct horse", "name": "Ada"}).encode()
    status, _, content = get(url, chain, "/accounts", data=body, method="POST", headers={"Content-Type": "application/json"})
    assert status == 201
    return json.loads(content)["token"]


def until_ready(url, chain):
    return wait_until(answers(lambda: get(url, chain, "/health/ready"), OSError), 30, "the server is not ready")


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
    finally:
        server.close()


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_the_nginx_recipe(certificate, tmp_path):
    key, chain = certificate
    server, port = Server(), free_port()
    url = f"https://localhost:{port}"
    server.environment |= {"HOMEWARD_URL": url, "HOMEWARD_TRUSTED_PROXIES": "127.0.0.1"}
    recipe = re.search(r"```nginx\n(.*?)```", (ROOT / "docs/operating.md").read_text(), re.S).group(1)
    for written, ours in [
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), ("home.example.org", "localhost"),
        ("/etc/homeward/fullchain.pem", str(chain)), ("/etc/homeward/privkey.pem", str(key)),
        ("127.0.0.1:8080", f"127.0.0.1:{server.port}"),
    ]:
        assert written in recipe
        recipe = recipe.replace(written, ours)
    folders = "".join(
        f"{kind}_temp_path {tmp_path / kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(
        f"daemon off; master_process off; pid {tmp_path}/pid; error_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{folders}{recipe}}}\n")
    nginx = subprocess.Popen(["nginx", "-c", configuration, "-e", "stderr"], stdin=subprocess.DEVNULL)
    try:
        server.start()
        until_ready(url, chain)
        token = register(url, chain)
        # The live stream arrives as it happens, through the proxy.
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
    finally:
        nginx.send_signal(signal.SIGQUIT)
        try:
            nginx.wait(10)
        except subprocess.TimeoutExpired:
            nginx.kill()
        server.close()
