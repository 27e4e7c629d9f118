"""A parent registers and signs in: F-01, F-02."""

import re

import pytest
from playwright.sync_api import expect

from support.family import is_marked, marked, press
from support.pages import is_red, words
from support.parents import ada


def open_register(phone, server):
    page = phone(server)
    page.goto("/family")
    page.get_by_role("main").get_by_role("link", name=words("Register")).click()
    expect(page.locator("#dateOfBirth")).to_be_visible()
    return page


def fill_registration(page, **values):
    fields = {"name": "Ada", "email": f"f01-{abs(hash(page))}@example.org", "password": "correct horse battery",
              "dateOfBirth": "1990-05-01", **values}
    for name, value in fields.items():
        page.locator(f"#{name}").fill(value)
    return fields


@pytest.mark.engines
@pytest.mark.spec("F-01-N")
def test_parent_registers_and_sees_the_dashboard(engine, server, phone):
    page = open_register(phone, server)
    fields = fill_registration(page)
    page.locator("form#register-form").get_by_role("button").click()
    page.wait_for_url(re.compile("/family$"))
    expect(page.get_by_role("heading", name=words("Family"), level=1)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Ada")
    account = page.request.get("/account", headers={"Accept": "application/json"}).json()
    assert (account["name"], account["email"]) == ("Ada", fields["email"])


@pytest.mark.spec("F-01-B")
@pytest.mark.parametrize("missing", ["password", "dateOfBirth"])
def test_empty_field_is_marked_until_it_is_valid(engine, server, phone, missing):
    page = open_register(phone, server)
    fields = fill_registration(page, **{missing: ""})
    page.locator("form#register-form").get_by_role("button").click()
    one = page.locator(f"#{missing}")
    is_marked(one, page)
    expect(marked(page)).to_have_count(1)
    message = page.locator(f"#{missing}-error")
    assert is_red(message.evaluate("element => getComputedStyle(element).color"))
    for name in fields.keys() - {missing, "password"}:
        expect(page.locator(f"#{name}")).to_have_value(fields[name])
    one.fill({"password": "short", "dateOfBirth": "2999-01-01"}[missing])
    is_marked(one, page)
    one.fill({"password": "correct horse battery", "dateOfBirth": "1990-05-01"}[missing])
    expect(marked(page)).to_have_count(0)
    expect(message).to_be_hidden()


def open_sign_in(phone, server):
    page = phone(server)
    page.goto("/family")
    page.get_by_role("main").get_by_role("link", name=words("Sign in")).click()
    expect(page.get_by_role("heading", name=words("Sign in"))).to_be_visible()
    return page


def try_to_sign_in(page, email, password):
    page.locator("#email").fill(email)
    page.locator("#password").fill(password)
    press(page, "Sign in")


@pytest.mark.spec("F-02-N")
def test_a_parent_signs_in(engine, ada, phone):
    page = open_sign_in(phone, ada.server)
    try_to_sign_in(page, ada.email, ada.password)
    page.wait_for_url(re.compile("/family$"))
    expect(page.get_by_role("heading", name=words("Family"), level=1)).to_be_visible()
