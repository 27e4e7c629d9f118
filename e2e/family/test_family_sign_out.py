"""Children and parents sign out, and stay signed in until then: F-17, F-18."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home, is_signed_in, open_tab, sign_in_by_link, sign_out_by_menu
from support.pages import until, words

TEN_MINUTES = 600


@pytest.mark.spec("F-17-N")
def test_a_child_signs_out(engine, server, home, phone):
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    sign_out_by_menu(page)
    expect(page.get_by_label(re.compile("email", re.I))).to_be_visible()
    assert not is_signed_in(page)
    page.goto("/family/account")
    page.wait_for_url(re.compile("/sign-in"))
    assert home.parent.call("GET", f"/family/children/{home.mia['id']}/devices", expect=200)["items"] == []


@pytest.mark.spec("F-17-A")
def test_a_child_stays_signed_in_offline_and_closed(engine, server, home, phone):
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    page.goto("/family")
    page.context.set_offline(True)
    until(page, "() => !navigator.onLine")
    page.context.set_offline(False)
    page.goto("/family/account")
    expect(page.locator("main")).to_contain_text("Mia")
    kept = page.context.storage_state()
    page.context.close()
    again = phone(server, storage_state=kept)
    again.goto("/family/account")
    expect(again).to_have_url(re.compile("/family/account$"))
    expect(again.locator("main")).to_contain_text("Mia")


@pytest.mark.spec("F-18-N")
def test_a_parent_signs_out(engine, home, sign_in):
    page = sign_in(home.parent)
    page.goto("/family")
    sign_out_by_menu(page)
    expect(page.get_by_label(re.compile("email", re.I))).to_be_visible()
    assert not is_signed_in(page)


@pytest.mark.spec("F-18-B")
def test_a_parent_stays_signed_in(home, sign_in):
    page = sign_in(home.parent)
    page.clock.install()
    page.goto("/family")
    tabs = page.get_by_role("navigation").get_by_role("link", name=words("Account"))
    expect(tabs).to_be_visible()
    page.clock.fast_forward(TEN_MINUTES * 1000)
    expect(tabs).to_be_visible()
    open_tab(page, "Account")
    expect(page).to_have_url(re.compile("/family/account$"))
    expect(tabs).to_be_visible()
