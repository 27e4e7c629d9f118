"""The sign-in codes that a parent shows to a child's phone: F-10."""

import re

import pytest
from playwright.sync_api import expect

from support.children import Clock, home, sign_in_by_link
from support.codes import seen_in
from support.pages import words

CODE_SECONDS = 600  # lifetime of a code


def shown_code(page):
    """Returns the code on the page, read from a screenshot."""
    picture = page.locator("figure.qr")
    expect(picture).to_be_visible()
    return seen_in(picture)


def shows_another(page, before):
    """Expects another code."""
    card = page.locator("[data-code]")
    expect(card).to_be_visible()
    expect(card).not_to_have_attribute("data-code", before)


def open_code_page(page, child):
    page.goto("/family")
    page.locator(".family-cards").get_by_role("link", name=child["name"]).first.click()
    page.wait_for_url(re.compile(f"/family/children/{child['id']}$"))
    page.locator("header a.bar-icon").click()
    page.get_by_role("dialog").get_by_role("link", name=words("QR code Scan")).click()
    page.wait_for_url(re.compile("/sign-in-codes$"))
    expect(page.locator("[data-code]")).to_be_visible()


@pytest.mark.spec("F-10-N")
def test_sign_in_code_is_replaced_after_use_and_revocation(engine, server, home, sign_in, phone):
    page = sign_in(home.parent)
    open_code_page(page, home.mia)
    text = shown_code(page)
    assert text == page.locator("#code-link").inner_text()
    assert text.startswith(f"{server.url}/family/sign-in?code=")
    assert len(text.split("code=")[1]) >= 22, "128 bits in base64url"
    expect(page.get_by_role("list").get_by_role("listitem").first).to_contain_text("scan button")

    # A new code replaces a used one.
    before = page.locator("[data-code]").get_attribute("data-code")
    sign_in_by_link(phone(server), {"url": text}, "Mia")
    shows_another(page, before)
    expect(page.get_by_role("status").filter(has_text="Mia is signed in")).to_be_visible()
    assert shown_code(page) != text

    # A new code replaces one that is revoked elsewhere.
    before = page.locator("[data-code]").get_attribute("data-code")
    home.parent.call("DELETE", f"/family/children/{home.mia['id']}/sign-in-codes", expect=204)
    shows_another(page, before)

    # If another device creates a newer code, this page doesn't create another one.
    home.parent.code(home.mia)
    expect(page.locator("[data-code]")).to_have_count(0)
    page.get_by_role("button", name=words("Show a new code")).click()
    expect(page.locator("[data-code]")).to_be_visible()

    # No response with a code is cached.
    for path in (page.url, page.url + "?again"):
        answer = page.request.get(path)
        assert "no-store" in answer.headers["cache-control"]


@pytest.mark.spec("F-10-N")
def test_an_expired_code_is_replaced_on_the_open_page(server, home, sign_in):
    page = sign_in(home.parent)
    page.clock.install()
    page.goto(f"/family/children/{home.mia['id']}/sign-in-codes")
    text, before = shown_code(page), page.locator("[data-code]").get_attribute("data-code")
    Clock(server).age_codes(CODE_SECONDS)
    page.clock.fast_forward(CODE_SECONDS * 1000)
    shows_another(page, before)
    assert shown_code(page) != text
    status, _, _ = server.request("POST", "/family/sign-in", {"code": text.split("code=")[1]})
    assert status == 404


@pytest.mark.spec("F-10-A")
def test_no_code_is_shown_offline(engine, home, sign_in):
    page = sign_in(home.parent)
    page.goto(f"/family/children/{home.mia['id']}/sign-in-codes")
    text = shown_code(page)
    page.context.set_offline(True)
    expect(page.locator("figure.qr")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("No connection: no code can be shown")
    expect(page.locator("main")).not_to_contain_text(text)
    page.context.set_offline(False)
    expect(page.locator("[data-code]")).to_be_visible()
    assert shown_code(page) != text

    # A page opened without a connection shows no code either.
    page.route("**/sign-in-codes", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.reload()
    expect(page.locator("main")).to_contain_text("No connection")
    expect(page.locator("figure.qr")).to_have_count(0)
