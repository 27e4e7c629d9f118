"""An OpenID provider in a separate process: oidc-provider-mock with mandatory PKCE and the vendors'
particular behaviour: form_post responses, cancelling, hidden emails, and accounts without an email.

As a program: `provider.py PORT`. As a module: `Provider().start()`."""

import base64
import hashlib
import html
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

START_SECONDS = 20
PASSWORD = "what the vendor knows"
CLIENTS = {"apple": "org.example.homeward", "google": "google-client", "facebook": "1234567890", "oidc": "own-client"}
TEAM, KEY_ID, SECRET = "TEAM123456", "KEY1234567", "a secret that both know"
# The issuer has a different site than the server's `localhost`, like a vendor's, because cookies depend on the site.
HOST = "127.0.0.1"


class Provider:
    """The provider for tests. `add` creates users, all with the same password."""

    def __init__(self):
        from support.server import free_port

        self.folder = Path(tempfile.mkdtemp(prefix="homeward-provider-"))
        self.port = free_port()
        self.issuer = f"http://{HOST}:{self.port}"
        self.process = None

    def start(self):
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.generate_private_key(ec.SECP256R1())
        self.key_file = self.folder / "AuthKey.p8"
        self.key_file.write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        public = self.folder / "public.pem"
        public.write_bytes(key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, __file__, str(self.port), str(public)], stdin=subprocess.DEVNULL,
                stdout=log, stderr=log,
                env={**os.environ, "AUTHLIB_INSECURE_TRANSPORT": "1"})
        from support.patience import answers, wait_until

        def ask():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            urllib.request.urlopen(f"{self.issuer}/.well-known/openid-configuration", timeout=1).close()

        wait_until(answers(ask, urllib.error.URLError, ConnectionError, TimeoutError), START_SECONDS,
                   lambda: (self.folder / "log").read_text())
        return self

    def settings(self):
        """The server settings that use this provider under all four names."""
        environment = {"HOMEWARD_APPLE_TEAM_ID": TEAM, "HOMEWARD_APPLE_KEY_ID": KEY_ID,
                       "HOMEWARD_APPLE_KEY_FILE": str(self.key_file), "HOMEWARD_OIDC_NAME": "Our own"}
        for name, client in CLIENTS.items():
            environment[f"HOMEWARD_{name.upper()}_ISSUER"] = self.issuer
            environment[f"HOMEWARD_{name.upper()}_CLIENT_ID"] = client
            if name != "apple":
                environment[f"HOMEWARD_{name.upper()}_CLIENT_SECRET"] = SECRET
        return environment

    def add(self, login, **claims):
        """Adds a user who signs in with an email or a phone number. `claims` are the provider's statements about the
        user."""
        request = urllib.request.Request(
            f"{self.issuer}/users/{urllib.parse.quote(login)}", json.dumps(claims).encode(),
            {"Content-Type": "application/json"}, method="PUT")
        with urllib.request.urlopen(request, timeout=10):
            pass

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)


# The provider's process.

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><h1>{title}</h1>{problem}
<form method="post">
<p><label>Email or phone number <input name="sub" value="{login}"></label></p>
<p><label>Password <input name="password" type="password"></label></p>
{choices}
<p><button name="action" value="allow">Continue</button> <button name="action" value="deny">Cancel</button></p>
</form></html>"""
# The vendor asks for permission to share the email until it has it.
CHOICES = """<fieldset><legend>Email</legend>
<label><input type="radio" name="email" value="share"> Share My Email</label>
<label><input type="radio" name="email" value="hide"> Hide My Email</label></fieldset>"""


def serve(port, public_key):
    import warnings

    warnings.simplefilter("ignore")
    import flask
    import oidc_provider_mock as mock
    import oidc_provider_mock._app as inner
    from authlib import jose
    from authlib.oauth2.rfc6749.errors import InvalidClientError, InvalidGrantError, InvalidRequestError

    grant, challenges = inner.AuthorizationCodeGrant, {}
    save, validate = grant.save_authorization_code, grant.validate_token_request

    def save_strictly(self, code, request):
        data = request.payload.data
        if data.get("code_challenge_method") != "S256" or not data.get("code_challenge"):
            raise InvalidRequestError("PKCE S256 required")
        save(self, code, request)
        challenges[code] = data["code_challenge"]

    def validate_strictly(self):
        validate(self)
        form = self.request.form
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if challenges.pop(form.get("code"), None) != base64.urlsafe_b64encode(digest).rstrip(b"=").decode():
            raise InvalidGrantError("code_verifier does not match")
        if not is_client():
            raise InvalidClientError

    def is_client():
        client, secret = flask.request.form.get("client_id"), flask.request.form.get("client_secret")
        if client != CLIENTS["apple"]:
            basic = flask.request.authorization
            return SECRET in (secret, urllib.parse.unquote(basic.password) if basic else None)
        claims = jose.jwt.decode(secret, Path(public_key).read_bytes())
        claims.validate()
        wanted = {"iss": TEAM, "sub": client, "aud": f"http://{HOST}:{port}"}
        return claims.header["alg"] == "ES256" and claims.header["kid"] == KEY_ID and wanted.items() <= claims.items()

    grant.save_authorization_code, grant.validate_token_request = save_strictly, validate_strictly
    # The vendor requests consent every time.
    mock._storage.AuthorizationCode.get_auth_time = lambda self: int(time.time())
    # Vendor-specific scope names.
    inner._SCOPES_TO_CLAIMS["public_profile"] = inner._SCOPES_TO_CLAIMS["profile"]
    inner.Client.SCOPES_SUPPORTED += ("name", "public_profile")
    app = mock.app()
    # Claims by subject, from the first sign-in on.
    choices = {}

    def page(problem=""):
        vendor = next((name for name, client in CLIENTS.items() if client == flask.request.args.get("client_id")), "")
        login = flask.request.form.get("sub", "")
        return PAGE.format(
            title=f"{vendor.title()} of the tests", login=html.escape(login),
            choices=CHOICES if vendor == "apple" else "",
            problem=f"<p role=alert>{problem}</p>" if problem else "")

    @app.before_request
    def look_first():
        if flask.request.path != "/oauth2/authorize":
            return None
        if flask.request.method == "GET":
            return page()
        form = flask.request.form
        if form.get("action") == "deny":
            return None
        user = inner.storage.get_user(form.get("sub", ""))
        if user is None or form.get("password") != PASSWORD:
            return page("The password is wrong.")
        if flask.request.args.get("client_id") == CLIENTS["apple"]:
            choice = choices.get(user.sub) or form.get("email")
            if choice not in ("share", "hide"):
                return page("Choose whether to share your email.")
            flask.g.is_first = user.sub not in choices
            choices[user.sub] = choice
            flask.g.told = dict(user.claims)
            if choice == "hide":
                relay = hashlib.sha256(user.sub.encode()).hexdigest()[:10] + "@relay.example"
                inner.storage.store_user(inner.User(sub=user.sub, claims={**user.claims, "email": relay}))
        return None

    @app.after_request
    def answer_as_the_vendor_does(response):
        if flask.request.path != "/oauth2/authorize" or response.status_code not in (302, 303):
            return response
        parts = urllib.parse.urlsplit(response.location)
        fields = dict(urllib.parse.parse_qsl(parts.query))
        # RFC 6749, 4.1.2.1 requires the state in an error response, too.
        fields.setdefault("state", flask.request.args.get("state", ""))
        target = urllib.parse.urlunsplit(parts._replace(query=""))
        if flask.request.args.get("response_mode") != "form_post":
            response.location = f"{target}?{urllib.parse.urlencode(fields)}"
            return response
        if fields.get("error") == "access_denied":
            fields = {"error": "user_cancelled_authorize", "state": fields["state"]}
        elif flask.g.get("is_first") and "name" in flask.g.told:
            first, _, last = flask.g.told["name"].partition(" ")
            fields["user"] = json.dumps({"name": {"firstName": first, "lastName": last}})
        inputs = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in fields.items())
        return flask.make_response(
            f'<!doctype html><title>…</title><form method="post" action="{html.escape(target)}">{inputs}</form>'
            "<script>document.forms[0].submit()</script>")

    import wsgiref.simple_server

    class Quiet(wsgiref.simple_server.WSGIRequestHandler):
        def log_message(self, *arguments):
            pass

    wsgiref.simple_server.make_server(HOST, port, app, handler_class=Quiet).serve_forever()


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2])
