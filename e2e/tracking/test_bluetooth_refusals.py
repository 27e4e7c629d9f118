"""Requests that a tracker refuses over Bluetooth: T-1-5-2."""

import base64
import json

import pytest

from support.bluetooth import Phone
from support.frames import kind_of, packed
from support.pairing import (
    again,
    chromium,
    expect_free,
    expect_linked,
    expect_problem,
    owner,
    pair,
    path_of,
    request_for,
    tracker,
)


@pytest.fixture
def asked(person, tracker):
    """A phone near a tracker, with a pairing request for its owner's item."""
    one, someone = tracker(), person()
    item = someone.add_item("Keys")
    phone = Phone(one.device)
    return someone, item, phone, request_for(someone, item, phone.identity())[0]


@pytest.mark.spec("T-1-5-2")
def test_tracker_binds_and_acknowledges(asked):
    someone, item, phone, request = asked
    before = phone.identity()
    assert (before["state"], before["id"]) == ("unbound", None)
    identity, body, _ = packed(request)
    kind, answer = phone.ask(request)
    assert kind == "A"
    said = json.loads(packed(answer)[1])
    assert (said["tracker"], said["state"]) == (identity, "bound")
    assert (said["binding"], said["challenge"]) == (json.loads(body)["binding"], json.loads(body)["challenge"])
    after = phone.identity()
    assert (after["state"], after["id"]) == ("bound", identity)
    assert after["challenge"] != before["challenge"], "spent"
    # The server has no binding until it learns of it.
    expect_free(someone, item)


def altered(content, place, by=1):
    return content[:place] + bytes([content[place] ^ by]) + content[place + 1:]


@pytest.mark.spec("T-1-5-2")
@pytest.mark.parametrize("spoil, reason", [
    (lambda request: b"", "malformed"),
    (lambda request: request[:60], "malformed"),
    (lambda request: request.replace(b'"version":1', b'"version":2'), "malformed"),
    (lambda request: request.replace(b'"expiresAt":"2', b'"expiresAt":"3'), "signature"),
    (lambda request: altered(request, len(request) - 1), "signature"),
    (lambda request: altered(request, 3), "foreign"),
], ids=["empty", "cut", "version", "longer life", "signature", "another tracker's"])
def test_malformed_or_wrongly_signed_request_is_rejected_with_a_reason(asked, spoil, reason):
    someone, item, phone, request = asked
    assert spoil(request) != request
    assert phone.ask(spoil(request)) == ("E", reason.encode())
    assert phone.identity()["state"] == "unbound"
    expect_free(someone, item)
    # The next valid request is accepted.
    assert phone.ask(request_for(someone, item, phone.identity())[0])[0] == "A"


@pytest.mark.spec("T-1-5-2")
def test_replayed_request_is_rejected(asked):
    _, _, phone, request = asked
    assert phone.ask(altered(request, len(request) - 1)) == ("E", b"signature")
    assert phone.ask(request) == ("E", b"replayed"), "its challenge is spent"
    phone.leave()
    phone = Phone(phone.device)
    phone.identity()
    assert phone.ask(request) == ("E", b"replayed"), "and not the next connection's"
    assert phone.identity()["state"] == "unbound"


@pytest.mark.spec("T-1-5-2")
def test_bound_tracker_rejects_another_owner_and_accepts_its_own_again(asked, person):
    someone, item, phone, request = asked
    _, answer = phone.ask(request)
    # The server doesn't know of the binding yet, and would allow another owner's request.
    stranger = person()
    theirs, _ = request_for(stranger, stranger.add_item("Bag"), phone.identity())
    assert phone.ask(theirs) == ("E", b"bound")
    assert phone.ask(request_for(someone, item, phone.identity())[0])[0] == "A"
    someone.call("PUT", f"{path_of(item)}/tracker", {"pairing": base64.b64encode(answer).decode()}, expect=200)
    asking = {name: phone.identity()[name] for name in ("publicKey", "codeHash", "challenge")}
    stranger.call("POST", f"{path_of(stranger.add_item('Bike'))}/registration", asking, expect=409)


@pytest.mark.spec("T-1-5-2")
def test_request_of_another_server_is_rejected(asked, own_server):
    from support.server import Person

    _, _, phone, request = asked
    assert phone.ask(request)[0] == "A"
    elsewhere = Person(own_server())
    theirs, _ = request_for(elsewhere, elsewhere.add_item("Mine"), phone.identity())
    assert phone.ask(theirs) == ("E", b"foreign")
    assert phone.identity()["state"] == "bound"


@pytest.mark.spec("T-1-5-2")
def test_page_shows_why_the_tracker_refused_and_a_retry_succeeds(owner, tracker):
    one = tracker()
    someone, item, page = owner("Keys", one.device)

    under_way = []

    def spoil(direction, frame):
        # The signature is at the end of the request.
        if direction == "in" and frame[0] & 0x80:
            under_way[:] = kind_of(frame)
        return altered(frame, len(frame) - 1) if direction == "in" and frame[0] & 0x40 and under_way == ["R"] else frame

    one.device.passing = spoil
    pair(page)
    expect_problem(page, "The tracker refused", "isn’t signed by the server that it knows")
    expect_free(someone, item)
    one.device.passing = None
    again(page)
    expect_linked(page)
