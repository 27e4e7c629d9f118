"""Invalid input gets a clear error and changes nothing, and no secret reaches the log."""

import time

import pytest


@pytest.fixture
def owner(engine, person):
    someone = person()
    item = someone.add_item("Bag")
    secret = someone.add_osmand_tracker(item)
    return someone, item, secret


def fixes(someone, item):
    return someone.call("GET", f"/tracking/items/{item['id']}/fixes")["items"]


# The current time is inserted when a test runs, because each test process must generate the same test names.
@pytest.mark.parametrize("query", [
    "lat=91&lon=6&timestamp={now}", "lat=NaN&lon=6&timestamp={now}", "lat=50&lon=6&timestamp=1",
    "lat=50&lon=6&timestamp={next_year}", "lat=50&lon=6&timestamp={now}&valid=false", "lat=50&lon=6&timestamp=soon",
])
def test_impossible_fix_is_quarantined_with_its_reason(owner, query):
    someone, item, secret = owner
    now = int(time.time())
    query = query.format(now=now, next_year=now + 365 * 86_400)
    status, _, _ = someone.server.request("GET", f"/ingest/osmand?id={secret}&{query}")
    assert status == 200, "clients repeat an error for ever"
    assert fixes(someone, item) == []
    kept = someone.call("GET", "/tracking/quarantine")["items"]
    assert len(kept) == 1 and kept[0]["reason"]


def test_repeated_request_takes_effect_once(owner):
    someone, _, _ = owner
    key = {"Idempotency-Key": "9b2f6a52-5f0e-4a50-8a1c-1f6f5d6f2b11"}
    first = someone.call("POST", "/tracking/items", {"name": "Keys"}, headers=key)
    assert someone.call("POST", "/tracking/items", {"name": "Keys"}, headers=key)["id"] == first["id"]
    someone.call("POST", "/tracking/items", {"name": "Other keys"}, expect=409, headers=key)
    assert [item["name"] for item in someone.call("GET", "/tracking/items")["items"]] == ["Bag", "Keys"]


def test_another_accounts_item_gets_404(owner, person):
    someone, item, _ = owner
    stranger = person("Eve")
    for method, path, body in [
        ("GET", "", None), ("PATCH", "", {"name": "Mine"}), ("DELETE", "", None), ("GET", "/fixes", None),
        ("POST", "/commands", {"kind": "locate"}), ("GET", "/navigation", None), ("DELETE", "/tracker", None),
        ("PUT", "/tracker", {"code": "AAAA-AAAA-AAAA"}),
    ]:
        stranger.call(method, f"/tracking/items/{item['id']}{path}", body, expect=404)
    assert someone.call("GET", f"/tracking/items/{item['id']}")["name"] == "Bag"


def test_revoked_token_is_rejected(owner):
    someone, _, _ = owner
    someone.call("DELETE", "/session", expect=204)
    answer = someone.call("GET", "/tracking/items", expect=401)
    assert answer["error"]["code"] == "unauthenticated"


def test_log_contains_no_secret(owner):
    someone, _, secret = owner
    someone.server.request("GET", f"/ingest/osmand?id={secret}&lat=50&lon=6&timestamp={int(time.time())}")
    someone.server.request("POST", "/session", {"email": someone.email, "password": "wrong " + someone.password})
    log = someone.server.log_text()
    for word in (secret, someone.token, someone.password, someone.email):
        assert word not in log
