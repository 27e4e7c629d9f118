"""Places with names, and the map of all items with the same content as a list."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.items import HOME, METRE, north, tracked
from support.layout_checks import SMALL, flaws
from support.pages import card, open_list


def add_place(someone, name, place, radius=50):
    return someone.call("POST", "/tracking/safe-places",
                        {"name": name, "latitude": place[0], "longitude": place[1], "radiusMetres": radius}, expect=201)


@pytest.mark.spec("T-6-6-1")
def test_positions_are_named_by_safe_places(tracked, sign_in, engine):
    someone, item, secret = tracked("Bag")
    add_place(someone, "Home", HOME)
    east = (HOME[0], HOME[1] + 340 * METRE / 0.6325)
    someone.report(secret, *HOME, at=time.time() - 300)
    someone.report(secret, *east)
    page = sign_in(someone)
    open_list(page)
    expect(card(page, "Bag")).to_contain_text("340 m east of Home")
    page.goto(f"/tracking/items/{item['id']}")
    expect(page.locator(".hero")).to_contain_text("340 m east of Home")
    rows = page.locator("#positions li")
    expect(rows.nth(0)).to_contain_text("340 m east of Home")
    expect(rows.nth(1)).to_contain_text("Home")
    page.goto(f"/tracking/items/{item['id']}/fixes")
    expect(page.locator("tbody tr").nth(0)).to_contain_text("340 m east of Home")
    page.goto("/notifications")
    expect(page.locator("main")).to_contain_text("at 340 m east of Home")


@pytest.mark.spec("T-6-6-2")
def test_all_items_are_on_one_map_that_follows(tracked, sign_in, engine):
    someone, _, secret = tracked("Bag", 100)
    keys = someone.add_item("Keys")
    other = someone.add_osmand_tracker(keys)
    someone.report(other, *north(900), accuracy=40)
    someone.add_item("Umbrella")
    page = sign_in(someone, permissions=["geolocation"],
                   geolocation={"latitude": HOME[0], "longitude": HOME[1], "accuracy": 20})
    open_list(page)
    page.locator("nav.tabs").get_by_role("link", name="Map").click()
    the_map = page.locator("#all-map")
    expect(the_map).to_have_attribute("data-count", "2")
    expect(the_map.locator(".map-accuracy")).to_have_count(1)
    expect(the_map.locator(".map-mark-me")).to_be_visible()
    expect(the_map.locator(".map-me-accuracy")).to_have_count(1)
    # Without a reload.
    before = page.locator(f"[data-map-item='{keys['id']}']").bounding_box()
    someone.report(secret, *north(-2_000), accuracy=30)
    expect(the_map.locator(".map-accuracy")).to_have_count(2)
    expect(page.locator("#map-list")).to_contain_text("±30 m")
    after = page.locator(f"[data-map-item='{keys['id']}']").bounding_box()
    assert before != after, "the map shows the item's new position"
    page.locator(f"[data-map-item='{keys['id']}']").click()
    expect(page).to_have_url(re.compile(f"/tracking/items/{keys['id']}$"))


@pytest.mark.spec("T-6-6-2", "T-6-6-3")
def test_moved_map_is_centred_again_and_the_list_beside_it_has_the_same_items(tracked, sign_in):
    someone, item, _ = tracked("Bag", 100)
    someone.add_item("Umbrella")
    add_place(someone, "Home", HOME)
    page = sign_in(someone)
    page.goto("/tracking/map")
    expect(page.locator("#all-map")).to_have_attribute("data-count", "1")
    button = page.get_by_role("button", name="Centre the map again")
    expect(button).to_have_count(0)
    box = page.locator("#all-map").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 90)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 190, steps=4)
    page.mouse.up()
    button.click()
    expect(button).to_have_count(0)

    page.set_viewport_size(SMALL)
    rows = page.locator("#map-list li")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Bag")
    expect(rows).to_contain_text("100 m north of Home")
    expect(page.locator("#map-list")).to_contain_text("Without a position: Umbrella")
    assert flaws(page) == []
    page.get_by_role("link", name=re.compile("^Bag 100 m")).focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/tracking/items/{item['id']}$"))
