"""Photos sent with a family's forms, as without scripts."""

import uuid

import pytest

from support.children import BORN, Household
from support.pages import png


def form(person, path, method="PATCH", **fields):
    """Sends a multipart form with a photo, and returns the status and the response."""
    boundary = "homeward-boundary"
    fields = {"name": "Mia", "dateOfBirth": BORN, "theme": "ocean", "avatarPictureId": "photo", **fields}
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
             for name, value in fields.items()]
    head = (f'--{boundary}\r\nContent-Disposition: form-data; name="picture"; filename="p.png"\r\n'
            "Content-Type: image/png\r\n\r\n")
    body = b"".join(parts) + head.encode() + png(64, 64) + f"\r\n--{boundary}--\r\n".encode()
    status, _, answer = person.server.request(
        method, path, body, person.token, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
    return status, answer


def photos(person):
    return person.call("GET", "/pictures", expect=200)["items"]


@pytest.mark.engines
def test_photo_is_stored_once_and_only_for_an_authorized_sender(engine, server):
    parent = Household(server)
    mia, ben = parent.child("Mia"), parent.child("Ben")
    stranger, brother = Household(server, "Eve"), parent.device(ben)
    path = f"/family/children/{mia['id']}"
    assert form(stranger, path)[0] == 404
    assert photos(stranger) == []
    assert form(brother, path)[0] == 403
    assert photos(brother) == []
    key = str(uuid.uuid4())
    answers = [form(parent, path, idempotencyKey=key) for _ in range(3)]
    assert [status for status, _ in answers] == [200, 200, 200]
    kept = photos(parent)
    assert [one["id"] for one in kept] == [answers[0][1]["avatarPictureId"]]
    assert {answer["avatarPictureId"] for _, answer in answers} == {kept[0]["id"]}
    key = str(uuid.uuid4())
    added = [form(parent, "/family/children", "POST", name="Leo", idempotencyKey=key) for _ in range(2)]
    assert [status for status, _ in added] == [201, 201]
    assert added[0][1]["id"] == added[1][1]["id"]
    assert len(photos(parent)) == 2


def test_own_photo_is_stored_once(engine, server):
    parent = Household(server)
    for path in ("/family/account", "/account"):
        before, key = len(photos(parent)), str(uuid.uuid4())
        for _ in range(2):
            status, answer = form(parent, path, name="Paula", dateOfBirth="1984-02-29", idempotencyKey=key)
            assert status == 200, answer
        assert len(photos(parent)) == before + 1


def test_a_child_deletes_a_photo_of_its_own(engine, server):
    parent = Household(server)
    mia, ben = parent.child("Mia"), parent.child("Ben")
    child, brother = parent.device(mia), parent.device(ben)
    path = f"/family/children/{mia['id']}"
    status, answer = form(child, path)
    assert status == 200, answer
    picture = answer["avatarPictureId"]
    # The photo is the current avatar.
    assert child.tries("DELETE", f"/pictures/{picture}") == 409
    builtin = parent.call("GET", "/pictures?builtin=true", expect=200)["items"][0]["id"]
    child.call("PATCH", path, {"avatarPictureId": builtin}, expect=200)
    assert brother.tries("DELETE", f"/pictures/{picture}") == 404
    child.call("DELETE", f"/pictures/{picture}", expect=204)
    assert photos(child) == []
