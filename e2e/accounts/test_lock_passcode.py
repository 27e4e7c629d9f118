"""The passcode of the app lock: setting, changing, resetting and turning it off."""

import re

import pytest
from playwright.sync_api import expect

from support.lock import RIGHT, button, field, heading, set_passcode, unlock
from support.pages import FIVE_SECONDS, open_list, words


def fill_new(page, first, second):
    field(page, "New passcode").fill(first)
    field(page, "Repeat the passcode").fill(second)
    button(page, "Save").click()


@pytest.mark.spec("T-5-1-1")
def test_passcode_view_explains_itself_and_has_a_field(person, sign_in):
    page = sign_in(person())
    open_list(page)
    # Tracking offers it when it is opened for the first time.
    offer = page.get_by_role("region", name=re.compile("passcode", re.I))
    expect(offer).to_be_visible()
    offer.get_by_role("link", name=words("Set a passcode")).click()
    expect(heading(page, "Set a passcode")).to_be_visible(timeout=FIVE_SECONDS)
    expect(page.locator(".lock-art [data-icon='lock']")).to_have_count(1)
    expect(page.get_by_text(re.compile("protects your places"))).to_be_visible()
    expect(field(page, "New passcode")).to_be_editable()
    expect(field(page, "New passcode")).to_have_attribute("inputmode", "numeric")
    button(page, "Not now").click()
    expect(heading(page, "Items")).to_be_visible()
    expect(offer).to_have_count(0)
    page.reload()
    expect(offer).to_have_count(0)


@pytest.mark.spec("T-5-2-1")
def test_settings_list_the_lock_options(person, sign_in):
    page = sign_in(person())
    page.goto("/account")
    expect(heading(page, "Settings")).to_be_visible(timeout=FIVE_SECONDS)
    for name in ["Maps", "Light or dark", "Theme", "Language", "Notifications", "Distances", "Safe places",
                 "App lock", "Devices",
                 "Passkeys", "Download everything", "Delete"]:
        expect(page.get_by_role("main").get_by_role("link", name=re.compile(f"^{name}", re.I)).first).to_be_visible()
    page.get_by_role("main").get_by_role("link", name=re.compile("^App lock")).click()
    expect(page.get_by_role("link", name=words("Set a passcode"))).to_be_visible()


@pytest.mark.spec("T-5-1-2", "T-5-2-2", "T-5-3-1")
def test_passcode_is_set_changed_and_turned_off(engine, server, person, sign_in):
    someone = person()
    page = sign_in(someone)
    page.goto("/account/lock/passcode")
    fill_new(page, RIGHT, "271829")
    expect(page.get_by_text(re.compile("not the same")).first).to_be_visible()
    # The entry starts again with empty fields.
    expect(field(page, "New passcode")).to_have_value("")
    expect(field(page, "Repeat the passcode")).to_have_value("")
    assert someone.call("GET", "/lock", expect=200)["passcodeSet"] is False
    fill_new(page, RIGHT, RIGHT)
    expect(page.get_by_text(words("Passcode set"))).to_be_visible()
    assert someone.call("GET", "/lock", expect=200)["passcodeSet"] is True
    assert server.tables_naming(RIGHT) == []
    assert "app_lock" in server.tables_naming("$scrypt$")
    # This browser signed in before the passcode was set, so its sign-in is not recent.
    page.goto("/account/lock/passcode")
    expect(heading(page, "Change passcode")).to_be_visible()
    field(page, "Current passcode").fill(RIGHT)
    fill_new(page, "314159", "314159")
    expect(page.get_by_text(words("Passcode changed"))).to_be_visible()
    page.goto("/account/lock/off")
    field(page, "Current passcode").fill("314159")
    button(page, "Turn passcode off").click()
    expect(page.get_by_text(words("Passcode turned off"))).to_be_visible()
    assert someone.call("GET", "/lock", expect=200)["passcodeSet"] is False
    # Neither a new tab nor a new launch requires it.
    tab = page.context.new_page()
    tab.goto("/tracking/items")
    expect(heading(tab, "Items")).to_be_visible()
    page.context.clear_cookies(name="homeward-open")
    page.goto("/tracking/items")
    expect(heading(page, "Items")).to_be_visible()


def test_lock_works_without_scripts(person, sign_in):
    someone = person()
    page = sign_in(someone, java_script_enabled=False)
    set_passcode(someone)
    # Without scripts, a page that is opened by its address can't check the mark of its tab.
    page.goto("/account/lock")
    page.get_by_role("link", name=words("Continue")).click()
    button(page, "Lock now").click()
    expect(heading(page, "Locked")).to_be_visible()
    unlock(page)
    expect(heading(page, "App lock")).to_be_visible()
