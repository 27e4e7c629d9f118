"""The people of a delivery, sign-in, and lists that follow."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import (
    LOCK,
    REWARD,
    SEARCH,
    START,
    act,
    open_package,
    open_tab,
    package_card,
    post,
    pull,
    shows_balance,
    state,
)
from support.pages import words

FULL = (START, 0)


def shows_contact(page, someone):
    """Expects phone and email as links with large targets."""
    main = page.locator("main")
    expect(main).to_contain_text(someone.email)
    expect(main.locator(f"a[href='mailto:{someone.email}']").first).to_be_visible()
    digits = re.sub(r"\D", "", someone.phone)
    telephone = main.locator("a[href^='tel:']").first
    expect(telephone).to_be_visible()
    assert re.sub(r"\D", "", telephone.get_attribute("href")) == digits
    assert digits in re.sub(r"\D", "", main.inner_text())


@pytest.mark.spec("C-09", "C-10")
def test_owner_and_carrier_see_how_to_contact_each_other(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    act(karl, post(olga, "Bike helmet"), "acceptance")
    for person, tab, other in ((olga, "My packages", karl), (karl, "My deliveries", olga)):
        page = sign_in(person)
        open_package(page, tab, "Bike helmet")
        page.get_by_role("main").get_by_role("link").filter(has_text=other.name).first.click()
        expect(page).to_have_url(re.compile(f"/carrepsa/people/{other.id}"))
        shows_contact(page, other)
        shown = person.call("GET", f"/carrepsa/people/{other.id}", expect=200)
        assert shown == {"id": other.id, "name": other.name, "email": other.email, "phone": other.phone}


def test_a_delivered_package_is_in_the_list_of_past_ones(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    package = post(olga, "Bike helmet")
    act(karl, package, "acceptance")
    act(olga, package, "pickup")
    act(olga, package, "delivery")
    page = sign_in(karl)
    open_tab(page, "My deliveries")
    expect(package_card(page, "Bike helmet")).to_have_count(0)
    page.get_by_role("link", name=words("Past")).first.click()
    expect(package_card(page, "Bike helmet")).to_be_visible()


@pytest.mark.spec("C-13")
def test_sign_in_leads_to_the_search(engine, server, carrepsa, phone):
    olga = carrepsa.add_person("Olga")
    page = phone(server)
    page.goto("/carrepsa")
    page.get_by_role("link", name=words("Login")).click()
    page.get_by_label(re.compile("e-?mail", re.I)).fill(olga.email)
    page.get_by_label(re.compile("^password", re.I)).fill(olga.password)
    page.get_by_role("main").get_by_role("button", name=re.compile("^(login|log in|sign in)$", re.I)).click()
    expect(page).to_have_url(SEARCH)
    expect(page.locator("[aria-current=page]")).to_contain_text("Search")
    shows_balance(page, START)


@pytest.mark.spec("C-14")
def test_new_request_appears_after_pull_to_refresh(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    page, hers = sign_in(karl), sign_in(olga)
    # Without the live stream the gesture is the only way to update.
    page.add_init_script("delete window.SharedWorker; window.EventSource = class { close() {} addEventListener() {} };")
    open_tab(page, "Search")
    page.reload()
    open_tab(hers, "My packages")
    loads = []
    page.on("load", lambda: loads.append(1))
    title = f"Parcel of {olga.id[-6:]}"
    package = post(olga, title)
    expect(package_card(hers, title)).to_be_visible()
    expect(package_card(page, title)).to_have_count(0)
    pull(page)
    expect(package_card(page, title)).to_be_visible()
    assert not loads and state(karl, package) == "available"
    carrepsa.has((START - REWARD, REWARD), FULL)


@pytest.mark.spec("C-14")
def test_new_request_appears_live(engine, carrepsa, sign_in):
    olga, karl, zoe = carrepsa.add_person("Olga"), carrepsa.add_person("Karl"), carrepsa.add_person("Zoe")
    page = sign_in(zoe)
    open_tab(page, "Search")
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    title = f"Parcel of {olga.id[-6:]}"
    package = post(olga, title)
    expect(package_card(page, title)).to_be_visible()
    act(karl, package, "acceptance")
    expect(package_card(page, title)).to_have_count(0)
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK), FULL)
    olga.call("DELETE", f"/carrepsa/packages/{package['id']}/acceptance", expect=200)
    expect(package_card(page, title)).to_be_visible()
    olga.call("DELETE", f"/carrepsa/packages/{package['id']}", expect=204)
    expect(package_card(page, title)).to_have_count(0)
    carrepsa.has(FULL, FULL, FULL)


def test_operator_rights_appear_live_on_the_open_page(engine, carrepsa, sign_in):
    olga = carrepsa.add_person("Olga")
    page = sign_in(olga)
    open_tab(page, "Profile")
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    disputes = page.get_by_role("main").get_by_role("link", name=re.compile("in dispute", re.I))
    for arguments, count, status in (([], 1, 200), (["--revoke"], 0, 403)):
        done = carrepsa.server.command("account", "operator", olga.email, *arguments)
        assert done.returncode == 0, done.stderr
        expect(disputes).to_have_count(count)
        assert carrepsa.server.request("GET", "/carrepsa/ledger", token=olga.token)[0] == status
