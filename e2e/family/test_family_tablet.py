"""The shared tablet of a family: F-40."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from support.children import home
from support.family import press
from support.layout_checks import flaws
from support.pages import png_file, toast, words
from support.tablets import SIZE, card, entry, open_child, pair, tap_pictures


def set_schedule(parent, chore, *children, **fields):
    today = str(datetime.datetime.now(datetime.UTC).date())
    body = {"childIds": [child["id"] for child in children], "startsOn": today, "rule": "FREQ=DAILY", **fields}
    return parent.call("PUT", f"/family/chores/{chore['id']}/schedule", body, expect=200)


def requests_of(parent, child):
    return [one["name"] for one in parent.call("GET", f"/family/children/{child['id']}/requests", expect=200)["items"]]


def choose_file(tablet):
    with tablet.expect_file_chooser() as chooser:
        tablet.locator("[data-photo-pick]").click()
    chooser.value.set_files(png_file())


@pytest.mark.spec("F-40-N")
def test_a_tablet_is_paired_and_each_child_reports_its_chores(engine, server, home, sign_in, phone):
    dishes = home.parent.chore("Dishes")
    set_schedule(home.parent, dishes, home.mia, home.ben)
    parent = sign_in(home.parent)
    parent.goto("/family/tablets")
    expect(parent.get_by_text("No shared tablet yet")).to_be_visible()
    parent.get_by_role("link", name=words("Pair a tablet")).click()
    link = parent.locator("#code-link")
    expect(link).to_contain_text("/family/tablet/pairing?code=")
    tablet = phone(server, viewport=SIZE)
    tablet.goto(link.inner_text())
    expect(tablet.get_by_text(f"{home.parent.name} showed this code")).to_be_visible()
    press(tablet, "Pair this tablet")
    # The parent's page lists the tablet by itself.
    expect(parent.get_by_role("button", name=words("Remove"))).to_be_visible()
    expect(card(tablet, "Mia")).to_contain_text("0 of 1 done")
    expect(card(tablet, "Ben")).to_contain_text("Dishes")
    assert flaws(tablet) == []
    card(tablet, "Mia").click()
    entry(tablet, "Dishes").get_by_role("button", name=words("I have done “Dishes”")).click()
    expect(toast(tablet, "“Dishes”: a parent will look at it")).to_be_visible()
    expect(entry(tablet, "Dishes")).to_contain_text("Waiting for a parent")
    assert flaws(tablet) == []
    assert requests_of(home.parent, home.mia) == ["Dishes"] and requests_of(home.parent, home.ben) == []
    tablet.get_by_role("link", name=words("I’m finished")).click()
    expect(card(tablet, "Mia")).to_contain_text("Everything is done")
    # A parent's approval is shown at once.
    [asked] = home.parent.call("GET", f"/family/children/{home.mia['id']}/requests", expect=200)["items"]
    home.parent.call(
        "POST", f"/family/children/{home.mia['id']}/requests/{asked['id']}/approval", {"points": 2}, expect=201)
    card(tablet, "Mia").click()
    expect(entry(tablet, "Dishes")).to_contain_text("+2")
    # A removed tablet is signed out at once.
    tablet.get_by_role("link", name=words("I’m finished")).click()
    expect(card(tablet, "Mia")).to_be_visible()
    press(parent, "Remove")
    parent.get_by_role("alertdialog").get_by_role("button", name=words("Remove")).click()
    expect(toast(parent, "The tablet was removed")).to_be_visible()
    expect(tablet).to_have_url(re.compile("/sign-in"))


@pytest.mark.spec("F-40-B")
def test_a_child_with_a_picture_pin_taps_its_pictures_first(engine, server, home, phone):
    dishes, cook = home.parent.chore("Dishes"), home.parent.chore("Cook")
    home.parent.call("PATCH", f"/family/chores/{cook['id']}", {"needsPhoto": True, "steps": ["Wash hands"]}, expect=200)
    set_schedule(home.parent, dishes, home.mia, home.ben)
    set_schedule(home.parent, cook, home.mia)
    pin = f"/family/children/{home.mia['id']}/picture-pin"
    home.parent.call("PUT", pin, {"pin": "3-6-3"}, expect=200)
    tablet = pair(phone(server, viewport=SIZE), home.parent)
    open_child(tablet, "Mia")
    done = entry(tablet, "Dishes").get_by_role("button", name=words("I have done “Dishes”"))
    expect(done).to_be_hidden()
    expect(tablet.get_by_role("heading", name=words("Tap your pictures"))).to_be_visible()
    assert flaws(tablet) == []
    tap_pictures(tablet, "Fox", "Owl", "Cat")
    expect(tablet.get_by_role("alert").filter(has_text="These aren’t the right pictures")).to_be_visible()
    expect(done).to_be_hidden()
    tap_pictures(tablet, "Fox", "Owl", "Fox")
    done.click()
    expect(entry(tablet, "Dishes")).to_contain_text("Waiting for a parent")
    # Back on the page of all children, the pictures are forgotten; Ben has none.
    open_child(tablet, "Ben")
    expect(entry(tablet, "Dishes").get_by_role("button", name=words("I have done “Dishes”"))).to_be_visible()
    open_child(tablet, "Mia")
    expect(tablet.get_by_role("heading", name=words("Tap your pictures"))).to_be_visible()
    expect(entry(tablet, "Dishes").get_by_role("button", name=words("Take back"))).to_be_hidden()

    tap_pictures(tablet, "Fox", "Owl", "Fox")
    entry(tablet, "Cook").get_by_role("link", name=words("I have done “Cook”")).click()
    tablet.get_by_role("checkbox", name=words("Wash hands")).check()
    choose_file(tablet)
    expect(tablet.locator("[data-photo-preview] img")).to_be_visible()
    # A parent changes the picture PIN; the ticks and the photo stay on the page.
    home.parent.call("PUT", pin, {"pin": "1-1-1"}, expect=200)
    press(tablet, "Done")
    expect(tablet.get_by_role("heading", name=words("Tap your pictures"))).to_be_visible()
    expect(tablet.get_by_role("checkbox", name=words("Wash hands"))).to_be_checked()
    tap_pictures(tablet, "Cat", "Cat", "Cat")
    choose_file(tablet)
    press(tablet, "Done")
    expect(entry(tablet, "Cook")).to_contain_text("Waiting for a parent")
    requests = home.parent.call("GET", f"/family/children/{home.mia['id']}/requests", expect=200)["items"]
    [asked] = [one for one in requests if one["name"] == "Cook"]
    assert asked["photoId"] is not None
