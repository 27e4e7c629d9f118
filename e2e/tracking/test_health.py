"""Alerts about the health of items: a low battery, a silent tracker, and a parked item that moves."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.items import north
from support.pages import words
from support.patience import wait_until
from support.push_service import PushService, push_phone, turn_on, wait_shown
from support.server import Person
from support.stored_clock import StoredClock


class Reporter:
    """An item whose tracker reports a position each second, in the past so that a test needs no pauses."""

    def __init__(self, person, name="Bike"):
        self.person = person
        self.item = person.add_item(name)
        self.secret = person.add_osmand_tracker(self.item)
        self.path = f"/tracking/items/{self.item['id']}"
        self.at = int(time.time()) - 3_000

    def is_parked_now(self):
        """The last position must be new when the item is parked, and later ones must come after it."""
        self.at = int(time.time()) - 30
        self.is_at(0)
        self.at = int(time.time())

    def is_at(self, metres, seconds=20, **fields):
        self.at += seconds
        self.person.report(self.secret, *north(metres), at=self.at, **{"accuracy": 5, **fields})

    def notified(self, kind):
        feed = self.person.call("GET", "/notifications", expect=200)["items"]
        return [entry for entry in feed if entry["kind"] == kind and entry["resource"] == self.path]


@pytest.mark.spec("T-6-4-1")
def test_low_battery_is_notified_once_per_discharge(engine, server, person, sign_in):
    someone = person()
    bike = Reporter(someone)
    page = sign_in(someone)
    page.goto("/notifications")
    for percent in (50, 20, 19, 30, 12):
        bike.is_at(0, batt=percent)
    expect(page.get_by_text(re.compile("battery of Bike is at 20"))).to_be_visible()
    assert len(bike.notified("batteryLow")) == 1
    for percent in (34, 18, 35, 21, 20):
        bike.is_at(0, batt=percent)
    assert len(bike.notified("batteryLow")) == 2


@pytest.fixture
def push():
    service = PushService()
    yield service
    service.close()


@pytest.mark.spec("T-6-4-1", "T-6-4-3")
def test_low_battery_and_a_moved_item_are_pushed(playwright, own_server, push, desktop):
    person = Person(own_server(environment=push.environment()))
    bike = Reporter(person)
    with push_phone(playwright, person, push, desktop=desktop) as page:
        turn_on(page, push)
        bike.is_at(0, batt=50)
        bike.is_at(0, batt=15)
        [message] = wait_shown(page)
        assert "Bike" in message["title"] and "15" in message["title"]
        bike.is_parked_now()
        person.call("PUT", f"{bike.path}/parking", expect=200)
        bike.is_at(400)
        bike.is_at(500)
        wait_until(lambda: len(bike.notified("itemMoved")) == 1)
        titles = [message["title"] for message in wait_shown(page)]
        assert any("500" in title and "parked" in title for title in titles)


@pytest.mark.spec("T-6-4-2")
def test_silence_beyond_the_hours_of_the_item_is_notified_once(own_server, sign_in):
    server = own_server()
    someone = Person(server)
    bike, bag = Reporter(someone), Reporter(someone, "Bag")
    page = sign_in(someone)
    page.goto(f"{bike.path}/edit")
    page.get_by_text(words("Advanced")).click()
    page.get_by_label("Notify when silent for").fill("2")
    page.get_by_role("button", name=words("Save")).click()
    page.wait_for_url(f"**{bike.path}")
    for item in (bike, bag):
        item.is_at(0)
    StoredClock(server)._change("UPDATE whereabouts SET last_seen_at = last_seen_at - 7201000")
    server.restart()
    wait_until(lambda: len(bike.notified("itemSilent")) == 1, seconds=30)
    server.restart()
    page.goto("/notifications")
    expect(page.get_by_text("Bike has not reported for 2 hours")).to_have_count(1)
    assert len(bike.notified("itemSilent")) == 1
    assert bag.notified("itemSilent") == []


@pytest.mark.spec("T-6-4-3")
@pytest.mark.parametrize("script", [True, False])
def test_parked_item_that_moves_is_notified_once_and_no_longer_parked(engine, server, person, sign_in, script):
    someone = person()
    bike = Reporter(someone)
    bike.is_parked_now()
    page = sign_in(someone, java_script_enabled=script)
    page.goto(bike.path)
    switch = page.get_by_role("switch", name="Parked here")
    expect(switch).not_to_be_checked()
    switch.click()
    expect(switch).to_be_checked()
    bike.at = int(time.time())
    # Not farther than the inaccuracy of both positions and the margin explain; one wrong position proves nothing.
    for metres, accuracy in ((40, 5), (900, 500), (300, 5), (2, 5)):
        bike.is_at(metres, accuracy=accuracy)
    assert bike.notified("itemMoved") == []
    someone.report(bike.secret, *north(5_000), at=bike.at - 60)
    bike.is_at(320)
    bike.is_at(350)
    bike.is_at(390)
    assert len(bike.notified("itemMoved")) == 1
    if not script:
        page.reload()
    expect(switch).not_to_be_checked()
    assert someone.call("GET", bike.path)["parkedSince"] is None
