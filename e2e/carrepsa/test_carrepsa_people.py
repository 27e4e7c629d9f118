"""The people of a delivery, sign-up and sign-in: C-09 to C-14."""

import re

import pytest
from playwright.sync_api import expect

from support.carrepsa import (
    LOCK,
    REWARD,
    SEARCH,
    START,
    act,
    field,
    listed,
    open_package,
    open_tab,
    package_card,
    post,
    pull,
    shows_balance,
    state,
)
from support.pages import words
from support.server import Person

FULL = (START, 0)


def person_json(asker, someone):
    return asker.call("GET", f"/carrepsa/people/{someone.id}", expect=200)


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


def open_profile_of(page, someone):
    page.get_by_role("main").get_by_role("link").filter(has_text=someone.name).first.click()
    expect(page).to_have_url(re.compile(f"/carrepsa/people/{someone.id}"))


@pytest.mark.spec("C-09")
def test_owner_sees_how_to_contact_the_carrier(engine, carrepsa, sign_in):
    olga, karl, eve = carrepsa.add_person("Olga"), carrepsa.add_person("Karl"), carrepsa.add_person("Eve")
    package = post(olga, "Bike helmet")
    assert (person_json(olga, karl)["email"], person_json(olga, karl)["phone"]) == (None, None)
    act(karl, package, "acceptance")
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK), FULL)
    page, strangers = sign_in(olga), sign_in(eve)
    open_package(page, "My packages", "Bike helmet")
    open_profile_of(page, karl)
    shows_contact(page, karl)
    assert person_json(olga, karl) == {"id": karl.id, "name": "Karl", "email": karl.email, "phone": karl.phone}

    strangers.goto(f"/carrepsa/people/{karl.id}")
    expect(strangers.locator("main")).to_contain_text("Karl")
    expect(strangers.locator("main")).not_to_contain_text(karl.email)
    expect(strangers.locator("a[href^='tel:'], main a[href^='mailto:']")).to_have_count(0)
    assert person_json(eve, karl) == {"id": karl.id, "name": "Karl", "email": None, "phone": None}
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK), FULL)


@pytest.mark.spec("C-10")
def test_carrier_sees_how_to_contact_the_owner_during_delivery(engine, carrepsa, sign_in):
    olga, karl = carrepsa.add_person("Olga"), carrepsa.add_person("Karl")
    hidden = {"id": olga.id, "name": "Olga", "email": None, "phone": None}
    shown = {**hidden, "email": olga.email, "phone": olga.phone}
    package = post(olga, "Bike helmet")
    assert person_json(karl, olga) == hidden
    act(karl, package, "acceptance")
    page, hers = sign_in(karl), sign_in(olga)
    open_package(page, "My deliveries", "Bike helmet")
    open_profile_of(page, olga)
    shows_contact(page, olga)
    assert person_json(karl, olga) == shown
    act(olga, package, "pickup")
    assert person_json(karl, olga) == shown
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK))

    act(olga, package, "delivery")
    carrepsa.has((START - REWARD, 0), (START + REWARD, 0))
    open_tab(page, "My deliveries")
    expect(package_card(page, "Bike helmet")).to_have_count(0)
    page.get_by_role("link", name=words("Past")).first.click()
    expect(package_card(page, "Bike helmet")).to_be_visible()
    assert listed(karl, role="carrier", past="false") == []
    assert listed(karl, role="carrier", past="true") == ["Bike helmet"]
    page.goto(f"/carrepsa/people/{olga.id}")
    expect(page.locator("main")).to_contain_text("Olga")
    expect(page.locator("main")).not_to_contain_text(olga.email)
    expect(page.locator("a[href^='tel:'], main a[href^='mailto:']")).to_have_count(0)
    assert person_json(karl, olga) == hidden
    hers.goto(f"/carrepsa/people/{karl.id}")
    expect(hers.locator("main")).not_to_contain_text(karl.email)


def mail_popup(page):
    popup = page.get_by_role("dialog", name=words("Mail"))
    expect(popup).to_be_visible()
    expect(popup.get_by_role("heading", name=words("Mail"))).to_be_visible()
    return popup, popup.locator("input:not([type=hidden])").first


def open_mail_popup(page):
    button = re.compile(r"^\s*Mail\b", re.I)
    main = page.get_by_role("main")
    main.get_by_role("button", name=button).or_(main.get_by_role("link", name=button)).first.click()
    return mail_popup(page)


@pytest.mark.spec("C-11")
def test_the_profile_is_changed_in_popups(engine, carrepsa, sign_in):
    olga = carrepsa.add_person("Olga")
    good, bad = f"olga.{olga.id[-12:]}@example.org", "olga at home"
    page = sign_in(olga)
    open_tab(page, "Profile")
    expect(page.locator("main")).to_contain_text(olga.email)

    popup, text = open_mail_popup(page)
    expect(text).to_have_value(olga.email)
    text.fill(bad)
    popup.get_by_role("button", name=words("OK")).click()
    # The dialog stays open with the input and an error message at the field.
    popup, text = mail_popup(page)
    expect(text).to_have_attribute("aria-invalid", "true")
    described = text.get_attribute("aria-describedby").split()
    expect(popup.locator(f"#{next(one for one in described if 'error' in one)}")).not_to_be_empty()
    expect(text).to_have_value(bad)
    assert olga.call("GET", "/account", expect=200)["email"] == olga.email
    text.fill(good)
    popup.get_by_role("button", name=words("OK")).click()
    # A change of the email needs a proof, because the email decides who owns the account.
    expect(popup.get_by_text("Enter your password.")).to_be_visible()
    expect(text).to_have_value(good)
    assert olga.call("GET", "/account", expect=200)["email"] == olga.email
    popup.get_by_label("Your password").fill(olga.password)
    popup.get_by_role("button", name=words("OK")).click()
    expect(popup).to_have_count(0)
    expect(page.locator("main")).to_contain_text(good)

    open_tab(page, "Search")
    open_tab(page, "Profile")
    expect(page.locator("main")).to_contain_text(good)
    _, text = open_mail_popup(page)
    expect(text).to_have_value(good)
    assert olga.call("GET", "/account", expect=200)["email"] == good
    carrepsa.has(FULL)


def fill_sign_up(page, name, email, phone, password="correct horse battery"):
    field(page, "Name").fill(name)
    page.get_by_label(re.compile("e-?mail", re.I)).fill(email)
    page.get_by_label(re.compile("^password", re.I)).fill(password)
    page.get_by_label(re.compile("phone", re.I)).fill(phone)


def welcome_link(page, name):
    return page.get_by_role("link", name=words(name)).or_(page.get_by_role("button", name=words(name))).first


@pytest.mark.spec("C-12")
def test_sign_up_leads_to_the_search(engine, server, carrepsa, phone):
    page = phone(server)
    page.goto("/carrepsa")
    welcome_link(page, "Sign up").click()
    email = f"newcomer-{engine}-{Person.count}@example.org"
    fill_sign_up(page, "Nora", email, phone="")
    submit = page.get_by_role("main").get_by_role(
        "button", name=re.compile("^(sign up|register|create account)$", re.I))
    submit.click()
    expect(page.get_by_label(re.compile("phone", re.I))).to_have_attribute("aria-invalid", "true")
    fill_sign_up(page, "Nora", email, phone="+49 151 7654321")
    submit.click()
    expect(page).to_have_url(SEARCH)
    expect(page.locator("[aria-current=page]")).to_contain_text("Search")
    open_tab(page, "Profile")
    expect(page.locator("main")).to_contain_text("Nora")
    expect(page.locator("main")).to_contain_text(email)
    wallet = page.evaluate(
        "async () => (await fetch('/carrepsa/wallet', {headers: {Accept: 'application/json'}})).json()")
    assert (wallet["balance"], wallet["held"]) == (START, 0)


@pytest.mark.spec("C-13")
def test_sign_in_leads_to_the_search(engine, server, carrepsa, phone):
    olga = carrepsa.add_person("Olga")
    page = phone(server)
    page.goto("/carrepsa")
    welcome_link(page, "Login").click()
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
    his, thirds = sign_in(karl), sign_in(zoe)
    for page in (his, thirds):
        open_tab(page, "Search")
        expect(page.locator("html")).to_have_attribute("data-live", "open")
    title = f"Parcel of {olga.id[-6:]}"
    package = post(olga, title)
    for page in (his, thirds):
        expect(package_card(page, title)).to_be_visible()
    act(karl, package, "acceptance")
    expect(package_card(thirds, title)).to_have_count(0)
    carrepsa.has((START - REWARD, REWARD), (START - LOCK, LOCK), FULL)
    olga.call("DELETE", f"/carrepsa/packages/{package['id']}/acceptance", expect=200)
    expect(package_card(thirds, title)).to_be_visible()
    olga.call("DELETE", f"/carrepsa/packages/{package['id']}", expect=204)
    expect(package_card(thirds, title)).to_have_count(0)
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
