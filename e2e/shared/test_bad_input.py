"""Invalid input gets a clear error and changes nothing, and no secret reaches the log."""

import json
import struct
import time
import zlib

import pytest

from support.pages import png


@pytest.fixture
def owner(engine, person):
    someone = person()
    item = someone.add_item("Bag")
    secret = someone.add_osmand_tracker(item)
    return someone, item, secret


def fixes(someone, item):
    return someone.call("GET", f"/tracking/items/{item['id']}/fixes")["items"]


def multipart(content, name="p.png"):
    boundary = "homeward-test"
    head = f"--{boundary}\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"{name}\"\r\n\r\n".encode()
    body = head + content + f"\r\n--{boundary}--\r\n".encode()
    return body, {"Content-Type": f"multipart/form-data; boundary={boundary}"}


def png_of_zeros(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    packer = zlib.compressobj(9)
    row = b"\0" * (1 + (width + 7) // 8)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
            + chunk(b"IDAT", data) + chunk(b"IEND", b""))


@pytest.mark.parametrize("body, status, field", [
    ({"name": ""}, 422, "name"),
    ({"name": "x" * 51}, 422, "name"),
    ({}, 422, "name"),
    ({"name": 5}, 422, "name"),
    ({"name": "Keys", "pictureId": "not-an-id"}, 422, "pictureId"),
    ([1], 422, None),
    (b"{broken", 400, None),
    (b"", 400, None),
])
def test_invalid_item_is_rejected(owner, body, status, field):
    someone, _, _ = owner
    headers = {"Content-Type": "application/json"}
    code, _, answer = someone.server.request("POST", "/tracking/items", body, someone.token, headers)
    assert code == status, answer
    assert set(answer["error"]) == {"code", "message", "fields", "requestId"}
    assert field is None or list(answer["error"]["fields"]) == [field]
    assert len(someone.call("GET", "/tracking/items")["items"]) == 1


@pytest.mark.parametrize("settings, field", [
    ({"lostMetres": 0}, "settings.lostMetres"), ({"locateMinutes": 1441}, "settings.locateMinutes"),
    ({"walkMetres": -1}, "settings.walkMetres"), ({"alertMetres": "5"}, "settings.alertMetres"),
    ({"lostMetres": 1.5}, "settings.lostMetres"), ({"lostMetres": 2 ** 63}, "settings.lostMetres"),
])
def test_invalid_setting_is_rejected_by_name(owner, settings, field):
    someone, item, _ = owner
    answer = someone.call("PATCH", f"/tracking/items/{item['id']}", {"settings": settings}, expect=422)
    assert list(answer["error"]["fields"]) == [field]
    assert someone.call("GET", f"/tracking/items/{item['id']}")["settings"] == item["settings"]


@pytest.mark.parametrize("position", [
    {"latitude": 91, "longitude": 6}, {"latitude": 50, "longitude": -181}, {"latitude": "NaN", "longitude": 6},
    {"longitude": 6}, {"latitude": 50, "longitude": 6, "accuracy": -1},
    {"latitude": 50, "longitude": 6, "at": "yesterday"},
])
def test_invalid_phone_position_is_rejected(owner, position):
    someone, _, _ = owner
    someone.call("PUT", "/tracking/position", position, expect=422)


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


@pytest.mark.parametrize("content, status", [
    (b"not a picture", 422), (b"<svg xmlns='http://www.w3.org/2000/svg'/>", 422), (png()[:100], 422),
    (b"\xff\xd8\xff\xe0" + b"\0" * (10 * 1024 * 1024), 413),
], ids=["text", "drawing", "truncated", "too large"])
def test_file_that_is_not_a_picture_is_rejected(owner, content, status):
    someone, _, _ = owner
    body, headers = multipart(content, "photo.jpg")
    answer = someone.call("POST", "/pictures", body, expect=status, headers=headers)
    assert "picture" in answer["error"]["fields"]
    assert someone.call("GET", "/pictures")["items"] == []


def test_pictures_are_limited_by_pixels_not_bytes(owner):
    someone, _, _ = owner
    bomb = png_of_zeros(20_000, 20_000)
    assert len(bomb) < 1_000_000
    body, headers = multipart(bomb)
    someone.call("POST", "/pictures", body, expect=422, headers=headers)
    body, headers = multipart(png_of_zeros(7_000, 7_000))
    assert someone.call("POST", "/pictures", body, expect=201, headers=headers)["width"] == 7_000


def test_oversized_body_is_rejected_before_it_is_read(owner):
    someone, _, _ = owner
    body = json.dumps({"name": "x" * 20_000_000}).encode()
    code, _, answer = someone.server.request("POST", "/tracking/items", body, someone.token,
                                             {"Content-Type": "application/json"})
    assert code == 413 and answer["error"]["code"] == "too_large"


def test_wrong_content_type_is_reported(owner):
    someone, _, _ = owner
    code, _, answer = someone.server.request("POST", "/tracking/items", b"name", someone.token,
                                             {"Content-Type": "text/plain"})
    assert code == 415 and answer["error"]["code"] == "malformed"


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
