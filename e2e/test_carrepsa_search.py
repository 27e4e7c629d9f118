"""A search that is typed stays in the page's address: reloading, sharing and coming back show the same list."""

import re

import pytest
from playwright.sync_api import expect

from support.parcels import field, open_parcel, open_tab, parcel, post

PLAIN = re.compile(r"/carrepsa/packages$")


def back(page):
    page.locator("[data-back]").click()


@pytest.fixture
def searching(engine, village, sign_in):
    """Somebody who searches for the one of two parcels that goes to a town of its own."""
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl")
    town = f"Ort {olga.id[-6:]}"
    near, far = f"Near {olga.id[-6:]}", f"Far {olga.id[-6:]}"
    post(olga, near, to=town, weight=1_200)
    post(olga, far, to="Bonn", weight=1_200)
    page = sign_in(karl)
    open_tab(page, "Search")
    expect(parcel(page, far)).to_be_visible()
    field(page, "To").fill(town)
    field(page, "Up to").fill("2.5")
    expect(parcel(page, far)).to_have_count(0)
    expect(parcel(page, near)).to_be_visible()
    address = re.compile(r"/carrepsa/packages\?to=" + town.replace(" ", r"(\+|%20)") + r"&kilograms=2\.5$")
    expect(page).to_have_url(address)
    return page, near, far, town, address


@pytest.mark.spec("C-01")
def test_a_search_survives_reloading_and_can_be_shared(searching, village, sign_in):
    page, near, far, town, address = searching
    page.reload()
    expect(field(page, "To")).to_have_value(town)
    expect(field(page, "Up to")).to_have_value("2.5")
    expect(parcel(page, near)).to_be_visible()
    expect(parcel(page, far)).to_have_count(0)

    other = sign_in(village.neighbour("Zoe"))
    other.goto(page.url)
    expect(field(other, "To")).to_have_value(town)
    expect(parcel(other, near)).to_be_visible()
    expect(parcel(other, far)).to_have_count(0)


@pytest.mark.spec("C-01")
def test_the_way_back_from_a_parcel_leads_to_the_search_it_was_found_by(searching):
    page, near, far, town, address = searching
    parcel(page, near).get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=near).first).to_be_visible()
    back(page)
    expect(page).to_have_url(address)
    expect(field(page, "To")).to_have_value(town)
    expect(parcel(page, far)).to_have_count(0)

    # What is no longer searched for is not come back to.
    field(page, "To").fill("")
    field(page, "Up to").fill("")
    expect(parcel(page, far)).to_be_visible()
    expect(page).to_have_url(PLAIN)
    parcel(page, far).get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=far).first).to_be_visible()
    back(page)
    expect(page).to_have_url(PLAIN)
    expect(parcel(page, near)).to_be_visible()


@pytest.mark.spec("C-01")
def test_the_tab_begins_anew_and_other_lists_are_left_alone(engine, searching, village, sign_in):
    page, near, far, town, address = searching
    open_tab(page, "Search")
    expect(page).to_have_url(PLAIN)
    expect(field(page, "To")).to_have_value("")
    expect(parcel(page, far)).to_be_visible()

    # One's own list is at the same path, with a query of its own.
    field(page, "To").fill(town)
    expect(parcel(page, far)).to_have_count(0)
    karl = village.people[1]
    post(karl, "Sledge")
    open_parcel(page, "My packages", "Sledge")
    back(page)
    expect(page).to_have_url(re.compile(r"/carrepsa/packages\?role=owner$"))
    expect(parcel(page, "Sledge")).to_be_visible()
