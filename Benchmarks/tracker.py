"""A minimal tracker that posts messages as docs/tracker-protocol.md specifies."""

import hashlib
import hmac
import json
import os
import secrets
from datetime import UTC, datetime

from nacl.bindings import crypto_scalarmult, crypto_scalarmult_base

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def time_text(seconds):
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


class Tracker:
    """Created by a first contact, and then paired with `item`."""

    def __init__(self, server, owner, item):
        private = os.urandom(32)
        public = crypto_scalarmult_base(private)
        code = "".join(secrets.choice(ALPHABET) for _ in range(12))
        status, _, answer = server.request("POST", "/trackers", {
            "publicKey": public.hex(), "codeHash": hashlib.sha256(code.encode()).hexdigest()})
        assert status == 201, (status, answer)
        self.id = answer["id"]
        servers = bytes.fromhex(answer["publicKey"])
        pseudorandom = mac(public + servers, crypto_scalarmult(private, servers))
        self.uplink = mac(pseudorandom, b"homeward-tracker-1 uplink\x01")
        self.downlink = mac(pseudorandom, b"homeward-tracker-1 downlink\x01")
        self.counter = 0
        self.path = f"/trackers/{self.id}/messages"
        owner.call("PUT", f"/tracking/items/{item['id']}/tracker", {"code": code}, expect=200)

    def message(self, times):
        """The next message with a fix for each of `times`, seconds since 1970: (body, headers)."""
        self.counter += 1
        fixes = [{"at": time_text(at), "latitude": 50.1, "longitude": 6.1, "accuracy": 5} for at in times]
        body = json.dumps({
            "version": 1, "counter": self.counter, "at": time_text(times[-1]), "state": "active", "mode": "cellular",
            "battery": 80, "fixes": fixes}, separators=(",", ":")).encode()
        signature = mac(self.uplink, b"homeward-uplink-1\n" + self.id.encode() + b"\n" + body).hex()
        return body, {"Content-Type": "application/json", "Homeward-Signature": signature}

    def check(self, body, signature):
        """Whether the server signed a response's body."""
        expected = mac(self.downlink, b"homeward-downlink-1\n" + self.id.encode() + b"\n" + body).hex()
        return hmac.compare_digest(expected, signature or "")
