"""Shared tablets of a family."""

import re

from playwright.sync_api import expect

from support.pages import words

SIZE = {"width": 1024, "height": 768}


def code_of(parent):
    return parent.call("POST", "/family/tablets/codes", {}, expect=201)


def pair(page, parent):
    """Opens the link of a code as the tablet's camera does, and confirms."""
    page.goto(code_of(parent)["url"])
    # The button is in the tablet's language.
    page.locator("form[action='/family/tablet/pairing'] button").click()
    page.wait_for_url(re.compile("/family/tablet$"))
    return page


def card(page, name):
    return page.get_by_role("link", name=re.compile(rf"^{name}"))


def open_child(page, name):
    page.goto("/family/tablet")
    card(page, name).click()
    expect(page.get_by_role("heading", name=words(name), level=1)).to_be_visible()


def entry(page, chore):
    return page.locator("#tablet-child").get_by_role("listitem").filter(has_text=chore)


def tap_pictures(page, *names):
    pad = page.locator("[data-picture-pad]")
    for name in names:
        pad.get_by_role("button", name=words(name)).click()
