"""The search text is part of the page's address, and a cleared search stays cleared."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import field, open_package, open_tab, package_card, post

PLAIN = re.compile(r"/carrepsa/packages$")


def back(page):
    page.locator("[data-back]").click()


@pytest.mark.spec("C-01")
def test_the_search_is_part_of_the_address(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    # The destination of one of two packages is unique.
    town = f"Ort {olga.id[-6:]}"
    near, far = f"Near {olga.id[-6:]}", f"Far {olga.id[-6:]}"
    post(olga, near, to=town, weight=1_200)
    post(olga, far, to="Bonn", weight=1_200)
    page = sign_in(karl)
    open_tab(page, "Search")
    expect(package_card(page, far)).to_be_visible()
    field(page, "To").fill(town)
    field(page, "Up to").fill("2.5")
    expect(package_card(page, far)).to_have_count(0)
    expect(package_card(page, near)).to_be_visible()
    address = re.compile(r"/carrepsa/packages\?to=" + town.replace(" ", r"(\+|%20)") + r"&kilograms=2\.5$")
    expect(page).to_have_url(address)

    # Back doesn't restore a cleared search.
    field(page, "To").fill("")
    field(page, "Up to").fill("")
    expect(package_card(page, far)).to_be_visible()
    expect(page).to_have_url(PLAIN)
    package_card(page, far).get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=far).first).to_be_visible()
    back(page)
    expect(page).to_have_url(PLAIN)
    expect(package_card(page, near)).to_be_visible()

    # The tab resets the search.
    field(page, "To").fill(town)
    field(page, "Up to").fill("2.5")
    expect(package_card(page, far)).to_have_count(0)
    expect(page).to_have_url(address)
    open_tab(page, "Search")
    expect(page).to_have_url(PLAIN)
    expect(field(page, "To")).to_have_value("")
    expect(package_card(page, far)).to_be_visible()

    # The person's own list has the same path with another query.
    post(karl, "Sledge")
    open_package(page, "My packages", "Sledge")
    back(page)
    expect(page).to_have_url(re.compile(r"/carrepsa/packages\?role=owner$"))
    expect(package_card(page, "Sledge")).to_be_visible()
