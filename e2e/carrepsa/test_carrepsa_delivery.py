"""The delivery of a package, from the owner's payment to the carrier's reward, and too little money."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import (
    ANY_LIST,
    LOCK,
    MINE,
    REWARD,
    START,
    action,
    do,
    field,
    fill_request,
    listed,
    open_card,
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
    package = olga.call("GET", "/carrepsa/packages?role=owner")["items"][0]
    assert (package["title"], package["from"], package["to"], package["weight"], package["reward"],
            package["moneyLock"]) == (
        "Riding helmet", "Aachen", "Bonn", 1_200, REWARD, LOCK)
    assert (package["state"], package["funded"], package["carrier"]) == ("available", True, None)
    carrepsa.has((START - REWARD, REWARD), FULL)
    open_tab(hers, "My packages")
    expect(package_card(hers, "Riding helmet")).to_be_visible()

    open_package(his, "Search", "Riding helmet")
    do(his, "Accept delivery")
    expect(his).to_have_url(ANY_LIST)
    assert state(karl, package) == "accepted"
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))
    open_tab(his, "My deliveries")
    expect(package_card(his, "Riding helmet")).to_be_visible()

    # The owner's open list follows.
    expect(package_card(hers, "Riding helmet")).to_contain_text(re.compile("accepted", re.I))
    open_card(hers, "Riding helmet")
    do(hers, "Confirm pickup")
    expect(hers).to_have_url(MINE)
    expect(package_card(hers, "Riding helmet")).to_contain_text(re.compile("travelling", re.I))
    assert state(karl, package) == "travelling"
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))

    open_card(hers, "Riding helmet")
    do(hers, "Confirm delivery")
    expect(hers).to_have_url(MINE)
    assert state(karl, package) == state(olga, package) == "delivered"
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0))
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
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    package = post(olga, "Cello", moneyLock=START + 1)
    page = sign_in(karl)
    page.goto(f"/carrepsa/packages/{package['id']}")
    button = action(page, "Accept delivery").first
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    address = page.url
    tap_blocked(button)
    expect(page.locator("#toasts").get_by_text(re.compile("insufficient|not enough", re.I))).to_be_visible()
    assert page.url == address
    assert state(olga, package) == "available"
    carrepsa.has((START - REWARD, REWARD), FULL)
