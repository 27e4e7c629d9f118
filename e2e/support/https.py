"""Certificates, and requests over HTTPS that trust them."""

import json
import ssl
import subprocess
import urllib.request

from support.patience import answers, wait_until


def pair(folder, name="localhost"):
    """Creates a certificate for localhost and its key."""
    folder.mkdir(exist_ok=True)
    key, chain = folder / "privkey.pem", folder / "fullchain.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", chain],
        check=True, capture_output=True)
    return key, chain


def get(url, chain, path, **options):
    context = ssl.create_default_context(cafile=str(chain))
    request = urllib.request.Request(f"{url}{path}",
                                     headers={"Accept": "application/json", **options.pop("headers", {})}, **options)
    with urllib.request.urlopen(request, timeout=10, context=context) as answer:
        return answer.status, answer.headers, answer.read()


def register(url, chain, email="tls@example.org", headers=None):
    body = json.dumps({"email": email, "password": "correct horse", "name": "Ada"}).encode()
    status, _, content = get(url, chain, "/accounts", data=body, method="POST",
                             headers={"Content-Type": "application/json", **(headers or {})})
    assert status == 201
    return json.loads(content)["token"]


def until_ready(url, chain):
    return wait_until(answers(lambda: get(url, chain, "/health/ready"), OSError), 30, "the server is not ready")
