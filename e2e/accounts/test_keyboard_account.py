"""Sign-in, pairing by code, switching and locating, settings and account deletion with Tab, Enter and Escape only."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.children import Household, is_signed_in
from support.keys import Keyboard, button, row, settled
from support.pages import card, words
from support.passkeys import Authenticator, without_suggestions
from support.patience import wait_until
from support.tracker_process import PATIENCE_SECONDS, simulator


@pytest.mark.spec("T-5-2-1")
def test_account_is_created_and_deleted(engine, server, phone):
    page = phone(server)
    page.goto("/sign-in")
    keys = Keyboard(page)
    keys.enter(page.locator("main").get_by_role("link", name=re.compile("register|create", re.I)).first)
    expect(page).to_have_url(re.compile("/register"))
    email, password = f"by-keys-{time.time_ns()}@example.org", "correct horse battery"
    keys.type(page.locator("#name"), "Ada").type(page.locator("#email"), email)
    keys.type(page.locator("#password"), password)
    keys.enter()
    page.wait_for_url(lambda url: "/register" not in url)
    assert is_signed_in(page)

    page.goto("/account")
    keys.goes(row(page, "Delete account"), "/account/delete$")
    keys.goes(page.get_by_role("link", name="Download everything"), "/account/proofs/export")
    keys.type(page.locator("main input[type=password]"), password).enter()
    expect(page.get_by_role("link", name=words("Download"))).to_be_visible()
    settled(page)
    with page.expect_download() as download:
        keys.enter(page.get_by_role("link", name=words("Download")))
    assert download.value.suggested_filename.endswith(".zip")
    page.goto("/account/delete")
    delete = button(page, "Delete account")
    keys.type(page.locator("main input[type=password]"), password)
    keys.opens_and_escapes(delete, page.get_by_role("alertdialog"))
    keys.enter(delete).answer(page.get_by_role("alertdialog").locator("[data-yes]").inner_text())
    page.wait_for_url(lambda url: "/account" not in url)
    assert not is_signed_in(page)
    assert server.request("POST", "/session", {"email": email, "password": password})[0] == 401


def test_sign_in_by_passkey(engine, server, person, sign_in, phone):
    ada = person("Ada")
    page = sign_in(ada)
    first = Authenticator(page)
    page.goto("/account/passkeys")
    keys = Keyboard(page)
    settled(page)
    keys.type(page.get_by_label("Your password"), ada.password)
    keys.enter(button(page, "Add a passkey"))
    expect(page.get_by_role("listitem").filter(has_text="Chrome on Android")).to_have_count(1)
    [credential] = first.credentials()

    other = phone(server)
    without_suggestions(other)
    second = Authenticator(other, knows_owner=False)
    second.take(credential)
    other.goto("/sign-in?return=/account")
    keys = Keyboard(other)
    by_passkey = button(other, "Sign in with a passkey")
    keys.enter(by_passkey)
    expect(other.get_by_text("or sign in with email and password")).to_be_visible()
    expect(by_passkey).not_to_have_attribute("aria-busy", "true")
    second.knows_owner()
    keys.enter(by_passkey)
    other.wait_for_url(re.compile("/account$"))
    expect(other.locator("main")).to_contain_text(ada.email)


def test_tracker_is_paired_switched_located_and_released(engine, server, person, sign_in, simulator):
    ada = person("Ada")
    # Otherwise the list ends with the question about alerts, which a toast covers.
    ada.call("PATCH", "/tracking/alerts", {"mode": "everyTime"}, expect=200)
    item = ada.add_item("Keys")
    path = f"/tracking/items/{item['id']}"
    tracker = simulator(server)
    page = sign_in(ada)
    keys = Keyboard(page)
    page.goto(path)
    keys.goes(page.get_by_role("link", name="Pair a tracker"), "/tracker$")
    keys.type(page.locator("#pair-form [name=code]"), tracker.code()).enter()
    wait_until(lambda: (ada.call("GET", path)["tracker"] or {}).get("state") == "active", PATIENCE_SECONDS)
    expect(page).to_have_url(re.compile(f"{path}$"))
    settled(page)

    page.goto("/tracking/items")
    settled(page)
    switch = card(page, "Keys").get_by_role("switch")
    for checked, state in (("false", "off"), ("true", "active")):
        keys.enter(switch)
        expect(switch).to_have_attribute("aria-checked", checked)
        wait_until(lambda: not ada.call("GET", path)["tracker"]["pending"], PATIENCE_SECONDS)
        assert ada.call("GET", path)["tracker"]["state"] == state

    keys.goes(card(page, "Keys").get_by_role("link", name=words("Keys")), f"{path}$")
    known = len(ada.call("GET", f"{path}/commands", expect=200)["items"])
    keys.enter(button(page, "Locate now"))
    wait_until(lambda: len(ada.call("GET", f"{path}/commands", expect=200)["items"]) > known, PATIENCE_SECONDS)
    assert ada.call("GET", f"{path}/commands")["items"][0]["kind"] == "locate"
    # The response replaces the buttons.
    expect(page.get_by_text("Asking Keys where it is…")).to_be_visible()
    keys.enter(button(page, "Ring"))
    expect(page.get_by_text("Asking Keys to ring…")).to_be_visible()
    assert ada.call("GET", f"{path}/commands")["items"][0]["kind"] == "ring"

    keys.goes(page.get_by_role("link", name=words("Manage")), "/tracker$")
    unpair = page.locator("form[data-confirm] button").first
    keys.opens_and_escapes(unpair, page.get_by_role("alertdialog"))
    keys.enter(unpair).answer(page.get_by_role("alertdialog").locator("[data-yes]").inner_text())
    wait_until(lambda: ada.call("GET", path)["tracker"] is None, PATIENCE_SECONDS)
    expect(page).to_have_url(re.compile(f"{path}$"))
    settled(page)


@pytest.mark.spec("T-5-2-1")
def test_the_theme_and_the_language_are_chosen(engine, server, sign_in):
    ada = Household(server)
    page = sign_in(ada)
    keys = Keyboard(page)
    for name, choice, field, value in (("Theme", "Forest", "theme", "forest"),
                                       ("Language", "Deutsch", "language", "de")):
        page.goto("/account")
        keys.goes(row(page, name), "/account/choices/")
        keys.enter(button(page, choice))
        expect(page).not_to_have_url(re.compile("/choices/"))
        assert ada.call("GET", "/account", expect=200)[field] == value
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_child_signs_in_by_link_and_signs_out(engine, server, phone):
    paula = Household(server)
    mia = paula.child("Mia")
    page = phone(server)
    page.goto(paula.code(mia)["url"])
    keys = Keyboard(page)
    keys.enter(button(page, "Sign in as Mia"))
    page.wait_for_url(re.compile("/family$"))
    tabs = page.get_by_role("navigation").get_by_role("link")
    keys.goes(tabs.last, "/family/account$")
    plus, menu = page.locator("header a.bar-icon"), page.locator("dialog.actions[open]")
    keys.opens_and_escapes(plus, menu)
    keys.enter(plus)
    expect(menu).to_be_visible()
    keys.enter(menu.get_by_role("button", name=words("Sign out")))
    page.wait_for_url(re.compile("/sign-in"))
    assert not is_signed_in(page)
    assert paula.call("GET", f"/family/children/{mia['id']}/devices", expect=200)["items"] == []
