"""Requests for points: parents are notified and decide, and a child can withdraw a mistaken request."""

import re

import pytest
from playwright.sync_api import expect

from support.children import Household, home, own_card, sign_in_by_link
from support.family import card, open_dashboard, press, score
from support.pages import toast, words
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
    mia, dishes = ada.child("Mia"), ada.chore("Dishes")
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


def test_points_that_a_notification_could_not_give_are_reported(playwright, own_server, push, desktop):
    server = own_server(environment=push.environment())
    ada = Household(server, "Ada")
    mia, dishes = ada.child("Mia"), ada.chore("Dishes")
    device = ada.device(mia)
    with push_phone(playwright, ada, push, desktop=desktop) as page:
        turn_on(page, push)
        asked = ask(device, mia, dishes)
        wait_shown(page)
        path = f"/family/children/{mia['id']}/requests/{asked['id']}"
        ada.call("DELETE", path, {"reason": "Still wet"}, expect=204)
        desktop.press("1 point")
        [told] = wait_shown(page)
        assert told["body"] == "Perhaps no points were given. Open this to check the request."
        assert score(ada, mia) == (0, 0, 0)
        page.goto("/")
        desktop.tap()
        # The request was decided, so its link leads to the child.
        page.wait_for_url(re.compile(f"/family/children/{mia['id']}$"))


def test_a_request_is_decided_on_the_dashboard_card(engine, server, home, sign_in):
    dishes, dog = home.parent.chore("Dishes"), home.parent.chore("Dog")
    device = home.parent.device(home.mia)
    page = sign_in(home.parent)
    open_dashboard(page)
    for chore in (dishes, dog):
        ask(device, home.mia, chore)
    mia = card(page, "Mia")
    expect(mia).to_contain_text("2 chores to approve")
    press(mia, "Give 3 points for “Dishes”")
    page.wait_for_url(re.compile("/family$"))
    expect(mia).to_contain_text("1 chore to approve")
    expect(mia).not_to_contain_text("Dishes")
    # One tap declines nothing yet.
    mia.get_by_role("link", name=words("Decline “Dog”")).click()
    expect(page.get_by_label("Reason (optional)")).to_be_visible()
    press(page.locator("#decline-form"), "Decline")
    page.wait_for_url(re.compile("/family$"))
    expect(mia).not_to_contain_text("to approve")
    assert score(home.parent, home.mia) == (0, 3, 0)
    assert {entry["title"] for entry in feed(device)} == {"Dishes: 3 points", "No points for “Dog”"}


def test_a_child_reads_why_a_request_was_declined(engine, server, home, sign_in):
    dishes = home.parent.chore("Dishes")
    device = home.parent.device(home.mia)
    asked = ask(device, home.mia, dishes)
    page = sign_in(home.parent)
    page.goto(f"/family/children/{home.mia['id']}/requests/{asked['id']}")
    expect(page.get_by_label("Reason (optional)")).to_be_hidden()
    page.get_by_text("Decline", exact=True).first.click()
    page.get_by_label("Reason (optional)").fill("x" * 201)
    press(page.locator("#decline-form"), "Decline")
    expect(page.get_by_text("Use at most 200 characters for the reason.")).to_be_visible()
    expect(page.get_by_label("Reason (optional)")).to_have_value("x" * 201)
    page.get_by_label("Reason (optional)").fill("Still wet")
    press(page.locator("#decline-form"), "Decline")
    page.wait_for_url(re.compile(f"/family/children/{home.mia['id']}$"))
    expect(toast(page, "“Dishes” declined")).to_be_visible()
    assert [(entry["title"], entry["body"]) for entry in feed(device)] == [
        ("No points for “Dishes”", "Paula: Still wet")]
    # The notification's link says that it is too late.
    page.goto(f"/family/children/{home.mia['id']}/requests/{asked['id']}")
    page.wait_for_url(re.compile(f"/family/children/{home.mia['id']}$"))


def test_child_withdraws_a_mistaken_request(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    own_card(page, home.mia).get_by_role("link", name=words("Mia")).click()
    tile = page.locator(f"#chore-{chore['id']}")
    tap = page.get_by_role("button", name="I have done “Dishes”")
    path = f"/family/children/{home.mia['id']}/requests"

    def waiting():
        return [one["name"] for one in home.parent.call("GET", path, expect=200)["items"]]

    tap.click()
    expect(tile).to_contain_text("Waiting for a parent")
    assert waiting() == ["Dishes"]
    assert [entry["kind"] for entry in feed(home.parent)] == ["choreRequested"]
    page.locator("#toasts").get_by_role("button", name=words("Undo")).click()
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


def test_child_is_notified_of_revoked_points_and_roles_see_their_kinds(engine, server, home, phone, sign_in):
    dishes = home.parent.chore("Dishes")
    booked = home.parent.gives(home.mia, dishes, 2)
    home.parent.call("DELETE", f"/family/children/{home.mia['id']}/assignments/{booked['id']}", expect=204)
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    page.goto("/notifications")
    expect(page.get_by_text("“Dishes”: 2 points taken back")).to_be_visible()
    page.goto("/account/notifications")
    kinds = page.get_by_role("switch")
    expect(kinds.and_(page.get_by_label("Points are taken back"))).to_be_checked()
    expect(page.get_by_label("A child asks for points")).to_have_count(0)
    parent = sign_in(home.parent)
    parent.goto("/account/notifications")
    expect(parent.get_by_label("A child asks for points")).to_be_checked()
    expect(parent.get_by_label("Points are taken back")).to_have_count(0)
