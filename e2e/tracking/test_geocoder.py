"""Addresses by a geocoder with Nominatim's interface."""

import re

import pytest
from playwright.sync_api import expect

from support.items import HOME, north
from support.nominatim import Nominatim
from support.pages import card, open_list
from support.patience import wait_until
from support.server import Person


@pytest.fixture
def nominatim():
    geocoder = Nominatim()
    yield geocoder
    geocoder.close()


@pytest.mark.spec("T-6-6-4")
def test_positions_without_a_safe_place_have_addresses(own_server, nominatim, phone, sign_in):
    server = own_server(environment={"HOMEWARD_GEOCODER_URL": nominatim.url})
    someone = Person(server)
    places = {"Bag": north(0), "Keys": north(20_000), "Bike": north(40_000)}
    for name, place in places.items():
        someone.report(someone.add_osmand_tracker(someone.add_item(name)), *place)
    someone.call("POST", "/tracking/safe-places",
                 {"name": "Home", "latitude": HOME[0], "longitude": HOME[1], "radiusMetres": 100}, expect=201)
    page = sign_in(someone)
    open_list(page)
    expect(card(page, "Bag")).to_contain_text("Home")
    wait_until(lambda: len(nominatim.requests) == 2, seconds=20)

    def streets():
        text = page.request.get("/tracking/items", headers={"Accept": "text/html"}).text()
        return set(re.findall(r"Street \d+, Aachen", text))

    wait_until(lambda: len(streets()) == 2, pause=lambda: page.wait_for_timeout(50))
    page.reload()
    for name in ("Keys", "Bike"):
        street = f"Street {round(round(places[name][0], 3) * 1000) % 1000}, Aachen"
        expect(card(page, name)).to_contain_text(street)
    expect(page.locator("main")).to_contain_text("Addresses © OpenStreetMap contributors")
    # Each address was requested once, for its cell and not for the exact position.
    assert len(nominatim.requests) == 2
    assert all(latitude == round(latitude, 3) for _, latitude, _ in nominatim.requests)
    assert nominatim.violations == []
