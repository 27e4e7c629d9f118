"""Two browsers on one account see each other's changes within a second, also after a restart."""

import re

import pytest
from playwright.sync_api import expect

from support.pages import ONE_SECOND, card, open_list
from support.server import Person


def changes_show_up(someone, page):
    item = someone.add_item("Drone")
    expect(card(page, "Drone")).to_be_visible(timeout=ONE_SECOND)
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "Kite"}, expect=200)
    expect(card(page, "Kite")).to_be_visible(timeout=ONE_SECOND)
    someone.call("DELETE", f"/tracking/items/{item['id']}", expect=204)
    expect(card(page, "Kite")).to_have_count(0, timeout=ONE_SECOND)


@pytest.mark.smoke
@pytest.mark.spec("T-3-1-4")
def test_the_other_browser_follows_within_a_second(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone)
    open_list(page)
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    loads = []
    page.on("load", lambda: loads.append(1))
    changes_show_up(someone, page)
    assert not loads, "without a reload"


def test_it_goes_on_after_a_restart(own_server, sign_in):
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


@pytest.mark.smoke
def test_a_command_beside_the_server_is_noticed(engine, server, person, sign_in, phone):
    someone = person()
    page = sign_in(someone)
    page.goto("/account/sessions")
    other = someone.call("GET", "/account/sessions")["items"]
    assert len(other) == 2
    expect(page.get_by_role("listitem").filter(has=page.get_by_text(re.compile("this (device|phone|browser)", re.I)))).to_have_count(1)
