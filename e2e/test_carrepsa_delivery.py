"""A parcel's way from the owner's wallet to the carrier's, and back: C-01 to C-08."""

import re

import pytest
from playwright.sync_api import expect

from support.pages import words
from support.parcels import (
    ANY_LIST, LOCK, MINE, REWARD, START, act, action, do, field, fill_request, lie_over_each_other, listed,
    open_parcel, open_tab, parcel, post, shows_balance, state, tap_blocked,
)

FULL = (START, 0)


@pytest.mark.smoke
@pytest.mark.spec("C-01")
def test_a_whole_delivery(engine, village, sign_in):
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl")
    hers, his = sign_in(olga), sign_in(karl)

    open_tab(hers, "New")
    fill_request(hers, "Bike helmet")
    do(hers, "Request delivery")
    expect(hers).to_have_url(ANY_LIST)
    expect(parcel(hers, "Bike helmet")).to_be_visible()
    package = olga.call("GET", "/carrepsa/packages?role=owner")["items"][0]
    assert (package["title"], package["from"], package["to"], package["weight"], package["reward"], package["moneyLock"]) == (
        "Bike helmet", "Aachen", "Bonn", 1_200, REWARD, LOCK)
    assert (package["state"], package["funded"], package["carrier"]) == ("available", True, None)
    village.has((START - REWARD, REWARD), FULL)
    shows_balance(hers, START - REWARD)

    open_tab(his, "Search")
    field(his, "From").fill("bonn")
    expect(parcel(his, "Bike helmet")).to_have_count(0)
    field(his, "From").fill("aach")
    field(his, "To").fill("BONN")
    field(his, "Up to").fill("1.1")
    expect(parcel(his, "Bike helmet")).to_have_count(0)
    field(his, "Up to").fill("1.2")
    expect(parcel(his, "Bike helmet")).to_be_visible()
    parcel(his, "Bike helmet").get_by_role("link").first.click()
    expect(his.get_by_role("heading", name="Bike helmet").first).to_be_visible()
    do(his, "Accept delivery")
    expect(his).to_have_url(ANY_LIST)
    assert state(karl, package) == "accepted"
    village.has((START - REWARD, REWARD), (START - LOCK, LOCK))
    open_tab(his, "My deliveries")
    expect(parcel(his, "Bike helmet")).to_be_visible()
    shows_balance(his, START - LOCK)

    open_parcel(hers, "My packages", "Bike helmet")
    do(hers, "Confirm pickup")
    expect(hers).to_have_url(MINE)
    expect(parcel(hers, "Bike helmet")).to_contain_text(re.compile("travelling", re.I))
    assert state(karl, package) == "travelling"
    village.has((START - REWARD, REWARD), (START - LOCK, LOCK))

    open_parcel(hers, "My packages", "Bike helmet")
    do(hers, "Confirm delivery")
    expect(hers).to_have_url(MINE)
    assert state(karl, package) == state(olga, package) == "delivered"
    village.has((START - REWARD, 0), (START + REWARD, 0))
    shows_balance(hers, START - REWARD)
    shows_balance(his, START + REWARD)


@pytest.mark.spec("C-01")
@pytest.mark.parametrize("query, found", [
    ("from=aachen", True), ("from=ACH", True), ("from=bonn", False), ("to=bonn", True), ("to=koln", False),
    ("maxWeight=1200", True), ("maxWeight=1199", False), ("from=a&to=b&maxWeight=5000", True), ("from=%C3%A4ach", True),
])
def test_the_search_is_filtered(engine, village, query, found):
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl")
    title = f"Parcel of {olga.id}"
    post(olga, title)
    values = dict(part.split("=") for part in query.split("&"))
    assert (title in listed(karl, limit=200, **values)) == found


@pytest.mark.spec("C-01")
def test_places_are_found_whatever_their_case_and_accents(engine, village):
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl")
    title = f"Parcel of {olga.id}"
    post(olga, title, **{"from": "Köln-Mülheim", "to": "Liège"})
    for query in ({"from": "koln"}, {"from": "koeln"}, {"from": "KOELN-MUELHEIM"}, {"from": "M%C3%9CLHEIM"}, {"to": "liege"}, {"to": "LI%C3%88GE"}):
        assert title in listed(karl, limit=200, **query), query


@pytest.mark.spec("C-02")
def test_a_reward_above_the_balance_is_told_and_refused(engine, village, sign_in):
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl")
    page, other = sign_in(olga), sign_in(karl)
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
    village.has(FULL, FULL)

    # The server doesn't rely on the page.
    answer = post(olga, "Gold bar", reward=START + 1, expect=409)
    assert answer["error"]["code"] == "insufficient_funds" and list(answer["error"]["fields"]) == ["reward"]
    village.has(FULL, FULL)
    open_tab(other, "Search")
    expect(parcel(other, "Gold bar")).to_have_count(0)

    # A reward that is just the balance may be offered, by the button that the toast keeps clear of.
    expect(toast).to_be_visible()
    assert not lie_over_each_other(page.locator("#toasts [data-toast]").first, button)
    reward.fill("100.00")
    expect(button).not_to_have_attribute("aria-disabled", "true")
    do(page, "Request delivery")
    expect(parcel(page, "Gold bar")).to_be_visible()
    village.has((0, START), FULL)


@pytest.mark.spec("C-02")
def test_without_script_the_server_says_that_the_reward_is_too_high(engine, village, sign_in):
    olga = village.neighbour("Olga")
    page = sign_in(olga, java_script_enabled=False)
    page.goto("/carrepsa/packages/new")
    fill_request(page, "Gold bar", reward="100.01")
    action(page, "Request delivery").first.click()
    expect(page.get_by_text(re.compile("not enough money", re.I)).first).to_be_visible()
    expect(field(page, "Title")).to_have_value("Gold bar")
    assert listed(olga, role="owner") == []
    village.has(FULL)


@pytest.mark.spec("C-03")
def test_a_money_lock_above_the_balance_is_told_and_refused(engine, village, sign_in):
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl", start=LOCK - 1)
    package = post(olga, "Cello")
    village.has((START - REWARD, REWARD), (LOCK - 1, 0))
    page, other = sign_in(karl), sign_in(olga)
    open_parcel(page, "Search", "Cello")
    button = action(page, "Accept delivery").first
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    address = page.url
    tap_blocked(button)
    expect(page.locator("#toasts").get_by_text(re.compile("insufficient|not enough", re.I))).to_be_visible()
    assert page.url == address
    village.has((START - REWARD, REWARD), (LOCK - 1, 0))

    answer = act(karl, package, "acceptance", expect=409)
    assert answer["error"]["code"] == "insufficient_funds" and list(answer["error"]["fields"]) == ["moneyLock"]
    assert state(olga, package) == "available"
    assert listed(karl, role="carrier") == []
    open_tab(other, "My packages")
    expect(parcel(other, "Cello")).to_contain_text(re.compile("available", re.I))
    village.has((START - REWARD, REWARD), (LOCK - 1, 0))


@pytest.mark.smoke
@pytest.mark.spec("C-04")
def test_cancelling_an_available_parcel_pays_back_and_removes_it(engine, village, sign_in):
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl")
    package = post(olga, "Lamp")
    hers, his = sign_in(olga), sign_in(karl)
    open_tab(his, "Search")
    expect(parcel(his, "Lamp")).to_be_visible()
    village.has((START - REWARD, REWARD), FULL)

    open_parcel(hers, "My packages", "Lamp")
    do(hers, "Cancel request")
    expect(hers).to_have_url(ANY_LIST)
    village.has(FULL, FULL)
    open_tab(hers, "My packages")
    expect(parcel(hers, "Lamp")).to_have_count(0)
    expect(parcel(his, "Lamp")).to_have_count(0)
    for query in ({}, {"role": "owner"}, {"role": "owner", "past": "true"}):
        assert "Lamp" not in listed(olga, **query)
    assert "Lamp" not in listed(karl)
    for someone in (olga, karl):
        someone.call("GET", f"/carrepsa/packages/{package['id']}", expect=404)
    olga.call("DELETE", f"/carrepsa/packages/{package['id']}", expect=404)
    assert [entry["amount"] for entry in olga.call("GET", "/carrepsa/wallet/entries")["items"]][:2] == [REWARD, -REWARD]


def accepted(village, *names):
    """A parcel that the second of them has accepted from the first."""
    people = [village.neighbour(name) for name in names]
    package = post(people[0], f"Parcel of {people[0].id[-6:]}")
    act(people[1], package, "acceptance")
    village.has((START - REWARD, REWARD), (START - LOCK, LOCK), *[FULL] * (len(names) - 2))
    return people, package


@pytest.mark.spec("C-05")
def test_the_owner_cancels_an_accepted_delivery(engine, village, sign_in):
    (olga, karl), package = accepted(village, "Olga", "Karl")
    hers, his = sign_in(olga), sign_in(karl)
    open_tab(his, "My deliveries")
    expect(parcel(his, package["title"])).to_be_visible()
    open_parcel(hers, "My packages", package["title"])
    do(hers, "Cancel delivery")
    expect(hers).to_have_url(MINE)
    village.has(FULL, FULL)
    assert state(olga, package) == "available"
    expect(parcel(hers, package["title"])).to_contain_text(re.compile("available", re.I))
    expect(parcel(his, package["title"])).to_have_count(0)
    open_tab(his, "Search")
    expect(parcel(his, package["title"])).to_be_visible()


@pytest.mark.spec("C-06")
def test_the_carrier_cancels_an_accepted_delivery(engine, village, sign_in):
    (olga, karl), package = accepted(village, "Olga", "Karl")
    hers, his = sign_in(olga), sign_in(karl)
    open_tab(hers, "My packages")
    open_parcel(his, "My deliveries", package["title"])
    do(his, "Cancel delivery")
    expect(his).to_have_url(ANY_LIST)
    village.has(FULL, FULL)
    assert state(olga, package) == "available"
    expect(parcel(hers, package["title"])).to_contain_text(re.compile("available", re.I))
    open_tab(his, "My deliveries")
    expect(parcel(his, package["title"])).to_have_count(0)
    open_tab(his, "Search")
    expect(parcel(his, package["title"])).to_be_visible()


def carried_by_a_third(village, sign_in, olga, zoe, package):
    """From `available` and unfunded to the end; the one who had it before looks on."""
    hers, thirds = sign_in(olga), sign_in(zoe)
    village.has(FULL, FULL, FULL)
    open_parcel(thirds, "Search", package["title"])
    do(thirds, "Accept delivery")
    expect(thirds).to_have_url(ANY_LIST)
    village.has((START - REWARD, REWARD), FULL, (START - LOCK, LOCK))
    open_parcel(hers, "My packages", package["title"])
    do(hers, "Confirm pickup")
    assert state(zoe, package) == "travelling"
    village.has((START - REWARD, REWARD), FULL, (START - LOCK, LOCK))
    open_parcel(hers, "My packages", package["title"])
    do(hers, "Confirm delivery")
    assert state(zoe, package) == "delivered"
    village.has((START - REWARD, 0), FULL, (START + REWARD, 0))
    shows_balance(hers, START - REWARD)
    shows_balance(thirds, START + REWARD)


@pytest.mark.spec("C-07")
def test_after_the_owner_cancelled_somebody_else_carries_it(engine, village, sign_in):
    (olga, karl, zoe), package = accepted(village, "Olga", "Karl", "Zoe")
    page = sign_in(olga)
    open_parcel(page, "My packages", package["title"])
    do(page, "Cancel delivery")
    carried_by_a_third(village, sign_in, olga, zoe, package)
    karl.call("GET", f"/carrepsa/packages/{package['id']}", expect=404)


@pytest.mark.smoke
@pytest.mark.spec("C-08")
def test_after_the_carrier_cancelled_somebody_else_carries_it(engine, village, sign_in):
    (olga, karl, zoe), package = accepted(village, "Olga", "Karl", "Zoe")
    page = sign_in(karl)
    open_parcel(page, "My deliveries", package["title"])
    do(page, "Cancel delivery")
    carried_by_a_third(village, sign_in, olga, zoe, package)
    karl.call("GET", f"/carrepsa/packages/{package['id']}", expect=404)


@pytest.mark.spec("C-07")
def test_an_owner_who_spent_the_reward_meanwhile_is_told_and_nobody_pays(engine, village, sign_in):
    (olga, karl, zoe), package = accepted(village, "Olga", "Karl", "Zoe")
    act(olga, package, "acceptance", method="DELETE", expect=200)
    post(olga, "Piano", reward=START)
    village.has((0, START), FULL, FULL)
    page, hers = sign_in(zoe), sign_in(olga)
    open_tab(page, "Search")
    expect(parcel(page, package["title"])).to_contain_text(re.compile("not funded", re.I))
    parcel(page, package["title"]).get_by_role("link").first.click()
    expect(action(page, "Accept delivery").first).to_have_attribute("aria-disabled", "true")
    answer = act(zoe, package, "acceptance", expect=409)
    assert answer["error"]["code"] == "reward_not_funded"
    village.has((0, START), FULL, FULL)
    open_parcel(hers, "My packages", package["title"])
    expect(hers.get_by_text(re.compile("no longer covers the reward", re.I)).first).to_be_visible()
    # Withdrawing what isn't funded moves nothing.
    do(hers, "Cancel request")
    expect(hers).to_have_url(ANY_LIST)
    village.has((0, START), FULL, FULL)
    assert not [entry for entry in olga.call("GET", "/carrepsa/wallet/entries")["items"] if entry["amount"] == 0]


@pytest.mark.spec("C-04", "C-05", "C-06")
def test_without_script_a_page_asks_before_something_is_called_off(engine, village, sign_in):
    olga, karl = village.neighbour("Olga"), village.neighbour("Karl")
    package = post(olga, "Lamp")
    hers, his = sign_in(olga, java_script_enabled=False), sign_in(karl, java_script_enabled=False)
    address = f"/carrepsa/packages/{package['id']}"

    def is_asked(page, label, question, money):
        page.goto(address)
        action(page, label).click()
        expect(page.get_by_role("heading", name=words(question))).to_be_visible()
        village.has(*money)
        page.get_by_role("link", name=words("Keep it")).click()
        expect(page).to_have_url(re.compile(address + "$"))
        village.has(*money)
        action(page, label).click()
        expect(page.get_by_role("heading", name=words(question))).to_be_visible()
        action(page, label).click()

    under_way = ((START - REWARD, REWARD), (START - LOCK, LOCK))
    for page, place in ((his, ANY_LIST), (hers, MINE)):
        act(karl, package, "acceptance")
        is_asked(page, "Cancel delivery", "Cancel this delivery?", under_way)
        expect(page).to_have_url(place)
        assert state(olga, package) == "available"
        village.has(FULL, FULL)

    is_asked(hers, "Cancel request", "Cancel this request?", (FULL, FULL))
    expect(hers).to_have_url(MINE)
    olga.call("GET", address, expect=404)
    village.has(FULL, FULL)
