"""Families, children's devices, and actions of a child in the browser."""

import re
import uuid
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from support.pages import png, words
from support.server import Person
from support.stored_clock import StoredClock

BORN = "2017-05-12"


class Child:
    """A child's device as a script. Every call sends the bearer token that a sign-in code returned."""

    def __init__(self, server, answer):
        self.server = server
        self.id = answer["child"]["id"]
        self.token = answer["token"]

    def call(self, method, path, body=None, expect=None):
        # A purchase needs a key.
        key = {"Idempotency-Key": str(uuid.uuid4())} if method == "POST" else None
        status, _, answer = self.server.request(method, path, body, self.token, key)
        if expect is not None:
            assert status == expect, f"{method} {path}: {status} {answer}"
        return answer

    def tries(self, method, path, body=None):
        return self.server.request(method, path, body, self.token)[0]


class Household(Person):
    """A parent and the family's data."""

    def __init__(self, server, name="Paula"):
        super().__init__(server, name, app="family", dateOfBirth="1984-02-29")

    def child(self, name="Mia", **fields):
        return self.call("POST", "/family/children", {"name": name, "dateOfBirth": BORN, **fields}, expect=201)

    def chore(self, name="Dishes"):
        picture = self.picture()
        return self.call("POST", "/family/chores", {"name": name, "pictureId": picture}, expect=201)

    def picture(self):
        boundary = "homeward-boundary"
        head = (f'--{boundary}\r\nContent-Disposition: form-data; name="picture"; filename="p.png"\r\n'
                "Content-Type: image/png\r\n\r\n")
        body = head.encode() + png(64, 64) + f"\r\n--{boundary}--\r\n".encode()
        status, _, answer = self.server.request(
            "POST", "/pictures", body, self.token, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        assert status == 201, (status, answer)
        return answer["id"]

    def contract(self, child, maximum=10, levels=(("Ice cream", 3), ("Cinema", 3), ("Zoo", 4))):
        body = {"maxPoints": maximum, "levels": [{"reward": reward, "points": points} for reward, points in levels]}
        return self.call("POST", f"/family/children/{child['id']}/contracts", body, expect=201)

    def gives(self, child, chore, points):
        body = {"chores": [{"choreId": chore["id"], "points": points}]}
        return self.call("POST", f"/family/children/{child['id']}/assignments", body, expect=201)["items"][0]

    def code(self, child):
        return self.call("POST", f"/family/children/{child['id']}/sign-in-codes", {}, expect=201)

    def invitation(self):
        """Creates an invitation for another parent, with the password as proof."""
        return self.call("POST", "/family/invitations", {"password": self.password}, expect=201)

    def device(self, child):
        """Signs in a script as the child."""
        status, _, answer = self.server.request("POST", "/family/sign-in", {"code": self.code(child)["code"]})
        assert status == 201, (status, answer)
        return Child(self.server, answer)


@pytest.fixture
def home(server):
    """Paula with Mia (a bear) and Ben (a cat). The avatars are set, because the server would choose random ones and
    could choose the one that a test selects."""
    parent = Household(server)
    bear, cat = (one["id"] for one in parent.call("GET", "/pictures?builtin=true&limit=2", expect=200)["items"])
    return SimpleNamespace(parent=parent, mia=parent.child("Mia", theme="ocean", avatarPictureId=bear),
                           ben=parent.child("Ben", avatarPictureId=cat))


def sign_in_by_link(page, code, name):
    """Opens the link like the phone's camera does, and confirms the child's name."""
    page.goto(code["url"])
    page.get_by_role("button", name=words(f"Sign in as {name}")).click()
    page.wait_for_url(re.compile("/family(/today)?$"))
    return page


def is_signed_in(page):
    return any("session" in cookie["name"] for cookie in page.context.cookies())


def own_card(page, child):
    return page.locator(f"article#child-{child['id']}")


def sibling_card(page, child):
    return page.locator(f"li#child-{child['id']}")


def open_tab(page, name):
    page.get_by_role("navigation").get_by_role("link", name=words(name)).click()


def sign_out_by_menu(page):
    """Opens the account page (bottom right), then the plus (top right), then Sign out."""
    tabs = page.get_by_role("navigation").get_by_role("link")
    expect(tabs.last).to_have_text(words("Account"))
    tabs.last.click()
    page.wait_for_url(re.compile("/family/account$"))
    plus = page.locator("header a.bar-icon")
    box, bar = plus.bounding_box(), page.viewport_size
    assert box["x"] > bar["width"] * 0.7 and box["y"] < 120, "the plus is not at the top right"
    plus.click()
    page.get_by_role("dialog").get_by_role("button", name=words("Sign out")).click()
    page.wait_for_url(re.compile("/sign-in"))


class Clock(StoredClock):
    """Advances a server's clock by making the stored times older."""

    def age_codes(self, seconds):
        assert self._change(
            "UPDATE family_code SET created_at = created_at - ?, expires_at = expires_at - ?",
            seconds * 1000, seconds * 1000)

    def set_streak(self, child, days):
        assert self._change("INSERT INTO family_streak (child_id, days, best_days, freezes) VALUES (?, ?, ?, 0)",
                            child["id"], days, days)
