"""Phones of a sample household, whose texts are long."""

import re

import pytest
from playwright.sync_api import expect

from support.households import SampleHousehold
from support.layout_checks import check
from support.tablets import code_of, pair


@pytest.fixture(scope="session")
def home(servers):
    """A household with long names."""
    home = SampleHousehold(
        servers("sqlite"), "Maximiliane von Hohenzollern-Sigmaringen",
        ["Bartholomäus Freiherr von Münchhausen", "Wolfeschlegelsteinhausenbergerdorff", "Zoé"],
        ["Set the table", "Walk the neighbour's enormous dog", "Dishes",
         "Donaudampfschifffahrtsgesellschaft", "Tidy up",
         "Water the flowers on the balcony"],
        reward="A whole long weekend together: ")
    for one in home.chores[:4] * 3:
        home.parent.gives(home.children[0], one, 3)
    home.ids |= {"invitation": home.invitation()["code"]}
    return home


@pytest.fixture
def parents_phone(home, sign_in):
    return lambda **options: sign_in(home.parent, **options)


@pytest.fixture
def childs_phone(home, phone):
    def open_phone(**options):
        # The sign-in button is in the phone's language.
        page = phone(home.server, **options)
        page.goto(home.code()["url"])
        page.locator("form[action='/family/sign-in'] button").click()
        page.wait_for_url(re.compile("/family$"))
        dismiss(page)
        return page

    return open_phone


@pytest.fixture
def tablet(home, phone):
    return lambda **options: pair(phone(home.server, **options), home.parent)


def dismiss(page):
    """Closes the celebration of a reached level, which covers the page once."""
    celebration = page.locator(".celebration button")
    if celebration.count():
        celebration.click()


def each(page, views, home):
    """Opens each view and yields it once it is loaded."""
    for view in views:
        # A newer code revokes the previous one.
        code = home.code("ben")["code"] if "{code}" in view else ""
        tablet_code = code_of(home.parent)["code"] if "{tablet_code}" in view else ""
        check(page, view.format(**home.ids, code=code, tablet_code=tablet_code))
        if view.endswith("/sign-in-codes"):
            expect(page.locator("[data-code]")).to_be_visible()
        yield view
