"""Alerts about the health of items: a low battery, and a parked item that moves."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.items import north


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


@pytest.mark.spec("T-6-4-3")
def test_parked_item_that_moves_is_notified_once_and_no_longer_parked(engine, server, person, sign_in):
    someone = person()
    bike = Reporter(someone)
    bike.is_parked_now()
    page = sign_in(someone)
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
    expect(switch).not_to_be_checked()
    assert someone.call("GET", bike.path)["parkedSince"] is None
