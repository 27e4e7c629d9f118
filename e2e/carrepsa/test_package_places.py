"""Points on the map, and editing an offer."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import LOCK, START, act, action, do, field, fill_request, open_tab, post
from support.layout_checks import flaws
from support.pages import toast, until, words

HOME = {"fromLatitude": 50.775346, "fromLongitude": 6.083887}
BONN = {"toLatitude": 50.737430, "toLongitude": 7.098207}


@pytest.mark.spec("C-22")
def test_only_the_parties_see_the_exact_points(engine, carrepsa, sign_in):
    ada, ben, cleo = (carrepsa.add_person(name) for name in ("Ada", "Ben", "Cleo"))
    page = sign_in(ada)
    open_tab(page, "New")
    fill_request(page, "Riding helmet")
    page.locator("#places > summary").click()
    until(page, "() => document.querySelector('#route-map.leaflet-container') !== null")
    page.locator("#route-map").click(position={"x": 120, "y": 100})
    page.locator("#route-map").click(position={"x": 180, "y": 120})
    expect(page.locator("#fromLatitude")).to_have_value(re.compile(r"^-?\d+\.\d{6}$"))
    expect(page.locator("#toLatitude")).to_have_value(re.compile(r"^-?\d+\.\d{6}$"))
    for name, value in (HOME | BONN).items():
        page.locator(f"#{name}").fill(str(value))
    page.locator("#fromOpeningTimes").fill("after 17:00")
    page.get_by_role("radio", name=words("Backpack")).check()
    assert flaws(page) == []
    do(page, "Request delivery")
    package = ada.call("GET", "/carrepsa/packages?role=owner", expect=200)["items"][0]
    assert package["fromPoint"] == {"latitude": 50.775346, "longitude": 6.083887}
    assert package["size"] == "backpack"
    seen = ben.call("GET", f"/carrepsa/packages/{package['id']}", expect=200)
    assert (seen["fromPoint"], seen["toPoint"]) == (None, None)
    assert seen["fromArea"] == package["fromArea"]

    reader = sign_in(ben)
    reader.goto(f"/carrepsa/packages/{package['id']}")
    expect(reader.get_by_text("after 17:00")).to_be_visible()
    expect(reader.get_by_text("The circles show roughly where it is")).to_be_visible()
    until(reader, "() => document.querySelector('#route-map .map-accuracy') !== null")
    expect(reader.locator("#route-map")).to_have_attribute("data-count", "2")
    assert "50.775346" not in reader.content()
    expect(reader.locator("html")).to_have_attribute("data-live", "open")
    act(ben, package, "acceptance")
    expect(reader.get_by_text("50.775346, 6.083887")).to_be_visible()

    # A former carrier is a stranger again, and the next package has the same circle.
    act(ben, package, "acceptance", method="DELETE", expect=200)
    assert ben.call("GET", f"/carrepsa/packages/{package['id']}", expect=200)["fromPoint"] is None
    again = post(ada, "Another one", fromLatitude=50.775646, fromLongitude=6.083487)
    assert cleo.call("GET", f"/carrepsa/packages/{again['id']}", expect=200)["fromArea"] == package["fromArea"]


@pytest.mark.spec("C-26")
def test_an_offer_is_edited(engine, carrepsa, sign_in):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    package = post(ada, **HOME)
    page, reader = sign_in(ada), sign_in(ben)
    reader.goto(f"/carrepsa/packages/{package['id']}")
    expect(action(reader, "Accept delivery").first).to_be_visible()
    read = package["version"]

    page.goto(f"/carrepsa/packages/{package['id']}")
    page.get_by_role("link", name=words("Edit offer")).click()
    expect(field(page, "Reward")).to_have_value("12.00")
    expect(page.locator("#fromLatitude")).to_have_value("50.775346")
    field(page, "Title").fill("Two helmets")
    field(page, "Reward").fill("20")
    page.get_by_role("button", name=words("Save")).click()
    expect(toast(page, "Offer changed")).to_be_visible()
    expect(page.get_by_role("heading", name="Two helmets").first).to_be_visible()
    expect(page.locator("#package .hero-lead")).to_contain_text("€20.00")
    carrepsa.has((START - 2_000, 2_000), (START, 0))

    # The open page of a carrier shows the new terms, and the former version isn't accepted.
    expect(reader.get_by_role("heading", name="Two helmets").first).to_be_visible()
    ben.call("POST", f"/carrepsa/packages/{package['id']}/acceptance", {}, expect=409,
             headers={"If-Match": f'"{read}"'})
    do(reader, "Accept delivery")
    carrepsa.has((START - 2_000, 2_000), (START - LOCK, LOCK))
    page.goto(f"/carrepsa/packages/{package['id']}/edit")
    expect(toast(page, "This is no longer possible")).to_be_visible()
    expect(page.get_by_role("link", name=words("Edit offer"))).to_have_count(0)
