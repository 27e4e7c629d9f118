"""Suggested prices, and the public page of an offer."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import act, field, fill_request, listed, open_tab, post
from support.layout_checks import flaws
from support.pages import toast, until, words

AACHEN = {"fromLatitude": 50.7753, "fromLongitude": 6.0839}
BONN = {"toLatitude": 50.7374, "toLongitude": 7.0982}


@pytest.mark.spec("C-25")
def test_a_price_is_suggested_with_its_reason(engine, carrepsa, sign_in):
    ada = carrepsa.add_person("Ada")
    page = sign_in(ada)
    open_tab(page, "New")
    fill_request(page, "Vase", reward="", lock="")
    page.get_by_role("button", name=words("Suggest a price")).click()
    expect(page.locator("#suggestion")).to_contain_text("Suggested for the weight and the size.")
    expect(field(page, "Title")).to_have_value("Vase")
    expect(page.locator("#package-form")).to_have_attribute("data-changed", "")
    assert float(field(page, "Deposit").input_value()) >= 10
    near = float(field(page, "Reward").input_value())
    field(page, "Deposit").fill("75")
    page.locator("#places > summary").click()
    for name, value in (AACHEN | BONN).items():
        page.locator(f"#{name}").fill(str(value))
    page.get_by_role("button", name=words("Suggest a price")).click()
    expect(page.locator("#suggestion")).to_contain_text("72 km in a straight line")
    assert float(field(page, "Reward").input_value()) > near
    expect(field(page, "Deposit")).to_have_value("75")
    assert flaws(page) == []
    assert listed(ada, role="owner") == []
    # Enter requests the delivery. It doesn't ask for a price again.
    field(page, "Title").press("Enter")
    expect(toast(page, "Requested.")).to_be_visible()
    assert listed(ada, role="owner") == ["Vase"]


@pytest.mark.spec("C-27")
def test_an_offer_is_shared_by_link(engine, carrepsa, sign_in, phone):
    ada, ben = carrepsa.add_person("Ada Lovelace"), carrepsa.add_person("Ben")
    package = post(ada, **AACHEN, **BONN, description="Ring at Miller")
    page = sign_in(ada)
    page.goto(f"/carrepsa/packages/{package['id']}")
    address = page.locator("#share-address").inner_text()
    assert re.search(r"/offers/[0-9a-f-]{36}/[\w-]{22}$", address)
    guest = phone(ada.server)
    guest.goto(address)
    expect(guest.get_by_role("heading", name="Bike helmet").first).to_be_visible()
    expect(guest.get_by_text("Ada is looking for someone to take this along.")).to_be_visible()
    until(guest, "() => document.querySelectorAll('#route-map .map-accuracy').length === 2")
    assert not any(word in guest.content() for word in ("Lovelace", "50.7753", "Miller"))
    guest.get_by_role("link", name=words("Take it along")).click()
    expect(guest).to_have_url(re.compile("/sign-in"))
    # Another person's page has no such link, and a wrong one shows nothing.
    _, _, shown = ada.server.request(
        "GET", f"/carrepsa/packages/{package['id']}", token=ben.token, headers={"Accept": "text/html"})
    assert b"Bike helmet" in shown and b"share-address" not in shown
    guest.goto(address[:-1] + ("A" if address[-1] != "A" else "B"))
    expect(guest.get_by_role("heading", name="This offer has ended").first).to_be_visible()
    act(ben, package, "acceptance")
    guest.goto(address)
    expect(guest.get_by_role("heading", name="This offer has ended").first).to_be_visible()
