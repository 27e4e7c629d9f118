"""Why an alert was sent: the page with the compared positions, the rule and the settings."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.items import HOME, north
from support.pages import until, words


class Reporter:
    def __init__(self, person, name="Keys"):
        self.person = person
        self.item = person.add_item(name)
        self.secret = person.add_osmand_tracker(self.item)
        self.path = f"/tracking/items/{self.item['id']}"
        self.at = int(time.time()) - 1_000

    def is_at(self, *metres, **fields):
        for metre in metres:
            self.at += 20
            self.person.report(self.secret, *north(metre), at=self.at, **{"accuracy": 7, **fields})


@pytest.mark.spec("T-6-5-1")
def test_a_separation_is_explained_with_its_positions(engine, server, person, sign_in):
    someone, stranger = person(), person()
    keys = Reporter(someone)
    someone.is_at(*HOME, accuracy=9)
    keys.is_at(0, 120)
    page = sign_in(someone)
    page.goto("/notifications")
    page.get_by_role("link", name="Why this alert?").click()
    expect(page.get_by_role("heading", name="Why this alert?", level=1)).to_be_visible()
    expect(page.get_by_text("Keys was too far from your phone")).to_be_visible()
    expect(page.get_by_text(re.compile("It was 120.m from your device .+. Your limit for it was 10.m."))
           ).to_be_visible()
    expect(page.get_by_text(re.compile("set to “Every time”"))).to_be_visible()
    rows = page.locator("#compared li")
    expect(rows).to_have_count(2)
    latitude, longitude = north(120)
    expect(rows.nth(0)).to_contain_text(f"{latitude:.5f}, {longitude:.5f} · ±7")
    expect(rows.nth(1)).to_contain_text(f"{HOME[0]:.5f}, {HOME[1]:.5f} · ±9")
    # Two circles for the accuracy, and two marks.
    until(page, "() => document.querySelectorAll('#alert-map .map-accuracy').length === 2")
    until(page, "() => document.querySelectorAll('#alert-map .map-key').length === 2")
    roles = page.locator("#alert-map .map-key").evaluate_all("(marks) => marks.map((mark) => mark.dataset.role)")
    assert roles == ["item", "phone"]
    # The list has the same marks, and their shapes differ.
    shapes = page.locator("#compared .map-key").evaluate_all(
        "(marks) => marks.map((mark) => getComputedStyle(mark).borderRadius + getComputedStyle(mark).transform)")
    assert len(set(shapes)) == 2
    path = "/tracking/alerts/" + page.url.split("/")[-1]
    page.get_by_role("link", name=words("Settings of Keys")).click()
    page.wait_for_url(f"**{keys.path}/edit")
    # What was decided doesn't change with the settings.
    someone.call("PATCH", keys.path, {"settings": {"alertMetres": 500}}, expect=200)
    assert someone.call("GET", path, expect=200)["evidence"]["limitMetres"] == 10
    stranger.call("GET", path, expect=404)

    page.goto(keys.path)
    page.locator("#alerts").get_by_role("link", name=re.compile("too far from your phone")).click()
    page.wait_for_url(f"**{path}")
    someone.call("DELETE", keys.path, expect=204)
    someone.call("GET", path, expect=404)
