"""More of Family for parents with Tab, Enter and Escape only: codes, devices, invitations, requests, changing and
deleting."""

import re

import pytest
from playwright.sync_api import expect

from support.children import Household, home, is_signed_in
from support.family import names, score
from support.keys import Keyboard, button, choose_from_menu, heading, row, settled
from support.pages import words


@pytest.fixture
def keys(engine, home, sign_in):
    """Paula's keyboard, on Mia's profile."""
    page = sign_in(home.parent)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/family/children/{home.mia['id']}")
    settled(page)
    return Keyboard(page)


def copies(keys, source):
    keys.enter(button(keys.page, "Copy link"))
    expect(keys.page.locator("[data-toast]", has_text="Copied")).to_be_visible()
    link = keys.page.locator(source).inner_text()
    assert keys.page.evaluate("() => navigator.clipboard.readText()") == link
    return link


def test_a_code_is_shown_replaced_and_its_device_signed_out(server, home, keys):
    page = keys.page
    choose_from_menu(keys, "QR code Scan")
    expect(page.locator("[data-code]")).to_be_visible()
    settled(page)
    link = copies(keys, "#code-link")
    # The focused button disappears with the code that a device has used.
    status, _, _ = server.request("POST", "/family/sign-in", {"code": link.split("code=")[1]})
    assert status == 201
    expect(page.get_by_role("status").filter(has_text="Mia is signed in")).to_be_visible()
    expect(page.locator("#code-link")).not_to_have_text(link)
    keys.keeps_focus()
    # Another parent creates a newer code. This page then offers a button for the next one.
    home.parent.code(home.mia)
    expect(page.locator("[data-code]")).to_have_count(0)
    keys.enter(button(page, "Show a new code"))
    expect(page.locator("[data-code]")).to_be_visible()
    keys.keeps_focus()

    keys.goes(page.locator("[data-back]"), f"/family/children/{home.mia['id']}$")
    page.goto(f"/family/children/{home.mia['id']}/devices")
    settled(page)
    keys.confirms(page.locator("#family-devices").get_by_role("button", name=words("Sign out")))
    expect(page.get_by_text("Not signed in anywhere")).to_be_visible()
    settled(page)
    keys.enter(button(page, "Revoke open codes"))
    expect(page.get_by_text("All open codes were revoked")).to_be_visible()
    assert home.parent.call("GET", f"/family/children/{home.mia['id']}/devices", expect=200)["items"] == []


def test_another_parent_is_invited_and_joins(server, home, keys, sign_in):
    page = keys.page
    page.goto("/family/account")
    keys.goes(row(page, "Invite a parent"), "/family/invitations$")
    keys.type(page.get_by_label("Your password"), home.parent.password)
    keys.enter(button(page, "Create an invitation"))
    expect(page.locator("#invitation-link")).to_be_visible()
    keys.keeps_focus()
    link = copies(keys, "#invitation-link")
    keys.goes(page.get_by_role("link", name=words("Done")), "/family/account$")

    otto = Household(server, "Otto")
    other = sign_in(otto)
    other.goto(link)
    settled(other)
    Keyboard(other).enter(button(other, "Join"))
    expect(other).to_have_url(re.compile("/family$"))
    expect(other.locator("main")).to_contain_text("Mia")
    assert sorted(names(otto, "/family/parents")) == ["Otto", "Paula"]


def test_requests_are_answered_and_a_reward_is_ticked_off(home, keys):
    page, paula, mia = keys.page, home.parent, home.mia
    paula.contract(mia)
    device = paula.device(mia)
    for chore in (paula.chore("Dishes"), paula.chore("Dog")):
        device.call("POST", f"/family/children/{mia['id']}/requests", {"choreId": chore["id"]}, expect=201)
    keys.enter(button(page, "Give 3 points for “Dishes”"))
    expect(page.locator("#finished")).to_contain_text("Dishes")
    settled(page)
    keys.goes(page.get_by_role("link", name=words("Decline “Dog”")), "view=decline")
    keys.enter(page.locator("#decline-form").get_by_role("button", name=words("Decline")))
    expect(page).to_have_url(re.compile(f"/family/children/{mia['id']}$"))
    expect(page.locator("#requests")).to_have_count(0)
    settled(page)
    assert score(paula, mia) == (3, 3, 1)
    tick = page.get_by_role("checkbox", name=re.compile("Ice cream"))
    for is_over in (True, False):
        keys.to(tick)
        page.keyboard.press("Space")
        expect(tick).to_be_checked(checked=is_over)
        settled(page)
        contract = paula.call("GET", f"/family/children/{mia['id']}", expect=200)["contract"]
        assert bool(contract["levels"][0]["handedOverAt"]) == is_over
    keys.goes(row(page, "Contracts so far"), "/contracts$")


def test_child_is_changed_deleted_and_restored(home, keys):
    page, paula = keys.page, home.parent
    edit = page.get_by_role("main").get_by_role("link", name=words("Edit"))
    sheet = page.locator("dialog#edit")
    keys.opens_and_escapes(edit, sheet)
    keys.enter(edit)
    expect(sheet).to_be_visible()
    keys.type(sheet.locator("#name"), "Mia Sofia").escape()
    # Escape doesn't discard the input without a confirmation.
    expect(page.get_by_role("alertdialog")).to_contain_text("Discard")
    keys.answer("Keep editing")
    expect(sheet.locator("#name")).to_be_focused()
    expect(sheet.locator("#name")).to_have_value("Mia Sofia")
    keys.chooses(sheet.get_by_role("radio", name=words("Space")))
    keys.enter(button(sheet, "Update"))
    expect(page).to_have_url(re.compile("/family$"))
    now = paula.call("GET", f"/family/children/{home.mia['id']}", expect=200)
    assert (now["name"], now["theme"]) == ("Mia Sofia", "space")

    page.goto(f"/family/children/{home.mia['id']}")
    settled(page)
    keys.enter(edit)
    expect(sheet).to_be_visible()
    keys.confirms(button(sheet, "Delete Mia Sofia"), "Delete")
    expect(page).to_have_url(re.compile("/family$"))
    assert names(paula) == ["Ben"]
    settled(page)
    keys.enter(page.locator("#toasts").get_by_role("button", name=words("Undo")))
    expect(page.get_by_role("link", name=words("Mia Sofia"))).to_be_visible()


def test_chore_is_changed_deleted_and_restored(home, keys):
    page, paula = keys.page, home.parent
    paula.chore("Dishes")
    page.goto("/family/account")
    keys.goes(row(page, "Dishes"), "/edit$")
    edit = page.url
    keys.type(page.locator("#name"), "Laundry").enter()
    expect(page).to_have_url(re.compile("/family/account"))
    assert names(paula, "/family/chores") == ["Laundry"]
    page.goto(edit)
    settled(page)
    keys.enter(button(page, "Delete chore"))
    expect(page).to_have_url(re.compile("/family/account"))
    assert names(paula, "/family/chores") == []
    settled(page)
    keys.enter(page.locator("#toasts").get_by_role("button", name=words("Undo")))
    expect(row(page, "Laundry")).to_be_visible()


def test_parent_registers_and_changes_own_profile(engine, server, phone):
    page = phone(server)
    keys = Keyboard(page)
    page.goto("/family")
    keys.enter(page.get_by_role("main").get_by_role("link", name=words("Register")))
    expect(page.locator("#dateOfBirth")).to_be_visible()
    email = f"by-keys-{id(page)}-{server.port}@example.org"
    keys.type(page.locator("#name"), "Ada").type(page.locator("#email"), email)
    keys.type(page.locator("#password"), "correct horse battery").type(page.locator("#dateOfBirth"), "05051984").enter()
    expect(heading(page, "Family")).to_be_visible()
    assert is_signed_in(page)

    page.goto("/family/account")
    settled(page)
    edit, sheet = page.get_by_role("main").get_by_role("link", name=words("Edit")), page.locator("dialog#edit")
    keys.opens_and_escapes(edit, sheet)
    keys.enter(edit)
    keys.type(sheet.locator("#name"), "")
    page.keyboard.press("Delete")
    keys.enter(button(sheet, "Update"))
    expect(sheet.locator("#name")).to_have_attribute("aria-invalid", "true")
    expect(sheet.locator("#name")).to_be_focused()
    keys.type(sheet.locator("#name"), "Ada L.")
    keys.chooses(sheet.locator("input[name=avatarPictureId]").nth(2))
    keys.enter(button(sheet, "Update"))
    expect(page.get_by_role("main")).to_contain_text("Ada L.")
