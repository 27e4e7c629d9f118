"""Forgotten passwords, other devices, photos and names with Tab, Enter and Escape only."""

import re

import pytest
from playwright.sync_api import expect

from support.children import is_signed_in
from support.keys import Keyboard, button, row, settled
from support.mails import MailCommand
from support.pages import png_file, words
from support.server import Person

ANOTHER = "another horse battery"


@pytest.fixture
def mailed(own_server, tmp_path):
    """A server that sends mails, and a function that returns the links in them."""
    mails = MailCommand(tmp_path)
    return own_server(environment=mails.environment), lambda start: mails.link(start=f"{start}/")


def test_forgotten_password_is_reset_by_an_emailed_link(mailed, phone):
    server, way = mailed
    ada = Person(server)
    page = phone(server)
    keys = Keyboard(page)
    # A password reset is sent to a confirmed address only.
    page.goto(way("/email-verifications"))
    keys.enter(button(page, "Confirm"))
    expect(page.get_by_text("Email confirmed")).to_be_visible()

    page.goto("/sign-in?return=/account")
    keys.enter(page.get_by_role("link", name=words("Forgot your password?")))
    expect(page).to_have_url(re.compile("/forgotten-password$"))
    keys.type(page.locator("#email"), ada.email).enter()
    expect(page.get_by_role("status").filter(has_text="a link is on its way")).to_be_visible()

    page.goto(way("/password-resets"))
    password = page.locator("#password")
    keys.type(password, "short").enter()
    expect(password).to_have_attribute("aria-invalid", "true")
    expect(password).to_be_focused()
    keys.type(password, ANOTHER).enter()
    expect(page).to_have_url(re.compile("/sign-in"))
    expect(page.get_by_text("Your password is set. Sign in with it.")).to_be_visible()
    page.goto("/sign-in?return=/account")
    keys.type(page.locator("#email"), ada.email).type(page.locator("#password"), ANOTHER).enter()
    page.wait_for_url(lambda url: "/sign-in" not in url)
    assert is_signed_in(page)


def test_another_device_is_signed_out_and_the_password_changed(engine, server, person, sign_in):
    ada = person("Ada")
    page, other = sign_in(ada), sign_in(ada)
    keys = Keyboard(page)
    page.goto("/account/sessions")
    settled(page)
    there = page.locator("#devices li").filter(has_text="Chrome on Android").filter(has_not_text="This device")
    expect(there).to_have_count(1)
    keys.confirms(there.get_by_role("button"))
    expect(there).to_have_count(0)
    assert other.request.get("/account", headers={"Accept": "application/json"}).status == 401

    page.goto("/account/password")
    settled(page)
    present, new = page.get_by_label("Current password"), page.get_by_label("New password")
    keys.type(present, "wrong horse").type(new, ANOTHER).enter()
    expect(page.get_by_text("That is not your password.")).to_be_visible()
    keys.keeps_focus()
    keys.type(present, ada.password).type(new, ANOTHER).enter()
    expect(page.get_by_text("Password changed")).to_be_visible()
    for password, is_good in ((ada.password, False), (ANOTHER, True)):
        status, _, _ = server.request("POST", "/session", {"email": ada.email, "password": password})
        assert (status < 300) == is_good


def test_photos_are_added_saved_and_deleted(engine, person, sign_in):
    ada = person("Ada")
    page = sign_in(ada)
    keys = Keyboard(page)
    page.goto("/account")
    keys.goes(row(page, "Photos"), "/pictures$")
    with page.expect_file_chooser() as chooser:
        keys.enter(page.locator("#picture"))
    chooser.value.set_files(png_file())
    keys.enter(page.locator("#picture-form button"))
    tiles = page.locator(".photo-tile")
    expect(tiles).to_have_count(1)
    expect(page.get_by_text("Photo added")).to_be_visible()
    settled(page)
    with page.expect_download() as download:
        keys.enter(tiles.locator("a[download]"))
    assert download.value.path().read_bytes()[:2] == b"\xff\xd8"
    keys.confirms(tiles.get_by_role("button", name=words("Delete")))
    expect(tiles).to_have_count(0)
    assert ada.call("GET", "/pictures", expect=200)["items"] == []


def test_own_name_is_changed_and_a_change_is_cancelled(engine, person, sign_in):
    ada = person("Ada")
    page = sign_in(ada)
    keys = Keyboard(page)
    page.goto("/account")
    keys.goes(row(page, "Ada"), "/account/edit$")
    keys.type(page.locator("#name"), "Another Ada")
    keys.goes(page.locator("[data-cancel]"), "/account$")
    page.goto("/account/edit")
    expect(page.locator("#name")).to_have_value("Ada")
    keys.type(page.locator("#name"), "Ada L.").enter()
    expect(row(page, "Ada L[.]")).to_be_visible()
    assert ada.call("GET", "/account", expect=200)["name"] == "Ada L."
