"""Trips and the packages on their way."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import field, open_tab, post
from support.layout_checks import flaws
from support.pages import toast, until, words

AACHEN = {"fromLatitude": 50.7753, "fromLongitude": 6.0839}
BONN = {"toLatitude": 50.7374, "toLongitude": 7.0982}
# South of Cologne, some kilometres beside the way.
BRUEHL = {"toLatitude": 50.8281, "toLongitude": 6.9040}


@pytest.mark.spec("C-23", "C-24", "C-35")
def test_a_traveller_finds_packages_on_the_way(engine, carrepsa, sign_in):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    mark = ada.id[-6:]
    post(ada, f"Near {mark}", reward=900, **AACHEN, **BONN)
    post(ada, f"Aside {mark}", reward=1_000, **AACHEN, **BRUEHL)
    page = sign_in(ben)
    open_tab(page, "Search")
    page.get_by_role("link", name=re.compile("^On my way")).click()
    page.get_by_role("link", name=words("New trip")).first.click()
    field(page, "From").fill("Aachen")
    field(page, "To").fill("Bonn")
    page.get_by_role("button", name=words("Save trip")).click()
    expect(page.get_by_text("Set this point on the map").first).to_be_visible()
    assert flaws(page) == []
    page.context.grant_permissions(["geolocation"])
    page.context.set_geolocation({"latitude": AACHEN["fromLatitude"], "longitude": AACHEN["fromLongitude"]})
    page.get_by_role("button", name=re.compile("^From: *Use this phone’s position")).click()
    expect(page.locator("#fromLatitude")).to_have_value("50.775300")
    expect(page.locator("#fromLongitude")).to_have_value("6.083900")
    expect(page.locator("#toLatitude")).to_have_value("")
    for name, value in BONN.items():
        page.locator(f"#{name}").fill(str(value))
    field(page, "Detour at most").fill("30")
    page.get_by_role("button", name=words("Save trip")).click()
    expect(toast(page, "Trip saved")).to_be_visible()

    rows = page.locator("#matches li")
    expect(rows.filter(has_text=mark)).to_have_count(2)
    expect(rows.filter(has_text=mark).first).to_contain_text(f"Near {mark}")
    expect(rows.filter(has_text=mark).last).to_contain_text(re.compile(r"km extra · €\d"))
    until(page, "() => document.querySelectorAll('#route-map .map-accuracy').length >= 4")

    page.get_by_role("link", name=words("Edit trip")).click()
    expect(field(page, "Detour at most")).to_have_value("30")
    expect(page.locator("#fromLatitude")).to_have_value("50.7753")
    field(page, "Detour at most").fill("15")
    page.get_by_role("switch", name=words("Tue")).check()
    page.get_by_role("button", name=words("Save")).click()
    expect(toast(page, "Trip changed")).to_be_visible()
    expect(page.get_by_text("Tue · 15 km detour")).to_be_visible()

    # A new offer appears on the open page.
    post(ada, f"Later {mark}", reward=5_000, **AACHEN, **BONN)
    expect(rows.filter(has_text=mark).first).to_contain_text(f"Later {mark}")
    page.get_by_role("button", name=words("Delete trip")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Delete")).click()
    expect(toast(page, "Trip deleted")).to_be_visible()
    expect(page.get_by_text("No trips yet")).to_be_visible()
    assert ben.call("GET", "/carrepsa/trips", expect=200)["items"] == []
