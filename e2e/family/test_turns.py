"""Chores that one of several children does, and pauses: F-25, F-26 and F-27."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from support.children import Clock, home, sign_in_by_link
from support.family import field, press
from support.layout_checks import flaws
from support.pages import toast, words


def today():
    return datetime.datetime.now(datetime.UTC).date()


def share(parent, chore, distribution, *children, **fields):
    body = {"childIds": [child["id"] for child in children], "startsOn": str(today()), "rule": "FREQ=DAILY",
            "distribution": distribution, **fields}
    return parent.call("PUT", f"/family/chores/{chore['id']}/schedule", body, expect=200)


def due(person):
    items = person.call("GET", "/family/today", expect=200)["items"]
    return [(entry["childId"], entry["name"]) for entry in items if entry["state"] in ("due", "overdue")]


def entry(page, chore):
    return page.locator("#today").get_by_role("listitem").filter(has_text=chore)


def group(page, name):
    return page.locator("#today section.group").filter(has=page.get_by_role("heading", name=name))


@pytest.mark.spec("F-25-N")
def test_children_take_turns(engine, home, sign_in):
    dishes = home.parent.chore("Dishes")
    page = sign_in(home.parent)
    page.goto(f"/family/chores/{dishes['id']}/schedule")
    page.get_by_role("switch", name=words("Mia")).check()
    page.get_by_role("switch", name=words("Ben")).check()
    page.get_by_role("radio", name=re.compile("^Taking turns")).check()
    page.get_by_role("radio", name=words("Every day")).check()
    press(page, "Save")
    expect(toast(page, "“Dishes”: Every day; taking turns")).to_be_visible()
    page.goto("/family/today")
    expect(group(page, "Mia").get_by_role("button", name=words("Give 1 point for “Dishes”"))).to_be_visible()
    expect(group(page, "Ben")).to_contain_text("Nothing is due today.")
    group(page, "Ben").get_by_text("Next", exact=True).click()
    expect(group(page, "Ben")).to_contain_text("Tomorrow")
    assert flaws(page) == []


@pytest.mark.spec("F-26-N", "F-38-N")
def test_the_first_child_to_claim_a_chore_does_it(engine, server, home, phone):
    dishes = home.parent.chore("Dishes")
    share(home.parent, dishes, "first", home.mia, home.ben, offeredPoints=3)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    sibling = sign_in_by_link(phone(server), home.parent.code(home.ben), "Ben")
    for page in (child, sibling):
        page.goto("/family/today")
        expect(entry(page, "Dishes").first).to_contain_text("3 points")
    child.get_by_role("button", name=words("I’ll do “Dishes”")).click()
    expect(toast(child, "It’s your turn now")).to_be_visible()
    expect(child.get_by_role("button", name=words("I have done “Dishes”"))).to_be_visible()
    assert flaws(child) == []
    # The other page follows.
    expect(sibling.get_by_role("button", name=words("I’ll do “Dishes”"))).to_have_count(0)
    child.get_by_role("button", name=words("Give back “Dishes”")).click()
    sibling.get_by_role("button", name=words("I have done “Dishes”")).click()
    expect(entry(sibling, "Dishes").first).to_contain_text("Waiting for a parent")
    expect(child.get_by_role("button", name=words("I’ll do “Dishes”"))).to_have_count(0)


@pytest.mark.spec("F-27-N", "F-27-B")
def test_nothing_is_due_in_a_pause_and_turns_go_on(engine, server, home, sign_in, phone):
    dishes, bins = home.parent.chore("Dishes"), home.parent.chore("Bins")
    share(home.parent, dishes, "turns", home.mia, home.ben)
    share(home.parent, bins, "each", home.mia, home.ben)
    page = sign_in(home.parent)
    page.goto("/family/today")
    page.get_by_role("link", name=re.compile("^Pauses")).click()
    page.get_by_role("radio", name=words("Mia")).check()
    field(page, "Last day").fill(str(today() + datetime.timedelta(days=2)))
    press(page, "Pause")
    expect(toast(page, "The pause is planned")).to_be_visible()
    assert flaws(page) == []
    assert due(home.parent) == [(home.ben["id"], "Dishes"), (home.ben["id"], "Bins")]
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    child.goto("/family/today")
    expect(child.locator("#today")).to_contain_text("Pause until")
    assert flaws(child) == []
    page.get_by_role("button", name=re.compile("^End the pause: Mia")).click()
    expect(toast(page, "Chores are due again")).to_be_visible()
    expect(child.get_by_role("button", name=words("I have done “Bins”"))).to_be_visible()
    expect(child.locator("#today")).not_to_contain_text("Pause until")


@pytest.mark.spec("F-36-N")
def test_two_children_swap_with_a_parents_agreement(engine, server, home, sign_in, phone):
    dishes = home.parent.chore("Dishes")
    share(home.parent, dishes, "turns", home.mia, home.ben)
    page = sign_in(home.parent)
    page.goto("/family/today")
    mia = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    mia.get_by_role("link", name=words("Swap “Dishes”")).first.click()
    mia.locator("[name=turn]").first.check()
    mia.get_by_role("radio", name=re.compile("^Ben: Dishes")).check()
    assert flaws(mia) == []
    press(mia, "Ask")
    expect(toast(mia, "Ben was asked")).to_be_visible()
    swap = home.parent.call("GET", "/family/swaps", expect=200)["items"][0]
    home.parent.device(home.ben).call("PUT", f"/family/swaps/{swap['id']}/acceptance", expect=200)
    expect(mia.locator("#family-swaps")).to_contain_text("Waiting for a parent")
    page.get_by_role("link", name=words("1 swap is waiting")).click()
    assert flaws(page) == []
    page.get_by_role("button", name=re.compile("^Agree: ")).click()
    expect(toast(page, "The turns are swapped")).to_be_visible()
    expect(group(page, "Ben").get_by_role("button", name=words("Give 1 point for “Dishes”"))).to_be_visible()
    expect(mia.get_by_text("No swaps are waiting")).to_be_visible()


@pytest.mark.spec("F-37-N", "F-37-B", "F-23-B")
def test_reminders_are_set_and_kept(engine, home, sign_in):
    dishes = home.parent.chore("Dishes")
    path = f"/family/chores/{dishes['id']}/schedule"
    page = sign_in(home.parent, timezone_id="Europe/Berlin")
    page.goto(path)
    # The browser knows the time zone.
    expect(field(page, "Time zone")).to_have_value("Europe/Berlin")
    page.get_by_role("switch", name=words("Mia")).check()
    page.get_by_role("radio", name=words("On chosen days of the week")).check()
    expect(field(page, "Every how many weeks")).to_be_visible()
    page.get_by_role("radio", name=words("Every month")).check()
    expect(field(page, "Every how many weeks")).to_be_hidden()
    field(page, "Day of the month").fill("31")
    page.get_by_role("radio", name=re.compile("^In the morning")).check()
    page.get_by_text("Reminders", exact=True).click()
    field(page, "Reminder, in minutes").fill("30")
    page.get_by_role("switch", name=re.compile("^Notify when it’s overdue")).check()
    field(page, "Grace period").fill("15")
    assert flaws(page) == []
    press(page, "Save")
    expect(toast(page, "“Dishes”: On the last day of each month, by 12:00")).to_be_visible()
    saved = home.parent.call("GET", path, expect=200)
    assert (saved["dueTime"], saved["remindMinutesBefore"], saved["remindsWhenOverdue"], saved["graceMinutes"]) == (
        "12:00", 30, True, 15)
    assert (saved["rule"], saved["timeZone"]) == ("FREQ=MONTHLY;BYMONTHDAY=-1", "Europe/Berlin")
    page.goto(path)
    expect(field(page, "Day of the month")).to_have_value("31")
    expect(page.get_by_role("radio", name=re.compile("^In the morning"))).to_be_checked()
    expect(field(page, "Reminder, in minutes")).to_have_value("30")


@pytest.mark.spec("F-39-N")
def test_a_streak_is_shown_with_today(server, home, phone):
    dishes = home.parent.chore("Dishes")
    share(home.parent, dishes, "each", home.mia)
    Clock(server).set_streak(home.mia, 4)
    child = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    expect(child.get_by_text("4 days in a row")).to_be_visible()
    child.get_by_role("button", name=words("I have done “Dishes”")).click()
    expect(child.get_by_text("5 days in a row")).to_be_visible()
    assert flaws(child) == []
