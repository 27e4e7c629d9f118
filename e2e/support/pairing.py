"""Pairing over Bluetooth and by code: fixtures for the modules that import them, and actions on the page."""

import base64
import re

import pytest
from playwright.sync_api import expect

from support.bluetooth import Chooser, RadioTracker
from support.pages import words

LINKED = "Connected by Bluetooth"


@pytest.fixture(scope="module")
def chromium(chromium_with_bluetooth):
    return chromium_with_bluetooth


@pytest.fixture
def tracker(broker, tmp_path):
    """Creates trackers. Without a server they have no network."""
    made = []

    def make(server=None, *arguments, **options):
        folder = tmp_path / f"tracker-{len(made)}"
        folder.mkdir()
        made.append(RadioTracker(broker, folder, server, *arguments, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def owner(server, person, sign_in):
    """A person with an item, on the page that pairs its tracker. The chooser selects the device named
    `chooser.name`."""
    def make(name="Keys", device=None, **options):
        someone = person()
        item = someone.add_item(name)
        page = sign_in(someone, **options)
        page.chooser = Chooser(page, device and device.name)
        page.goto(f"{path_of(item)}/tracker")
        return someone, item, page
    return make


def path_of(item):
    return f"/tracking/items/{item['id']}"


def pair(page):
    page.get_by_role("button", name=words("Pair by Bluetooth")).click()


def again(page):
    page.get_by_role("button", name=words("Try again")).click()


def code_field(page):
    return page.get_by_label(re.compile("claim code", re.I))


def pair_by_code(page, code):
    code_field(page).fill(code)
    page.get_by_role("button", name=words("Pair")).click()
    page.wait_for_url(lambda url: "/tracker" not in url)


def expect_linked(page):
    expect(page.get_by_text(LINKED, exact=True)).to_be_visible(timeout=20_000)


def expect_problem(page, title, text=None):
    """Expects an error message and a way to continue."""
    alert = page.locator("#bluetooth").get_by_role("alert")
    expect(alert).to_contain_text(title, timeout=25_000)
    if text:
        expect(alert).to_contain_text(text)


def expect_free(someone, item):
    """Expects the item to have no tracker and no pending pairing."""
    assert someone.call("GET", path_of(item))["tracker"] is None
    assert commands(someone, item) == []


def stored(someone, item):
    return someone.call("GET", path_of(item))["tracker"]


def commands(someone, item):
    return someone.call("GET", f"{path_of(item)}/commands")["items"]


def fixes(someone, item):
    return someone.call("GET", f"{path_of(item)}/fixes")["items"]


def request_for(someone, item, identity):
    asked = {name: identity[name] for name in ("publicKey", "codeHash", "challenge")}
    answer = someone.call("POST", f"{path_of(item)}/registration", asked, expect=201)
    return base64.b64decode(answer["request"]), answer


def switch(page):
    return page.get_by_role("main").get_by_role("switch")
