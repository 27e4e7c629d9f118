"""The delivery of a package, from the owner's payment to the carrier's reward, and refunds: C-01 to C-08."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import (
    ANY_LIST,
    LOCK,
    MINE,
    REWARD,
    START,
    act,
    action,
    do,
    field,
    fill_request,
    listed,
    open_package,
    open_tab,
    overlap,
    package_card,
    post,
    shows_balance,
    state,
    tap_blocked,
)

FULL = (START, 0)


@pytest.mark.engines
@pytest.mark.spec("C-01")
def test_complete_delivery(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    hers, his = sign_in(olga), sign_in(karl)

    open_tab(hers, "New")
    fill_request(hers, "Riding helmet")
    do(hers, "Request delivery")
    expect(hers.get_by_text("Waiting for a carrier.")).to_be_visible()
    open_tab(hers, "My packages")
    expect(package_card(hers, "Riding helmet")).to_be_visible()
    package = olga.call("GET", "/carrepsa/packages?role=owner")["items"][0]
    assert (package["title"], package["from"], package["to"], package["weight"], package["reward"],
            package["moneyLock"]) == (
        "Riding helmet", "Aachen", "Bonn", 1_200, REWARD, LOCK)
    assert (package["state"], package["funded"], package["carrier"]) == ("available", True, None)
    carrepsa.has((START - REWARD, REWARD), FULL)
    shows_balance(hers, START - REWARD)

    open_tab(his, "Search")
    field(his, "From").fill("bonn")
    expect(package_card(his, "Riding helmet")).to_have_count(0)
    field(his, "From").fill("aach")
    field(his, "To").fill("BONN")
    field(his, "Up to").fill("1.1")
    expect(package_card(his, "Riding helmet")).to_have_count(0)
    field(his, "Up to").fill("1.2")
    expect(package_card(his, "Riding helmet")).to_be_visible()
    package_card(his, "Riding helmet").get_by_role("link").first.click()
    expect(his.get_by_role("heading", name="Riding helmet").first).to_be_visible()
    do(his, "Accept delivery")
    expect(his).to_have_url(ANY_LIST)
    assert state(karl, package) == "accepted"
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))
    open_tab(his, "My deliveries")
    expect(package_card(his, "Riding helmet")).to_be_visible()
    shows_balance(his, START - LOCK)

    open_package(hers, "My packages", "Riding helmet")
    do(hers, "Confirm pickup")
    expect(hers).to_have_url(MINE)
    expect(package_card(hers, "Riding helmet")).to_contain_text(re.compile("travelling", re.I))
    assert state(karl, package) == "travelling"
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))

    open_package(hers, "My packages", "Riding helmet")
    do(hers, "Confirm delivery")
    expect(hers).to_have_url(MINE)
    assert state(karl, package) == state(olga, package) == "delivered"
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0))
    shows_balance(hers, START - REWARD)
    shows_balance(his, START + REWARD)


@pytest.mark.spec("C-02")
def test_reward_above_the_balance_is_rejected(engine, carrepsa, sign_in):
    olga = carrepsa.add_person("Olga")
    page = sign_in(olga)
    open_tab(page, "New")
    fill_request(page, "Gold bar", reward="100.01")
    field(page, "Deposit").focus()
    button = action(page, "Request delivery").first
    expect(button).to_have_attribute("aria-disabled", "true")
    reward = field(page, "Reward")
    expect(reward).to_have_attribute("aria-invalid", "true")
    said = [page.locator(f"#{one}") for one in reward.get_attribute("aria-describedby").split()]
    assert any("not enough money" in one.inner_text().lower() for one in said)
    tap_blocked(button)
    toast = page.locator("#toasts").get_by_text(re.compile("not enough money", re.I))
    expect(toast).to_be_visible()
    assert listed(olga, role="owner") == []
    carrepsa.has(FULL)

    # A reward equal to the balance is allowed. The toast doesn't cover the button.
    expect(toast).to_be_visible()
    assert not overlap(page.locator("#toasts [data-toast]").first, button)
    reward.fill("100.00")
    expect(button).not_to_have_attribute("aria-disabled", "true")
    do(page, "Request delivery")
    expect(page.get_by_role("heading", name="Gold bar").first).to_be_visible()
    carrepsa.has((0, START))


@pytest.mark.spec("C-03")
def test_deposit_above_the_balance_is_rejected(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl", start=LOCK - 1)
    package = post(olga, "Cello")
    carrepsa.has((START - REWARD, REWARD), (LOCK - 1, 0))
    page = sign_in(karl)
    open_package(page, "Search", "Cello")
    button = action(page, "Accept delivery").first
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    address = page.url
    tap_blocked(button)
    expect(page.locator("#toasts").get_by_text(re.compile("insufficient|not enough", re.I))).to_be_visible()
    assert page.url == address
    assert state(olga, package) == "available"
    carrepsa.has((START - REWARD, REWARD), (LOCK - 1, 0))


@pytest.mark.spec("C-04")
def test_cancelling_an_available_package_refunds_and_removes_it(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    package = post(olga, "Floor lamp")
    hers, his = sign_in(olga), sign_in(karl)
    open_tab(his, "Search")
    expect(package_card(his, "Floor lamp")).to_be_visible()
    carrepsa.has((START - REWARD, REWARD), FULL)

    open_package(hers, "My packages", "Floor lamp")
    do(hers, "Cancel request")
    expect(hers).to_have_url(ANY_LIST)
    carrepsa.has(FULL, FULL)
    open_tab(hers, "My packages")
    expect(package_card(hers, "Floor lamp")).to_have_count(0)
    expect(package_card(his, "Floor lamp")).to_have_count(0)
    for query in ({}, {"role": "owner"}, {"role": "owner", "past": "true"}):
        assert "Floor lamp" not in listed(olga, **query)
    assert "Floor lamp" not in listed(karl)
    for someone in (olga, karl):
        someone.call("GET", f"/carrepsa/packages/{package['id']}", expect=404)
    olga.call("DELETE", f"/carrepsa/packages/{package['id']}", expect=404)
    assert [entry["amount"] for entry in olga.call("GET", "/carrepsa/wallet/entries")["items"]][:2] == [REWARD, -REWARD]


def accepted(carrepsa):
    """Three people, and a package of the first one that the second one has accepted."""
    people = [carrepsa.add_person(name) for name in ("Olga", "Karl", "Zoe")]
    package = post(people[0], f"Parcel of {people[0].id[-6:]}")
    act(people[1], package, "acceptance")
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK), FULL)
    return people, package


def deliver_by_another_carrier(carrepsa, hers, thirds, zoe, package):
    """A third person delivers the package, starting with an available, unfunded one."""
    open_package(thirds, "Search", package["title"])
    do(thirds, "Accept delivery")
    expect(thirds).to_have_url(ANY_LIST)
    carrepsa.has((START - REWARD, REWARD), FULL, (START - LOCK, LOCK))
    open_package(hers, "My packages", package["title"])
    do(hers, "Confirm pickup")
    assert state(zoe, package) == "travelling"
    carrepsa.has((START - REWARD, REWARD), FULL, (START - LOCK, LOCK))
    open_package(hers, "My packages", package["title"])
    do(hers, "Confirm delivery")
    assert state(zoe, package) == "delivered"
    carrepsa.has((START - REWARD, 0), FULL, (START + REWARD, 0))
    shows_balance(hers, START - REWARD)
    shows_balance(thirds, START + REWARD)


@pytest.mark.spec("C-05", "C-07")
def test_another_carrier_delivers_after_the_owner_cancelled(engine, carrepsa, sign_in):
    (olga, karl, zoe), package = accepted(carrepsa)
    hers, his = sign_in(olga), sign_in(karl)
    open_tab(his, "My deliveries")
    expect(package_card(his, package["title"])).to_be_visible()
    open_package(hers, "My packages", package["title"])
    do(hers, "Cancel delivery")
    expect(hers).to_have_url(MINE)
    carrepsa.has(FULL, FULL, FULL)
    assert state(olga, package) == "available"
    expect(package_card(hers, package["title"])).to_contain_text(re.compile("available", re.I))
    expect(package_card(his, package["title"])).to_have_count(0)
    open_tab(his, "Search")
    expect(package_card(his, package["title"])).to_be_visible()
    deliver_by_another_carrier(carrepsa, hers, sign_in(zoe), zoe, package)
    karl.call("GET", f"/carrepsa/packages/{package['id']}", expect=404)


@pytest.mark.spec("C-06", "C-08")
def test_another_carrier_delivers_after_the_carrier_cancelled(engine, carrepsa, sign_in):
    (olga, karl, zoe), package = accepted(carrepsa)
    hers, his = sign_in(olga), sign_in(karl)
    open_tab(hers, "My packages")
    open_package(his, "My deliveries", package["title"])
    do(his, "Cancel delivery")
    expect(his).to_have_url(ANY_LIST)
    carrepsa.has(FULL, FULL, FULL)
    assert state(olga, package) == "available"
    expect(package_card(hers, package["title"])).to_contain_text(re.compile("available", re.I))
    open_tab(his, "My deliveries")
    expect(package_card(his, package["title"])).to_have_count(0)
    open_tab(his, "Search")
    expect(package_card(his, package["title"])).to_be_visible()
    deliver_by_another_carrier(carrepsa, hers, sign_in(zoe), zoe, package)
    karl.call("GET", f"/carrepsa/packages/{package['id']}", expect=404)
