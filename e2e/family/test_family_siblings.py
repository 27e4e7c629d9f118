"""A child views siblings and can't change them: F-15."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home, sibling_card, sign_in_by_link
from support.pages import ONE_SECOND, words


@pytest.mark.smoke
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
    expect(main).to_contain_text("5 of 10", timeout=ONE_SECOND)


@pytest.mark.spec("F-15-B")
def test_child_cannot_change_a_sibling(engine, server, home, phone):
    chore = home.parent.chore("Dishes")
    contract = home.parent.contract(home.ben)
    given = home.parent.gives(home.ben, chore, 3)
    before = home.parent.call("GET", f"/family/children/{home.ben['id']}", expect=200)
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    page.goto(f"/family/children/{home.ben['id']}")
    expect(page.locator("main")).to_contain_text("Ice cream")
    expect(page.locator("main form, main button:visible, main input")).to_have_count(0)
    expect(page.locator("header a.bar-icon")).to_have_count(0)

    child = home.parent.device(home.mia)
    ben = f"/family/children/{home.ben['id']}"
    refused = [
        ("PATCH", ben, {"name": "Benno"}), ("DELETE", ben, None),
        ("POST", f"{ben}/contracts", {"maxPoints": 5, "levels": [{"reward": "Zoo", "points": 5}]}),
        ("PUT", f"{ben}/contracts/{contract['id']}/levels/1/handover", None),
        ("POST", f"{ben}/assignments", {"chores": [{"choreId": chore["id"], "points": 3}]}),
        ("DELETE", f"{ben}/assignments/{given['id']}", None),
        ("POST", f"{ben}/requests", {"choreId": chore["id"]}), ("GET", f"{ben}/requests", None),
        ("POST", f"{ben}/sign-in-codes", {}), ("DELETE", f"{ben}/sign-in-codes", None), ("GET", f"{ben}/devices", None),
    ]
    for method, path, body in refused:
        assert child.tries(method, path, body) == 403, (method, path)
        if body is not None:
            # The same request from a handmade form.
            verb = {"POST": "", "PATCH": "?_method=patch"}[method]
            answer = page.request.post(path + verb, form={"name": "Benno", "choreId": chore["id"]},
                                       headers={"Accept": "text/html"}, max_redirects=0)
            assert answer.status in (303, 403), (method, path, answer.status)
    for path in (f"{ben}/edit", f"{ben}/contracts/new", f"{ben}/assignments/new", f"{ben}/sign-in-codes"):
        assert page.request.get(path, headers={"Accept": "text/html"}).status == 403, path
    assert home.parent.call("GET", ben, expect=200) == before


@pytest.mark.spec("F-15-A")
def test_deleted_siblings_card_disappears_live(engine, server, home, phone):
    page = sign_in_by_link(phone(server), home.parent.code(home.mia), "Mia")
    expect(sibling_card(page, home.ben)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-live", "open")
    home.parent.call("DELETE", f"/family/children/{home.ben['id']}", expect=204)
    expect(sibling_card(page, home.ben)).to_have_count(0, timeout=ONE_SECOND)
    assert page.request.get(f"/family/children/{home.ben['id']}").status == 404
