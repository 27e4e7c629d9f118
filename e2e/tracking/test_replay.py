"""What would have come last month with other settings, listed before they are saved."""

import re
import time
from datetime import UTC, datetime

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


def walked_away(owner, other):
    """An item of two people that their phones left behind by 60 m, a minute ago."""
    item = owner.add_item("Bike")
    secret = owner.add_osmand_tracker(item)
    made = owner.call("POST", f"/tracking/items/{item['id']}/invitations", {"access": "see"}, expect=201)
    other.call("POST", "/tracking/invitations", {"code": made["url"].rsplit("/", 1)[1]}, expect=201)
    now = int(time.time())
    for before, metres in ((180, 0), (120, 60), (60, 60)):
        owner.report(secret, *HOME, at=now - before, accuracy=5)
        for someone in (owner, other):
            latitude, longitude = north(metres)
            moment = datetime.fromtimestamp(now - before, UTC).isoformat().replace("+00:00", "Z")
            someone.call("PUT", "/tracking/position", {
                "latitude": latitude, "longitude": longitude, "accuracy": 5, "at": moment}, expect=204)
    return item


@pytest.mark.spec("T-6-5-3")
def test_separations_are_listed_with_other_settings(engine, server, person, sign_in):
    ada, ben = person(), person()
    item = walked_away(ada, ben)
    question = "Which alerts would have come last month?"
    title = "Bike was too far from your phone"
    page = sign_in(ada)
    page.goto(f"/tracking/items/{item['id']}/edit")
    page.get_by_text(words("Advanced")).click()
    found = page.locator("#replay")
    distance = page.get_by_label("Warn when farther away than")
    page.get_by_role("button", name=question).click()
    expect(found.get_by_text(title)).to_have_count(1)
    expect(found).to_contain_text("but not where your phone was")
    distance.fill("100")
    page.get_by_role("button", name=question).click()
    expect(found).to_contain_text("No alerts would have come.")
    expect(distance).to_have_value("100")
    assert ada.call("GET", f"/tracking/items/{item['id']}")["settings"]["alertMetres"] == 10

    page.goto("/tracking/alerts")
    page.get_by_role("button", name=question).click()
    for mode, count in (("Every time", 1), ("Only when sure", 0)):
        part = page.locator("section").filter(has=page.get_by_role("heading", name=mode))
        expect(part.get_by_text(title)).to_have_count(count)

    page.goto("/tracking/safe-places/new")
    page.get_by_label("Name").fill("Home")
    page.get_by_label("Latitude").fill(str(HOME[0]))
    page.get_by_label("Longitude").fill(str(HOME[1]))
    page.get_by_role("button", name=question).click()
    expect(found).to_contain_text("No alerts would have come.")
    assert ada.call("GET", "/tracking/safe-places")["items"] == []

    member = sign_in(ben)
    member.goto(f"/tracking/items/{item['id']}/people")
    member.get_by_label("Alert me beyond").fill("50")
    member.get_by_role("button", name=question).click()
    expect(member.locator("#replay").get_by_text(title)).to_have_count(1)
    member.get_by_label("Alert me beyond").fill("70")
    member.get_by_role("button", name=question).click()
    expect(member.locator("#replay")).to_contain_text("No alerts would have come.")
