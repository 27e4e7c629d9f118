"""Places by their address, and the place at which a map opens."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import RICH, CarrepsaFixture, field, fill_request, open_tab, post
from support.layout_checks import flaws
from support.nominatim import Nominatim
from support.pages import until
from support.server import Server

AACHEN = (50.7753, 6.0839)
BONN = (50.7374, 7.0982)


def ends(origin, destination):
    return {"fromLatitude": origin[0], "fromLongitude": origin[1], "toLatitude": destination[0],
            "toLongitude": destination[1]}


@pytest.fixture(scope="module")
def nominatim():
    service = Nominatim()
    yield service
    service.close()


@pytest.fixture(scope="module")
def own(nominatim):
    server = Server(environment={**RICH, "HOMEWARD_GEOCODER_URL": nominatim.url}).start()
    yield CarrepsaFixture(server)
    server.close()


@pytest.mark.spec("C-34")
def test_a_place_is_found_by_its_address(own, nominatim, sign_in):
    nominatim.places = {"Pontstraße 1, Aachen": [
        ("Pontstraße 1, 52062 Aachen, Deutschland", *AACHEN), ("Pontstraße 1, Aachen-Land", 50.8, 6.2)]}
    ada = own.add_person("Ada")
    page = sign_in(ada)
    open_tab(page, "New")
    fill_request(page, "Vase", start="Pontstraße 1, Aachen", goal="Nowhere at all")
    page.locator("#places > summary").click()
    until(page, "() => document.querySelector('#route-map.leaflet-container') !== null")
    find = page.get_by_role("button", name=re.compile("^From: *Find on the map"))
    find.click()
    expect(page.get_by_role("button", name="Pontstraße 1, Aachen-Land")).to_be_visible()
    expect(page.get_by_text("Addresses © OpenStreetMap contributors")).to_be_visible()
    assert flaws(page) == []
    page.get_by_role("button", name="Pontstraße 1, 52062 Aachen").click()
    expect(page.locator("#fromLatitude")).to_have_value("50.775300")
    expect(page.locator("#fromLongitude")).to_have_value("6.083900")
    expect(page.locator("#route-map")).to_have_attribute("data-count", "1")
    expect(find).to_be_focused()
    page.get_by_role("button", name=re.compile("^To: *Find on the map")).click()
    expect(page.get_by_text("No place found.")).to_be_visible()
    assert [one["q"] for one in nominatim.searches] == ["Pontstraße 1, Aachen", "Nowhere at all"]
    assert all(set(one) == {"format", "limit", "accept-language", "q"} for one in nominatim.searches)
    assert nominatim.violations == []
    # The only place of an address is taken without a choice.
    nominatim.places["Bonn"] = [("Bonn, Deutschland", *BONN)]
    field(page, "To").fill("Bonn")
    page.get_by_role("button", name=re.compile("^To: *Find on the map")).click()
    expect(page.locator("#toLatitude")).to_have_value(f"{BONN[0]:.6f}")
    expect(page.get_by_text("Bonn, Deutschland")).to_be_visible()
    nominatim.is_down = True
    field(page, "To").fill("Bonn am Rhein")
    page.get_by_role("button", name=re.compile("^To: *Find on the map")).click()
    expect(page.get_by_text("Places can’t be searched right now.")).to_be_visible()
    nominatim.is_down = False


@pytest.mark.spec("C-34")
def test_the_map_opens_at_the_last_own_place_or_the_position(own, sign_in):
    ada, ben = own.add_person("Ada"), own.add_person("Ben")
    post(ada, **ends(AACHEN, BONN))
    here = {"permissions": ["geolocation"], "geolocation": {"latitude": BONN[0], "longitude": BONN[1]}}
    for person, (latitude, longitude) in ((ada, AACHEN), (ben, BONN)):
        page = sign_in(person, **here)
        page.goto("/carrepsa/trips/new")
        expect(page.locator("#route-map")).to_have_attribute("data-has-place", "true")
        # A tap in the middle sets a point near that place, and not somewhere on the world.
        box = page.locator("#route-map").bounding_box()
        page.locator("#route-map").click(position={"x": box["width"] / 2, "y": box["height"] / 2})
        found = [float(page.locator(f"#from{name}").input_value()) for name in ("Latitude", "Longitude")]
        assert abs(found[0] - latitude) < 0.1 and abs(found[1] - longitude) < 0.15, found
