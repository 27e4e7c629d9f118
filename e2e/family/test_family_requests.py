"""Requests for points: parents are notified and decide, and a child can withdraw a mistaken request."""

import re

import pytest
from playwright.sync_api import expect

from support.children import Household, home, sign_in_by_link
from support.family import score
from support.pages import words
from support.push_service import PushService, push_phone, turn_on, wait_shown


def ask(device, child, chore):
    path = f"/family/children/{child['id']}/requests"
    return device.call("POST", path, {"choreId": chore["id"]}, expect=201)


def feed(person):
    """Returns a person's notifications except those about children's sign-ins."""
    items = person.call("GET", "/notifications", expect=200)["items"]
    return [entry for entry in items if entry["kind"] != "childSignedIn"]


@pytest.fixture
def push():
    service = PushService()
    yield service
    service.close()


def test_a_parent_approves_from_the_notification(playwright, own_server, push, desktop):
    server = own_server(environment=push.environment())
    ada = Household(server, "Ada")
    mia, dishes, dog = ada.child("Mia"), ada.chore("Dishes"), ada.chore("Dog")
    device = ada.device(mia)
    with push_phone(playwright, ada, push, desktop=desktop) as page:
        turn_on(page, push)
        ask(device, mia, dishes)
        [notification] = wait_shown(page)
        assert notification["title"] == "Mia has done “Dishes”"
        assert notification["body"] == "Give 1, 2 or 3 points for “Dishes”, or decline."
        assert notification["actions"] == [
            {"action": "points-1", "title": "1 point"}, {"action": "points-2", "title": "2 points"}]
        page.goto(f"/family/children/{mia['id']}")
        desktop.press("2 points")
        # No page has to be opened, and the open one follows.
        expect(page.locator("#achievement")).to_contain_text("2")
        desktop.wait_shown(0)
        assert score(ada, mia) == (0, 2, 0)
        # The request is decided, so no notification about it remains.
        assert [entry["kind"] for entry in feed(ada)] == []
        assert [entry["title"] for entry in feed(device)] == ["Dishes: 2 points"]

        # Points that can't be given are reported.
        asked = ask(device, mia, dog)
        wait_shown(page)
        path = f"/family/children/{mia['id']}/requests/{asked['id']}"
        ada.call("DELETE", path, {"reason": "Still wet"}, expect=204)
        desktop.press("1 point")
        [told] = wait_shown(page)
        assert told["body"] == "Perhaps no points were given. Open this to check the request."
        assert score(ada, mia) == (0, 2, 0)
        page.goto("/")
        desktop.tap()
        # The request was decided, so its link leads to the child.
        page.wait_for_url(re.compile(f"/family/children/{mia['id']}$"))


def test_child_takes_a_request_back_until_a_parent_decides(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    page.goto(f"/family/children/{home.mia['id']}")
    tile = page.locator(f"#chore-{chore['id']}")
    tap = page.get_by_role("button", name="I have done “Dishes”")
    undo = page.locator("#toasts").get_by_role("button", name=words("Undo"))
    path = f"/family/children/{home.mia['id']}/requests"

    def waiting():
        return home.parent.call("GET", path, expect=200)["items"]

    tap.click()
    expect(tile).to_contain_text("Waiting for a parent")
    expect(tap).to_be_disabled()
    # A toast that is touched stays until the parent has decided.
    undo.hover()
    [asked] = waiting()
    assert [entry["kind"] for entry in feed(home.parent)] == ["choreRequested"]
    home.parent.call("POST", f"{path}/{asked['id']}/approval", {"points": 2}, expect=201)
    expect(undo).to_have_count(0)
    expect(tile).not_to_contain_text("Waiting for a parent")
    tap.click()
    expect(tile).to_contain_text("Waiting for a parent")
    undo.click()
    expect(tile).not_to_contain_text("Waiting for a parent")
    assert waiting() == []
    assert feed(home.parent) == []
    # Later, on the tile itself.
    tap.click()
    expect(tile).to_contain_text("Waiting for a parent")
    tile.get_by_role("button", name="Take back").click()
    expect(tile).not_to_contain_text("Waiting for a parent")
    expect(tap).to_be_enabled()
    assert waiting() == []
