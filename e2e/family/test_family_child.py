"""A child's own profile (F-16), and the celebration of its levels."""

import re

import pytest
from playwright.sync_api import expect

from support.children import BORN, home, open_tab, own_card, sign_in_by_link
from support.pages import words


def open_edit(page):
    open_tab(page, "Account")
    page.wait_for_url(re.compile("/family/account$"))
    page.get_by_role("main").get_by_role("link", name=words("Edit")).click()
    page.wait_for_url(re.compile("/family/account/edit$"))


def update(page):
    page.get_by_role("button", name=words("Update")).click()


@pytest.mark.spec("F-16-N")
def test_child_edits_its_profile(engine, server, home, phone):
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    open_edit(page)
    expect(page.get_by_label(words("Name"))).to_have_value("Mia")
    expect(page.get_by_label(words("Date of birth"))).to_have_value(BORN)
    expect(page.locator("input[name=theme]:checked")).to_have_value("ocean")
    expect(page.locator("input[name=avatarPictureId]:checked")).to_have_value(home.mia["avatarPictureId"])
    page.get_by_label(words("Name")).fill("Mia 🦄")
    page.get_by_label(words("Date of birth")).fill("2016-02-29")
    page.get_by_role("radio", name=words("Space")).check()
    page.get_by_role("radio", name=words("Rocket")).check()
    avatar = page.locator("input[name=avatarPictureId]:checked").get_attribute("value")
    update(page)
    page.wait_for_url(re.compile("/family/account$"))
    expect(page.locator("main")).to_contain_text("Mia 🦄")
    expect(page.locator("main")).to_contain_text("29 February 2016")
    expect(page.locator("html")).to_have_attribute("data-theme", "space")
    expect(page.locator(f"main img[src*='{avatar}']")).to_be_visible()
    open_tab(page, "Family")
    expect(own_card(page, home.mia)).to_contain_text("Mia 🦄")
    stored = home.parent.call("GET", f"/family/children/{home.mia['id']}", expect=200)
    assert (stored["name"], stored["dateOfBirth"], stored["theme"], stored["avatarPictureId"]) == (
        "Mia 🦄", "2016-02-29", "space", avatar)


def test_a_level_is_celebrated_once(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    home.parent.contract(home.mia)
    page = sign_in_by_link(phone(server, reduced_motion="no-preference"), home.parent.code(home.mia), "Mia")
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    home.parent.gives(home.mia, chore, 3)
    celebration = page.locator(".celebration")
    expect(celebration).to_contain_text("Level 1 reached!")
    expect(celebration).to_contain_text("Ice cream")
    celebration.get_by_role("button").click()
    # Once for each level.
    page.reload()
    expect(page.locator("main")).to_contain_text("3 of 10")
    expect(celebration).to_have_count(0)


def test_every_level_that_was_reached_at_once_is_celebrated(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    home.parent.contract(home.mia, 4, (("Ice cream", 1), ("Cinema", 1), ("Zoo", 2)))
    home.parent.gives(home.mia, chore, 1)
    page = sign_in_by_link(phone(server, reduced_motion="reduce"), home.parent.code(home.mia), "Mia")
    celebration = page.locator(".celebration")
    expect(celebration).to_contain_text("Level 1 reached!Ice cream")
    # Nothing moves for people who prefer that.
    expect(page.locator("canvas.confetti")).to_have_count(0)
    celebration.get_by_role("button").click()
    home.parent.gives(home.mia, chore, 3)
    expect(celebration).to_contain_text("All levels reached!CinemaZoo")
    expect(celebration).not_to_contain_text("Ice cream")
