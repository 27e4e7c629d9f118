"""The list's search and order, and the form's collapsed rules."""

import re

import pytest
from playwright.sync_api import expect

from support.items import north, tracked
from support.pages import open_list, save

NAMES = ["Umbrella", "Bike", "Bag", "Keys", "Wallet", "Camera", "Laptop", "Köfferchen"]


def titles(page):
    return page.locator("#items .card-title")


def test_eight_items_can_be_searched(engine, person, sign_in):
    someone = person()
    for name in NAMES[:-1]:
        someone.add_item(name)
    page = sign_in(someone)
    open_list(page)
    search = page.get_by_role("searchbox", name="Search items")
    expect(search).to_have_count(0)
    someone.add_item(NAMES[-1])
    open_list(page)
    expect(titles(page)).to_have_text(sorted(NAMES))
    search.fill("koeff")
    expect(titles(page)).to_have_text(["Köfferchen"])
    expect(page).to_have_url(re.compile(r"[?&]q=koeff"))
    search.fill("zzz")
    expect(page.get_by_text("No item’s name contains “zzz”.")).to_be_visible()
    page.get_by_role("link", name="Show all items").click()
    expect(titles(page)).to_have_count(8)


def test_chosen_order_is_remembered(engine, tracked, sign_in):
    someone, _, secret = tracked("Umbrella", 2)
    someone.add_item("Bike")
    page = sign_in(someone)
    open_list(page)
    expect(titles(page)).to_have_text(["Bike", "Umbrella"])
    page.get_by_role("link", name="Latest position").click()
    expect(titles(page)).to_have_text(["Umbrella", "Bike"])
    expect(page.locator(".segments [aria-current=true]")).to_have_text("Latest position")
    open_list(page)
    expect(titles(page)).to_have_text(["Umbrella", "Bike"])
    # An item that becomes lost moves to the top without a reload.
    page.get_by_role("link", name="By name").click()
    expect(titles(page)).to_have_text(["Bike", "Umbrella"])
    someone.report(secret, *north(300))
    expect(titles(page)).to_have_text(["Umbrella", "Bike"])


@pytest.mark.spec("T-3-5-1")
def test_edit_starts_with_name_and_photo_and_folds_the_rules(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = sign_in(someone)
    page.goto(f"/tracking/items/{item['id']}/edit")
    lost = page.locator("[name='settings.lostMetres']")
    expect(lost).to_be_hidden()
    # By keyboard.
    summary = page.locator("#advanced > summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(lost).to_be_visible()
    lost.fill("0")
    save(page)
    expect(lost).to_be_visible()
    expect(lost).to_have_attribute("aria-invalid", "true")
    lost.fill("40")
    save(page)
    page.wait_for_url(f"**/tracking/items/{item['id']}")
    assert someone.call("GET", f"/tracking/items/{item['id']}")["settings"]["lostMetres"] == 40
