"""A child views siblings: F-15."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home, sibling_card, sign_in_by_link
from support.pages import words


@pytest.mark.spec("F-15-N")
def test_child_views_a_siblings_profile(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    home.parent.contract(home.ben)
    home.parent.gives(home.ben, chore, 3)
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    expect(sibling_card(page, home.ben)).to_contain_text("3 of 10")
    sibling_card(page, home.ben).get_by_role("link", name="Ben").click()
    page.wait_for_url(re.compile(f"/family/children/{home.ben['id']}$"))
    main = page.locator("main")
    expect(page.get_by_role("heading", name=words("Ben"), level=1)).to_be_visible()
    expect(main).to_contain_text("3 of 10")
    expect(main).to_contain_text("3 in all")
    expect(main).to_contain_text("Ice cream")
    expect(main.locator(".my-reward.is-reached")).to_have_count(1)
    expect(main).to_contain_text("Dishes")
    expect(main).to_contain_text("+3")
    # Changes appear here without a reload.
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    home.parent.gives(home.ben, chore, 2)
    expect(main).to_contain_text("5 of 10")


@pytest.mark.spec("F-15-A")
def test_deleted_siblings_card_disappears_live(engine, server, home, phone):
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    expect(sibling_card(page, home.ben)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    home.parent.call("DELETE", f"/family/children/{home.ben['id']}", expect=204)
    expect(sibling_card(page, home.ben)).to_have_count(0)
    assert page.request.get(f"/family/children/{home.ben['id']}").status == 404
