"""Separation alerts: the notification, its button, safe places, and the choice of when to be notified."""

import datetime
import re
import time

import pytest
from playwright.sync_api import expect

from support.lock import heading, lock_now, set_passcode, unlock
from support.offline import go_offline, go_online, see
from support.pages import until, words
from support.patience import wait_until
from support.push_service import PushService, push_phone, shown, turn_on, wait_shown
from support.server import Person

HOME = (50.7753, 6.0839)
# A degree of latitude is 111,195 m.
METRE = 1 / 111_195
CLOSE_NOTIFICATIONS = """() => navigator.serviceWorker.ready.then((registration) => registration.getNotifications())
  .then((all) => all.forEach((notification) => notification.close()))"""


def north(metres):
    return HOME[0] + metres * METRE, HOME[1]


class TrackedItem:
    """An item whose tracker reports a position, one fix per second."""

    def __init__(self, person, name="Keys"):
        self.person = person
        self.item = person.add_item(name)
        self.secret = person.add_osmand_tracker(self.item)
        self.path = f"/tracking/items/{self.item['id']}"
        # In the past, so that several fixes fit into one second of the test.
        self.at = int(time.time()) - 120

    def is_at(self, metres, **fields):
        self.at += 1
        latitude, longitude = north(metres)
        self.person.report(self.secret, latitude, longitude, at=self.at, **fields)

    def alerts(self):
        feed = self.person.call("GET", "/notifications", expect=200)["items"]
        return [entry for entry in feed if entry["kind"] == "itemTooFar" and entry["resource"] == self.path]


@pytest.fixture
def push():
    service = PushService()
    yield service
    service.close()


@pytest.fixture
def push_server(own_server, push):
    return own_server(environment=push.environment())


def shows_details(page, keys):
    page.wait_for_url(f"**{keys.path}")
    expect(page.get_by_role("heading", name=words("Keys"), level=1)).to_be_visible()
    expect(page.get_by_text(re.compile("^too far since", re.I))).to_be_visible()


def shows_details_once_unlocked(page, keys):
    page.wait_for_url(re.compile("/lock[?]return=.*items"))
    expect(heading(page, "Locked")).to_be_visible()
    assert "Keys" not in page.content()
    unlock(page)
    shows_details(page, keys)


def warn(page, keys):
    """Brings the keys to the phone and away again, and waits for the notification."""
    keys.is_at(2)
    keys.is_at(111)
    wait_shown(page)


def turn_on_by_offer(page, person, keys, push):
    """Turns notifications on where the item's page offers them: with the first tracker, and with the first
    separation."""
    page.goto(keys.path)
    offer = page.get_by_role("region", name="Get a notification when you leave an item behind")
    expect(offer).to_be_visible()
    offer.get_by_role("button", name="Not now").click()
    expect(offer).to_be_hidden()
    page.reload()
    expect(page.get_by_role("heading", name=words("Keys"), level=1)).to_be_visible()
    expect(offer).to_be_hidden()
    person.is_at(*HOME)
    keys.is_at(111)
    page.reload()
    expect(offer).to_be_visible()
    offer.get_by_role("button", name="Turn on notifications").click()
    expect(offer).to_be_hidden(timeout=30_000)
    assert push.connected.wait(60), "Chromium's push client did not connect"


@pytest.mark.spec("T-4-1-1", "T-4-1-2")
def test_separation_sends_one_notification_with_a_button_to_the_details(
        playwright, push_server, push, desktop):
    person = Person(push_server)
    person.call("PATCH", "/tracking/alerts", {"mode": "everyTime"}, expect=200)
    keys = TrackedItem(person)
    with push_phone(playwright, person, push, desktop=desktop) as page:
        turn_on_by_offer(page, person, keys, push)
        assert len(keys.alerts()) == 1
        keys.is_at(0)
        keys.is_at(9)
        assert len(keys.alerts()) == 1

        keys.is_at(111)
        [message] = wait_shown(page)
        assert "Keys" in message["title"] and "111\u00a0m" in message["title"]
        latitude, longitude = north(111)
        assert f"{latitude:.5f}, {longitude:.5f}" in message["body"]
        seen = datetime.datetime.fromtimestamp(keys.at)
        assert f"{seen:%H:%M}" in message["body"]
        assert message["data"]["url"] == keys.path
        assert [action["action"] for action in message["actions"]] == ["open"]

        # One alert per separation, not per fix.
        for metres in (130, 400, 30, 11):
            keys.is_at(metres)
        assert len(keys.alerts()) == 2
        assert len(shown(page)) == 1

        page.goto("/")
        desktop.press("Open details")
        shows_details(page, keys)

        # Back to the phone and away again: the next separation.
        keys.is_at(2)
        expect(page.get_by_text(re.compile("^too far since", re.I))).to_be_hidden()
        keys.is_at(500)
        wait_shown(page)
        assert len(keys.alerts()) == 3

        # A tap on the notification itself does the same as its button.
        page.goto("/tracking/items")
        desktop.wait_shown()
        desktop.tap()
        shows_details(page, keys)
        desktop.wait_shown(0)

        # While the app is locked, its page shows nothing about the alert.
        warn(page, keys)
        set_passcode(person)
        lock_now(page)
        desktop.wait_shown()
        desktop.press("Open details")
        shows_details_once_unlocked(page, keys)
        desktop.wait_shown(0)

        # Like a page that is about to close.
        page.add_init_script(
            "navigator.serviceWorker.addEventListener('message', (event) => event.stopImmediatePropagation(), true);")
        page.goto("/tracking/items")
        warn(page, keys)
        desktop.wait_shown()
        with page.context.expect_page() as opened:
            desktop.press("Open details")
        shows_details(opened.value, keys)
        expect(page).to_have_url(re.compile("/tracking/items$"))


def pressed_with_no_page_open(page, desktop):
    """Presses the button while no page of the app is open, and returns the page that opens."""
    page.goto("about:blank")
    desktop.wait_shown()
    with page.context.expect_page() as opened:
        desktop.press("Open details")
    return opened.value


@pytest.mark.spec("T-4-1-2", "T-6-1-4")
def test_phone_without_an_open_page_forgets_an_unshared_item_and_opens_the_details_of_another(
        playwright, push_server, push, desktop):
    ada, ben = Person(push_server, "Ada"), Person(push_server, "Ben")
    bike = f"/tracking/items/{ada.add_item('Bike')['id']}"
    code = ada.call("POST", f"{bike}/invitations", {"access": "see"}, expect=201)["url"].rsplit("/", 1)[1]
    ben.call("POST", "/tracking/invitations", {"code": code}, expect=201)
    keys = TrackedItem(ben)
    ben.is_at(*HOME)
    with push_phone(playwright, ben, push, desktop=desktop) as page:
        turn_on(page, push)
        see(page, bike)
        page.goto("about:blank")
        ada.call("DELETE", f"{bike}/people/{ben.id}", expect=204)
        wait_until(lambda: page.displays, 120, "no notification", pause=lambda: page.wait_for_timeout(50))
        go_offline(page)
        page.goto(bike)
        expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
        go_online(page)
        # The page loads itself again.
        expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")
        page.goto("/account")
        wait_shown(page)
        page.evaluate(CLOSE_NOTIFICATIONS)
        desktop.wait_shown(0)

        warn(page, keys)
        opened = pressed_with_no_page_open(page, desktop)
        shows_details(opened, keys)
        desktop.wait_shown(0)
        opened.close()

        page.goto("/account")
        warn(page, keys)
        set_passcode(ben)
        lock_now(page)
        shows_details_once_unlocked(pressed_with_no_page_open(page, desktop), keys)


def test_safe_place_is_added_on_the_map_and_deleted(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone, geolocation={"latitude": HOME[0], "longitude": HOME[1]}, permissions=["geolocation"])
    page.goto("/tracking/safe-places/new")
    page.get_by_label("Name").fill("Home")
    page.get_by_role("button", name="Use this phone’s position").click()
    expect(page.get_by_label("Latitude")).to_have_value(f"{HOME[0]:.6f}")
    plan = page.get_by_role("region", name="Map of the safe place")
    expect(plan).to_have_attribute("data-has-place", "true")
    # A tap on the map moves the safe place.
    until(page, "() => document.querySelector('#place-map .map-accuracy') !== null")
    box = plan.bounding_box()
    plan.click(position={"x": box["width"] / 2 + 30, "y": box["height"] / 2})
    expect(page.get_by_label("Longitude")).not_to_have_value(f"{HOME[1]:.6f}")
    page.get_by_label("Radius").fill("80")
    page.get_by_role("button", name=words("Save")).click()
    page.get_by_role("link", name=re.compile("^home", re.I)).filter(has_text="80").click()
    page.get_by_role("button", name=words("Delete")).click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("Delete this safe place?")
    question.get_by_role("button", name=words("Delete")).click()
    expect(page.get_by_text("No safe places yet")).to_be_visible()
    assert someone.call("GET", "/tracking/safe-places")["items"] == []


@pytest.mark.spec("T-3-1-4", "T-4-1-1")
def test_marking_its_place_as_safe_shows_a_lost_item_as_apart_on_all_open_pages(person, sign_in):
    someone = person()
    someone.is_at(*HOME)
    keys = TrackedItem(someone)
    keys.is_at(300)
    item, items = sign_in(someone), sign_in(someone)
    item.goto(keys.path)
    items.goto("/tracking/items")
    for page in (item, items):
        expect(page.locator(".badge", has_text="Lost")).to_be_visible()
    expect(item.get_by_text(re.compile("^too far since", re.I))).to_be_visible()
    latitude, longitude = north(300)
    someone.call(
        "POST", "/tracking/safe-places", {"name": "Work", "latitude": latitude, "longitude": longitude}, expect=201)
    for page in (item, items):
        expect(page.locator(".badge", has_text="Apart")).to_be_visible()
    expect(item.get_by_text(re.compile("^too far since", re.I))).to_be_hidden()
    expect(items.locator(".card.is-lost")).to_have_count(0)
