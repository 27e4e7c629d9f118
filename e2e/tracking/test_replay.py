"""What would have come last month with other settings, listed before they are saved."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.items import HOME, north
from support.pages import words


def walked(person):
    """An item that arrived at Home and left it an hour ago, with a low battery and a gap of 30 hours before."""
    item = person.add_item("Bike")
    secret = person.add_osmand_tracker(item)
    now = int(time.time())
    for before, metres in ((115_000, 500), (7_200, 500), (7_140, 500), (7_000, 20), (6_940, 20), (6_880, 20),
                           (3_600, 500), (3_540, 500)):
        person.report(secret, *north(metres), at=now - before, accuracy=5, batt=15)
    return item


@pytest.mark.spec("T-6-5-2")
def test_a_rule_lists_what_would_have_come_before_it_is_saved(engine, server, person, sign_in):
    someone = person()
    someone.call("POST", "/tracking/safe-places", {
        "name": "Home", "latitude": HOME[0], "longitude": HOME[1], "radiusMetres": 100}, expect=201)
    item = walked(someone)
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}/geofences/new")
    page.get_by_label(re.compile("^It arrives")).check()
    page.get_by_label("Wait").fill("1")
    button = page.get_by_role("button", name="Which alerts would have come last month?")
    button.click()
    found = page.locator("#replay")
    expect(found.get_by_text("Bike arrived at Home")).to_have_count(1)
    expect(found).to_contain_text("From 8 positions of the last 30 days.")
    page.get_by_label("Wait").fill("30")
    button.click()
    expect(found).to_contain_text("No alerts would have come.")
    expect(page.get_by_label("Wait")).to_have_value("30")
    assert someone.call("GET", f"/tracking/items/{item['id']}/geofences")["items"] == []
    page.get_by_label("Wait").fill("1")
    page.get_by_role("button", name=words("Save")).click()
    expect(page.get_by_role("link", name=re.compile("^Arrives at Home"))).to_be_visible()
