"""Chores that repeat, and *Today*: F-23 and F-24."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from support.children import home, sign_in_by_link
from support.family import field, press, score
from support.layout_checks import flaws
from support.pages import toast, words

CHECK_MILLISECONDS = 5_000  # the interval at which an open page checks whether a chore is due


def today():
    return datetime.datetime.now(datetime.UTC).date()


def open_schedule(page, chore):
    page.goto(f"/family/chores/{chore['id']}/edit")
    page.get_by_role("link", name=re.compile("^Repeats")).click()
    expect(page.get_by_role("heading", name=words("Repeats"), level=1)).to_be_visible()


def choose(page, *children, repeats=None, time=None):
    if children:
        # All children are chosen at first.
        for switch in page.locator("[name=childIds]").all():
            switch.uncheck()
    for child in children:
        page.get_by_role("switch", name=words(child)).check()
    if repeats:
        page.get_by_role("radio", name=words(repeats)).check()
    if time:
        page.get_by_role("radio", name=words("By a time of your choice")).check()
        field(page, "Due by").fill(time)


def summary(page):
    return page.get_by_role("link", name=re.compile("^Repeats"))


def set_schedule(parent, chore, *children, **fields):
    body = {"childIds": [child["id"] for child in children], "startsOn": str(today()), "rule": "FREQ=DAILY", **fields}
    return parent.call("PUT", f"/family/chores/{chore['id']}/schedule", body, expect=200)


def entries(person):
    return [(entry["state"], entry["name"]) for entry in person.call("GET", "/family/today", expect=200)["items"]]


def entry(page, chore):
    return page.locator("#today").get_by_role("listitem").filter(has_text=chore)


@pytest.mark.spec("F-23-N", "F-24-N")
def test_a_chore_is_due_reported_and_counted(engine, server, home, sign_in, phone):
    dishes = home.parent.chore("Dishes")
    page = sign_in(home.parent)
    open_schedule(page, dishes)
    choose(page, "Mia", repeats="Every day")
    choose(page, time="23:59")
    press(page, "Save")
    expect(toast(page, "“Dishes”: Every day, by 23:59")).to_be_visible()
    expect(summary(page)).to_contain_text("Every day, by 23:59")
    page.goto("/family/today")
    expect(entry(page, "Dishes").first).to_contain_text("By 23:59")

    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    # A chore is due, so the child lands on *Today*.
    expect(child.get_by_role("heading", name=words("Today"), level=1)).to_be_visible()
    assert flaws(child) == []
    child.get_by_role("button", name=words("I have done “Dishes”")).click()
    expect(entry(child, "Dishes").first).to_contain_text("Waiting for a parent")
    expect(entry(page, "Dishes").first).to_contain_text("Waiting for a parent")
    page.get_by_role("button", name=words("Give 2 points for “Dishes”")).click()
    expect(entry(page, "Dishes").first).to_contain_text("Done")
    expect(entry(child, "Dishes").first).to_contain_text("+2")
    assert score(home.parent, home.mia) == (0, 2, 0)
    page.get_by_text("Next", exact=True).click()
    expect(page.locator(".family-today-next")).to_contain_text("Tomorrow, by 23:59")
    assert flaws(page) == []


@pytest.mark.spec("F-24-N", "F-24-B")
def test_today_turns_overdue_by_itself_and_the_focus_moves_to_the_next_chore(server, home, phone):
    for name in ("Cat", "Dishes", "Dog"):
        set_schedule(home.parent, home.parent.chore(name), home.mia, dueTime="12:00", timeZone="UTC")
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    page.clock.install()
    page.goto("/family/today")
    section = page.locator("#today")
    expect(section).to_have_attribute("data-live-until", re.compile(r"^\d{4}-\d\d-\d\dT"))
    before = section.get_attribute("data-live-until")
    # The time has come: the page asks the server again.
    with page.expect_response(lambda answer: answer.url.endswith("/family/today")):
        section.evaluate("element => { element.dataset.liveUntil = new Date(Date.now() - 1).toISOString() }")
        page.clock.fast_forward(CHECK_MILLISECONDS)
    expect(section).to_have_attribute("data-live-until", before)
    for name, following in (("Cat", "Dishes"), ("Dishes", "Dog")):
        page.get_by_role("button", name=words(f"I have done “{name}”")).press("Enter")
        expect(entry(page, name).first).to_contain_text("Waiting for a parent")
        expect(page.get_by_role("button", name=words(f"I have done “{following}”"))).to_be_focused()
        # A live update keeps it.
        home.parent.chore(f"After {name}")
        expect(page.get_by_role("button", name=words(f"I have done “{following}”"))).to_be_focused()


@pytest.mark.spec("F-44-N")
def test_a_date_of_a_chore_is_skipped(engine, server, home, sign_in):
    dishes = home.parent.chore("Dishes")
    set_schedule(home.parent, dishes, home.mia, home.ben, distribution="turns")
    page = sign_in(home.parent)
    page.goto(f"/family/chores/{dishes['id']}/schedule")
    dates = page.locator("#schedule-dates").get_by_role("listitem")
    expect(dates).to_have_count(6)
    second = "Ben" if "Mia" in dates.nth(0).inner_text() else "Mia"
    expect(dates.nth(1)).to_contain_text(second)
    assert flaws(page) == []
    dates.nth(0).get_by_role("button", name=re.compile("^Skip on")).click()
    expect(toast(page, "Skipped: the chore isn’t due on this day")).to_be_visible()
    expect(dates.nth(0)).to_contain_text("Skipped")
    # The turns of the other dates stay.
    expect(dates.nth(1)).to_contain_text(second)
    assert [state for state, _ in entries(home.parent) if state != "next"] == []
