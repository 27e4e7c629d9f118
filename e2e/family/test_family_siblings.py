"""A child views siblings: F-15."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home, sibling_card, sign_in_by_link
from support.pages import words

# F-15-A is about changes elsewhere, not about connection loss.
pytestmark = pytest.mark.no_service_worker


@pytest.mark.spec("F-15-N", "F-15-A")
def test_child_views_a_sibling_until_it_is_deleted(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    home.parent.contract(home.ben)
    home.parent.gives(home.ben, chore, 3)
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    expect(sibling_card(page, home.ben)).to_contain_text("3 of 10")
    sibling_card(page, home.ben).get_by_role("link", name="Ben").click()
    page.wait_for_url(re.compile(f"/family/children/{home.ben['id']}$"))
    main = page.locator("main")
    expect(page.get_by_role("heading", name=words("Ben"), level=1)).to_be_visible()
    for text in ["3 of 10", "3 in all", "Ice cream", "Dishes", "+3"]:
        expect(main).to_contain_text(text)
    expect(main.locator(".my-reward.is-reached")).to_have_count(1)
    # Changes appear here without a reload.
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    home.parent.gives(home.ben, chore, 2)
    expect(main).to_contain_text("5 of 10")
    page.goto("/family")
    expect(sibling_card(page, home.ben)).to_contain_text("5 of 10")
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    home.parent.call("DELETE", f"/family/children/{home.ben['id']}", expect=204)
    expect(sibling_card(page, home.ben)).to_have_count(0)
    assert page.request.get(f"/family/children/{home.ben['id']}").status == 404
