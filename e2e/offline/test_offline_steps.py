"""Offline: the steps of a chore are ticked off and the chore is reported (F-34)."""

import json

import pytest
from playwright.sync_api import expect

from support.children import home, sign_in_by_link
from support.family import press
from support.offline import go_offline, go_online, is_kept, waits, with_worker
from support.pages import words
from support.patience import wait_until

pytestmark = pytest.mark.service_worker


def open_chore(page, child, chore):
    page.goto(f"/family/children/{child['id']}")
    page.get_by_role("link", name=words(f"I have done “{chore['name']}”")).click()
    expect(page.get_by_role("heading", name=words(chore["name"]), level=1)).to_be_visible()


def step(page, text):
    return page.get_by_role("checkbox", name=words(text))


def ticks_kept(page):
    entries = page.evaluate("Object.entries(localStorage)")
    return [json.loads(value)["steps"] for name, value in entries if name.startswith("steps:")]


@pytest.mark.spec("F-34-B")
def test_ticks_stay_while_the_page_is_left_and_offline(engine, server, home, phone):
    dishes, path = home.parent.chore("Dishes"), f"/family/children/{home.mia['id']}/requests"
    home.parent.call("PATCH", f"/family/chores/{dishes['id']}", {"steps": ["Wash", "Dry"]}, expect=200)
    child = with_worker(sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia"))
    open_chore(child, home.mia, dishes)
    step(child, "Wash").check()
    address = child.url
    is_kept(child, f"/family/chores/{dishes['id']}/requests/new")
    child.goto("/family")
    go_offline(child)
    child.goto(address)
    expect(step(child, "Wash")).to_be_checked()
    expect(step(child, "Dry")).not_to_be_checked()
    step(child, "Dry").check()
    press(child, "Done")
    waits(child, 1)
    # The queue has the ticks, and the next time begins without them.
    wait_until(lambda: ticks_kept(child) == [], pause=lambda: child.wait_for_timeout(50))
    go_online(child)
    waits(child, 0)
    assert [one["name"] for one in home.parent.call("GET", path, expect=200)["items"]] == ["Dishes"]
    [asked] = home.parent.call("GET", path, expect=200)["items"]
    home.parent.call("DELETE", f"{path}/{asked['id']}", expect=204)
    open_chore(child, home.mia, dishes)
    # The script that restores ticks has run as soon as it keeps new ones.
    step(child, "Dry").check()
    wait_until(lambda: ticks_kept(child) == [["Dry"]], pause=lambda: child.wait_for_timeout(50))
    expect(step(child, "Wash")).not_to_be_checked()
