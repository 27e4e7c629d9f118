"""Family for a child with Tab, Enter and Escape only: signing in by a code, requesting points, the celebration, profile
and devices."""

import re

import pytest
import segno
from playwright.sync_api import expect

from support.children import home, is_signed_in, own_card, sign_in_by_link
from support.keys import Keyboard, button, heading, row, settled, tab
from support.pages import words


@pytest.fixture
def keys(engine, server, home, phone):
    """Mia's keyboard, on her start page."""
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    settled(page)
    return Keyboard(page)


def test_child_signs_in_by_a_photo_of_its_code(engine, server, home, phone, tmp_path):
    page = phone(server)
    keys = Keyboard(page)
    page.goto("/sign-in")
    scan = page.locator("header a[href='/family/scan']")
    scanner = page.locator("dialog.scanner-dialog")
    # Until its script is loaded, the link leads to a page of its own.
    expect(scan).to_have_attribute("aria-haspopup", "dialog")
    keys.opens_and_escapes(scan, scanner)
    # On a slow machine the scanner has already searched for as long as its hint takes.
    expect(page.get_by_text(re.compile("No code (was scanned|found)"))).to_be_visible()
    keys.enter(scan)
    expect(scanner).to_be_visible()
    keys.enter(button(scanner, "Cancel"))
    expect(scanner).to_have_count(0)
    expect(scan).to_be_focused()
    keys.enter(scan)
    code = tmp_path / "code.png"
    segno.make(home.parent.code(home.mia)["url"]).save(str(code), scale=8)
    with page.expect_file_chooser() as chooser:
        keys.enter(scanner.get_by_label("Take a photo of the code"))
    chooser.value.set_files(code)
    expect(page).to_have_url(re.compile("/family$"))
    expect(own_card(page, home.mia)).to_contain_text("Mia")
    assert is_signed_in(page)


def test_points_are_requested_and_a_level_is_celebrated(home, keys):
    page, paula, mia = keys.page, home.parent, home.mia
    paula.contract(mia)
    chore = paula.chore("Dishes")
    keys.enter(page.get_by_role("link", name=words("I have done something")))
    expect(heading(page, "Mia")).to_be_visible()
    settled(page)
    ask = button(page, "I have done “Dishes”")
    keys.enter(ask)
    expect(page.locator(f"#chore-{chore['id']}")).to_contain_text("Waiting for a parent")
    settled(page)
    path = f"/family/children/{mia['id']}/requests"
    request, = paula.call("GET", path, expect=200)["items"]
    back = page.locator("[data-back]")
    keys.to(back)
    paula.call("POST", f"{path}/{request['id']}/approval", {"points": 3}, expect=201)
    celebration = page.locator(".celebration")
    expect(celebration).to_contain_text("Level 1 reached!")
    # The celebration covers the page and has the focus. Afterwards the focus returns.
    expect(button(celebration, "Great!")).to_be_focused()
    keys.enter()
    expect(celebration).to_have_count(0)
    expect(back).to_be_focused()
    paula.gives(mia, chore, 3)
    expect(celebration).to_contain_text("Level 2 reached!")
    keys.escape()
    expect(celebration).to_have_count(0)
    expect(back).to_be_focused()


def test_child_views_a_sibling_changes_its_profile_and_signs_out(home, keys):
    page, paula, mia = keys.page, home.parent, home.mia
    keys.goes(page.get_by_role("main").get_by_role("link", name=words("Ben")), f"/family/children/{home.ben['id']}$")
    expect(heading(page, "Ben")).to_be_visible()
    keys.goes(page.locator("[data-back]"), "/family$")
    keys.goes(tab(page, "Account"), "/family/account$")
    keys.goes(page.get_by_role("main").get_by_role("link", name=words("Edit")), "/family/account/edit$")
    keys.type(page.get_by_label(words("Name")), "Mia Sofia")
    keys.type(page.get_by_label(words("Date of birth")), "05052016")
    keys.chooses(page.get_by_role("radio", name=words("Space")))
    keys.chooses(page.get_by_role("radio", name=words("Cat")))
    keys.enter(button(page, "Update"))
    expect(page).to_have_url(re.compile("/family/account$"))
    stored = paula.call("GET", f"/family/children/{mia['id']}", expect=200)
    assert (stored["name"], stored["dateOfBirth"], stored["theme"]) == ("Mia Sofia", "2016-05-05", "space")
    assert stored["avatarPictureId"] != mia["avatarPictureId"]

    keys.goes(row(page, "My devices"), "/devices$")
    keys.confirms(page.locator("#family-devices").get_by_role("button", name=words("Sign out")))
    expect(page).to_have_url(re.compile("/sign-in|/family$|/$"))
    assert paula.call("GET", f"/family/children/{mia['id']}/devices", expect=200)["items"] == []
