"""Trips and the packages on their way."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import field, open_tab, post, trip_and_offer
from support.layout_checks import flaws
from support.pages import toast, until, words
from support.patience import wait_until

AACHEN = {"fromLatitude": 50.7753, "fromLongitude": 6.0839}
BONN = {"toLatitude": 50.7374, "toLongitude": 7.0982}
# South of Cologne, some kilometres beside the way.
BRUEHL = {"toLatitude": 50.8281, "toLongitude": 6.9040}


def notified(person):
    return [entry["body"] for entry in person.call("GET", "/notifications", expect=200)["items"]
            if entry["kind"] == "packageOnTrip"]


@pytest.mark.spec("C-23", "C-24")
def test_a_traveller_finds_packages_on_the_way(engine, carrepsa, sign_in):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    mark = ada.id[-6:]
    post(ada, f"Near {mark}", reward=900, **AACHEN, **BONN)
    post(ada, f"Aside {mark}", reward=1_000, **AACHEN, **BRUEHL)
    post(ada, f"Back {mark}", fromLatitude=BONN["toLatitude"], fromLongitude=BONN["toLongitude"],
         toLatitude=AACHEN["fromLatitude"], toLongitude=AACHEN["fromLongitude"])
    post(ada, f"Nowhere {mark}")
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
    assert flaws(page) == []

    # A new offer appears on the open page, and notifies.
    post(ada, f"Later {mark}", reward=5_000, **AACHEN, **BONN)
    expect(rows.filter(has_text=mark).first).to_contain_text(f"Later {mark}")
    wait_until(lambda: any("€50.00" in one for one in notified(ben)), 45, "no notification about the new offer")
    # It has no text of the offer's owner, who could write to many travellers by it.
    assert all(one.startswith("A new offer on your trip Aachen → Bonn pays €") for one in notified(ben))

    page.get_by_role("button", name=words("Delete trip")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Delete")).click()
    expect(toast(page, "Trip deleted")).to_be_visible()
    expect(page.get_by_text("No trips yet")).to_be_visible()
    assert ben.call("GET", "/carrepsa/trips", expect=200)["items"] == []


@pytest.mark.spec("C-35")
def test_a_trip_is_changed(engine, carrepsa, sign_in):
    ada, ben = carrepsa.add_person("Ada"), carrepsa.add_person("Ben")
    mark = ada.id[-6:]
    trip = trip_and_offer(ben, post(ben, "Own"), days=["MO"])["trip"]
    page, other = sign_in(ben), sign_in(ben)
    for reader in (page, other):
        reader.goto(f"/carrepsa/trips/{trip}")
        reader.get_by_role("link", name=words("Edit trip")).click()
        expect(field(reader, "Detour at most")).to_have_value("20")
        expect(reader.locator("#fromLatitude")).to_have_value("50.78")
    field(page, "From").fill("Bonn")
    field(page, "To").fill("Aachen")
    for name, value in {"fromLatitude": 50.7374, "fromLongitude": 7.0982, "toLatitude": 50.7753,
                        "toLongitude": 6.0839}.items():
        page.locator(f"#{name}").fill(str(value))
    field(page, "Detour at most").fill("15")
    page.get_by_role("switch", name=words("Tue")).check()
    assert flaws(page) == []
    page.get_by_role("button", name=words("Save")).click()
    expect(toast(page, "Trip changed")).to_be_visible()
    expect(page.get_by_role("heading", name="Bonn → Aachen").first).to_be_visible()
    expect(page.get_by_text("Mon, Tue · 15 km detour")).to_be_visible()

    # The other form read the former version.
    field(other, "Detour at most").fill("30")
    other.get_by_role("button", name=words("Save")).click()
    expect(other.get_by_text("The trip was changed elsewhere.")).to_be_visible()
    assert ben.call("GET", f"/carrepsa/trips/{trip}", expect=200)["detour"] == 15

    post(ada, f"There {mark}", **AACHEN, **BONN)
    post(ada, f"Back {mark}", reward=700, fromLatitude=BONN["toLatitude"], fromLongitude=BONN["toLongitude"],
         toLatitude=AACHEN["fromLatitude"], toLongitude=AACHEN["fromLongitude"])
    expect(page.locator("#matches li").filter(has_text=f"Back {mark}")).to_have_count(1)
    wait_until(lambda: any("€7.00" in one for one in notified(ben)), 45, "no notification about the new offer")
    assert all(one.startswith("A new offer on your trip Bonn → Aachen pays €7.00") for one in notified(ben))
