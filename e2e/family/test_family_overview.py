"""What waits for a parent, and who does what and when, on the dashboard: F-42."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home
from support.family import card, open_dashboard, press
from support.layout_checks import flaws
from support.pages import toast, words

# F-42-A is about changes elsewhere, not about connection loss.
pytestmark = pytest.mark.no_service_worker


def waiting(page):
    return page.locator("#waiting")


def ask(device, child, chore):
    return device.call("POST", f"/family/children/{child['id']}/requests", {"choreId": chore["id"]}, expect=201)


@pytest.mark.spec("F-42-N", "F-42-B", "F-42-A")
def test_the_dashboard_lists_all_that_waits_for_a_parent(engine, server, home, sign_in):
    dishes, dog = home.parent.chore("Dishes"), home.parent.chore("Dog")
    mia, ben = home.parent.device(home.mia), home.parent.device(home.ben)
    page = sign_in(home.parent)
    open_dashboard(page)
    expect(waiting(page)).to_have_count(0)
    # A single request is decided on the card of the child.
    asked = ask(mia, home.mia, dishes)
    expect(card(page, "Mia")).to_contain_text("Dishes")
    expect(waiting(page)).to_have_count(0)
    ask(mia, home.mia, dog)
    mia.call("POST", f"/family/children/{home.mia['id']}/wishes", {"name": "Kite"}, expect=201)
    home.parent.gives(home.ben, dishes, 3)
    reward = home.parent.call("POST", "/family/shop", {"name": "Zoo", "price": 2}, expect=201)
    path = f"/family/children/{home.ben['id']}/purchases"
    bought = ben.call("POST", path, {"rewardId": reward["id"]}, expect=201)
    rows = waiting(page).get_by_role("link")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("2 chores to approve")
    expect(rows.nth(1)).to_contain_text("1 purchase to approve")
    expect(rows.nth(2)).to_contain_text("1 wish")
    # What is decided or withdrawn elsewhere no longer waits.
    home.parent.call("POST", f"{path}/{bought['id']}/approval", {}, expect=201)
    expect(rows).to_have_count(2)
    mia.call("DELETE", f"/family/children/{home.mia['id']}/requests/{asked['id']}", expect=204)
    expect(rows).to_have_count(1)
    expect(card(page, "Mia")).to_contain_text("Dog")
    rows.click()
    expect(page).to_have_url(re.compile("/family/shop$"))
    expect(page.locator("#wishes")).to_contain_text("Kite")


@pytest.mark.spec("F-42-N")
def test_the_list_of_chores_says_who_does_what_and_when(engine, server, home, sign_in):
    dishes = home.parent.chore("Dishes")
    home.parent.chore("Dog")
    page = sign_in(home.parent)
    page.goto("/family/chores")
    page.get_by_role("link", name=re.compile("^Dishes.*Not scheduled")).click()
    # All children are chosen at first.
    for name in ("Mia", "Ben"):
        expect(page.get_by_role("switch", name=words(name))).to_be_checked()
    page.get_by_role("switch", name=words("Ben")).uncheck()
    press(page, "Save")
    # The page from which one came is shown again.
    expect(page).to_have_url(re.compile("/family/chores$"))
    expect(toast(page, "“Dishes”: Every day")).to_be_visible()
    planned = page.get_by_role("link", name=re.compile("^Dishes"))
    expect(planned).to_contain_text("Every day")
    expect(planned).to_contain_text("Mia")
    assert flaws(page) == []
    saved = home.parent.call("GET", f"/family/chores/{dishes['id']}/schedule", expect=200)
    assert saved["childIds"] == [home.mia["id"]]
