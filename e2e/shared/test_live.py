"""Two browsers of one account show each other's changes, also after a restart."""

import re

import pytest
from playwright.sync_api import expect

from support.pages import card, open_list
from support.server import Person


def changes_show_up(someone, page):
    item = someone.add_item("Drone")
    expect(card(page, "Drone")).to_be_visible()
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "Kite"}, expect=200)
    expect(card(page, "Kite")).to_be_visible()
    someone.call("DELETE", f"/tracking/items/{item['id']}", expect=204)
    expect(card(page, "Kite")).to_have_count(0)


@pytest.mark.engines
@pytest.mark.spec("T-3-1-4")
def test_change_reaches_another_browser(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_list(page)
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    loads = []
    page.on("load", lambda: loads.append(1))
    changes_show_up(someone, page)
    assert not loads, "without a reload"


def test_live_updates_continue_after_a_restart(own_server, sign_in):
    server = own_server()
    someone = Person(server)
    page = sign_in(someone)
    open_list(page)
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    server.stop()
    expect(page.locator("html")).not_to_have_attribute("data-live", "open")
    server.start()
    expect(page.locator("html")).to_have_attribute("data-live", "open", timeout=20_000)
    changes_show_up(someone, page)


def test_sessions_page_marks_the_current_device(engine, server, person, sign_in, phone):
    someone = person()
    page = sign_in(someone)
    page.goto("/account/sessions")
    other = someone.call("GET", "/account/sessions")["items"]
    assert len(other) == 2
    own = page.get_by_text(re.compile("this (device|phone|browser)", re.I))
    expect(page.get_by_role("listitem").filter(has=own)).to_have_count(1)


def keys_of(someone):
    item = someone.add_item("Keys")
    return item, f"/tracking/items/{item['id']}"


def rename(someone, path, name):
    someone.call("PATCH", path, {"name": name}, expect=200)


@pytest.mark.spec("T-3-5-1")
def test_a_new_name_reaches_the_open_details(engine, server, person, sign_in):
    someone = person()
    _, path = keys_of(someone)
    page = sign_in(someone)
    page.goto(path)
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    loads = []
    page.on("load", lambda: loads.append(1))
    rename(someone, path, "Car keys")
    expect(page.get_by_role("heading", level=1)).to_have_text("Car keys")
    expect(page.locator(".bar-title")).to_have_text("Car keys")
    expect(page).to_have_title(re.compile("^Car keys"))
    rename(someone, path, "Bike <b>lock</b>")
    expect(page.get_by_role("heading", level=1)).to_have_text("Bike <b>lock</b>")
    assert not loads, "without a reload"


@pytest.mark.parametrize("place", ["fixes", "tracker"])
def test_a_new_name_reaches_the_pages_below_the_details(server, person, sign_in, place):
    someone = person()
    _, path = keys_of(someone)
    page = sign_in(someone)
    page.goto(f"{path}/{place}")
    title = page.get_by_role("heading", level=1).inner_text()
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    rename(someone, path, "Door")
    expect(page.locator(".bar-back")).to_have_text("Door")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
