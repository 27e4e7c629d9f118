"""Accounts and sign-in providers: linking, removing, and protection against takeover."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from support.other_services import (
    account,
    agree,
    expect_signed_out,
    go_there,
    provider,
    provider_server,
    provider_servers,
    provider_user,
)
from support.server import Person


def test_account_with_the_same_email_is_not_taken_over(engine, provider_server, phone, provider_user):
    owner = Person(provider_server, "Olga")
    login = provider_user(email=owner.email.upper(), email_verified=True, name="Not Olga")
    page = phone(provider_server)
    go_there(page, "google", "/sign-in?return=/account")
    agree(page, login)
    expect(page).to_have_url(re.compile("/sign-in"))
    expect(page.get_by_role("status").filter(has_text="There is an account with")).to_be_visible()
    expect_signed_out(page)
    # A wrong password links nothing, and the offer stays.
    page.get_by_label(re.compile("^email", re.I)).fill(owner.email)
    page.get_by_label("Password").fill("guessed wrong")
    page.get_by_role("button", name=re.compile("^sign in$", re.I)).click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="There is an account with")).to_be_visible()
    page.get_by_label("Password").fill(owner.password)
    page.get_by_role("button", name=re.compile("^sign in$", re.I)).click()
    expect(page).to_have_url(re.compile("/account$"))
    expect(page.get_by_text("Google is linked to your account")).to_be_visible()
    assert account(page)["id"] == owner.id
    assert account(page)["name"] == "Olga"


def link(page, name, password):
    page.get_by_role("link", name=f"Link {name}").click()
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Link", exact=True).click()


def test_linking_works_without_scripts_and_can_be_cancelled(engine, provider_server, phone, provider_user):
    person = Person(provider_server, "Ada")
    login = provider_user(email="quiet@google.example", name="Ada Q.")
    page = phone(provider_server, java_script_enabled=False)
    page.goto("/sign-in?return=/account/identities")
    page.get_by_label(re.compile("^email", re.I)).fill(person.email)
    page.get_by_label("Password").fill(person.password)
    page.get_by_role("button", name=re.compile("^sign in$", re.I)).click()
    link(page, "Facebook", person.password)
    page.get_by_role("link", name="Continue with Facebook").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#identity-facebook")).to_contain_text("Not linked")
    link(page, "Google", person.password)
    page.get_by_role("link", name="Continue with Google").click()
    agree(page, login)
    expect(page.locator("#identity-google")).to_contain_text("quiet@google.example")


def test_account_without_a_password_is_deleted_after_signing_in_again(engine, provider_server, phone, provider_user):
    login = provider_user(email="leaving@google.example", email_verified=True, name="Leaving")
    page = phone(provider_server)
    go_there(page, "google", "/sign-in?return=/account/delete")
    agree(page, login)
    expect(page).to_have_url(re.compile("/account/delete$"))
    expect(page.get_by_role("button", name="Delete account")).to_have_count(0)
    page.get_by_role("button", name="Confirm with Google").click()
    agree(page, login)
    expect(page).to_have_url(re.compile("/account/delete$"))
    page.get_by_role("button", name="Delete account").click()
    page.locator("dialog[open]").get_by_role("button", name="Delete").click()
    page.wait_for_url(lambda url: not urlsplit(url).path.startswith("/account"))
    expect_signed_out(page)
