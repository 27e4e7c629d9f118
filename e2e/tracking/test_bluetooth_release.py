"""A tracker without a network that is released while a phone is connected by Bluetooth: T-3-6-3."""

import re

import pytest
from playwright.sync_api import expect

from support.frames import kind_of
from support.pages import words
from support.pairing import LINKED, chromium, expect_free, expect_linked, owner, pair, path_of, stored, tracker
from support.patience import wait_until
from support.peripherals import DROP
from support.tracker_process import PATIENCE_SECONDS

# The report interval is so long that any quick message is the result of a request.
SELDOM = ("--poll", "3600", "--interval", "3600")
# The time in which a page that is left expects the confirmation (bluetooth.js).
PARTING_MILLISECONDS = 10_000
FREE = "The tracker is free, and can be paired again."
UNHEARD = re.compile("may not have heard yet that it was let go")


@pytest.fixture
def linked(owner, tracker):
    """A person with an item, on the page of its paired and connected tracker."""
    def make(*arguments):
        one = tracker(None, *(arguments or SELDOM))
        someone, item, page = owner("Keys", one.device)
        pair(page)
        expect_linked(page)
        wait_until(lambda: stored(someone, item)["state"] == "active", PATIENCE_SECONDS)
        return one, someone, item, page
    return make


def unpair(page):
    page.get_by_role("button", name=words("Unpair")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Unpair")).click()


def delete(page):
    page.get_by_role("link", name=re.compile("^delete", re.I)).click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_text(LINKED, exact=True)).to_be_visible(timeout=20_000)
    sheet.get_by_role("button", name=re.compile("^delete", re.I)).click()


def expect_new(someone, one, before):
    """Expects the tracker to be free with new keys, and the server to have forgotten the old ones."""
    wait_until(lambda: one.identity()["state"] == "unbound", PATIENCE_SECONDS)
    assert one.identity()["publicKey"] != before["publicKey"]
    assert one.identity()["id"] is None
    assert not is_awaited(someone, before)


def is_awaited(someone, identity):
    """Whether the server still waits for the release of the tracker with that identity."""
    status, _, _ = someone.server.request("POST", f"/trackers/{identity['id']}/messages", {})
    assert status in (401, 404)
    return status == 401


def kinds(one, since=0):
    return [kind_of(frame) for _, frame in one.device.passed[since:] if kind_of(frame)]


@pytest.mark.spec("T-3-6-3")
def test_unpairing_frees_a_connected_tracker_for_a_new_pairing(linked):
    # Busy with reports: the test of a deleted item has a tracker that only responds.
    one, someone, item, page = linked("--poll", "1", "--interval", "1")
    before, count = one.identity(), len(one.device.passed)
    unpair(page)
    expect(page.get_by_text(FREE)).to_be_visible()
    expect_new(someone, one, before)
    assert {"N", "U", "D", "F"} <= set(kinds(one, count)) and "K" not in kinds(one, count)
    expect_free(someone, item)
    page.goto(f"{path_of(item)}/tracker")
    page.chooser.name = one.device.name
    pair(page)
    expect_linked(page)
    assert stored(someone, item)["id"] == one.identity()["id"]


@pytest.mark.spec("T-3-6-1", "T-3-6-3")
def test_deleting_its_item_frees_a_connected_tracker_at_once(linked):
    one, someone, item, page = linked()
    before = one.identity()
    page.goto(path_of(item))
    expect_linked(page)
    page.get_by_role("link", name=words("Edit")).click()
    delete(page)
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    expect(page.get_by_text(FREE)).to_be_visible()
    expect_new(someone, one, before)
    assert someone.call("GET", "/tracking/items")["items"] == []


@pytest.mark.spec("T-3-6-3")
@pytest.mark.parametrize("where", ["", "/tracker"], ids=["details", "tracker"])
def test_connected_page_frees_a_tracker_released_elsewhere(linked, where):
    one, someone, item, page = linked()
    before = one.identity()
    page.goto(path_of(item) + where)
    expect_linked(page)
    someone.call("DELETE", path_of(item), expect=204)
    expect(page.get_by_role("heading", name=words("Items"), level=1)).to_be_visible()
    expect_new(someone, one, before)


@pytest.mark.spec("T-3-6-3")
def test_connection_lost_during_release_is_reported_and_the_next_pairing_frees_the_tracker(linked):
    one, someone, item, page = linked()
    before, heard = one.identity(), []

    def break_off(direction, frame):
        """Drops the connection after the tracker confirmed its release, before it may erase its data."""
        if direction == "in" and kind_of(frame) == "D" and b'"binding":null' in frame:
            heard.append(frame)
        return DROP if direction == "in" and len(heard) == 2 else frame

    one.device.passing = break_off
    unpair(page)
    expect(page.get_by_text(UNHEARD)).to_be_visible()
    one.device.passing = None
    wait_until(lambda: one.identity()["state"] == "releasing", PATIENCE_SECONDS)
    assert one.identity()["publicKey"] == before["publicKey"]
    expect_free(someone, item)
    assert not is_awaited(someone, before)
    page.goto(f"{path_of(item)}/tracker")
    page.chooser.name = one.device.name
    pair(page)
    expect_linked(page)
    assert one.identity()["publicKey"] != before["publicKey"]
    assert stored(someone, item)["id"] == one.identity()["id"]


@pytest.mark.spec("T-3-6-3")
def test_release_without_a_confirmation_is_checked_on_the_tracker(linked):
    one, someone, _, page = linked()
    before, withheld = one.identity(), []

    def withhold_confirmation(direction, frame):
        if kind_of(frame) != "F":
            return frame
        withheld.append(frame)

    one.device.passing = withhold_confirmation
    page.clock.install()
    unpair(page)
    expect(page.get_by_text("Letting the tracker go", exact=True)).to_be_visible()
    wait_until(lambda: withheld, PATIENCE_SECONDS, pause=lambda: page.wait_for_timeout(50))
    page.clock.fast_forward(PARTING_MILLISECONDS)
    expect(page.get_by_text(FREE)).to_be_visible(timeout=15_000)
    expect_new(someone, one, before)


@pytest.mark.spec("T-3-3-1")
def test_connected_tracker_without_a_known_distance_is_near(linked):
    _, _, item, page = linked()
    page.goto(path_of(item))
    expect_linked(page)
    shown = page.locator(".hero-distance")
    expect(shown).to_have_text("Near, by Bluetooth", use_inner_text=True)
    # Before its first position, a tracker that is disconnected has no distance that could be unknown.
    expect(page.locator("[data-fix-id]").first).to_be_attached()
    page.get_by_role("button", name=words("Disconnect")).click()
    expect(shown).to_have_text("Distance unknown", use_inner_text=True)
