"""Sign-in by other services: F-03 (Apple), F-04 (Google), F-05 (Facebook), and any other OpenID provider."""

import re

import pytest
from playwright.sync_api import expect

from support.other_services import (
    NAMES,
    account,
    agree,
    expect_dashboard,
    expect_signed_out,
    go_there,
    provider,
    provider_server,
    provider_servers,
    provider_user,
    sign_out,
)


def cancels_repeatedly(page, name):
    """Cancels at the service twice. (A Swift test shows that nothing is stored.)"""
    for _ in range(2):
        go_there(page, name)
        page.get_by_role("button", name="Cancel").click()
        expect(page).to_have_url(re.compile("/sign-in"))
        expect(page.get_by_role("status").filter(has_text=f"cancelled signing in with {NAMES[name]}")).to_be_visible()
        expect(page.get_by_label(re.compile("^email", re.I))).to_be_visible()
        expect_signed_out(page)
    kept = {cookie["name"] for cookie in page.context.cookies() if cookie["domain"] == "localhost"}
    assert not kept & {"homeward-session", "homeward-provider", "homeward-offer"}, kept


@pytest.mark.spec("F-03-N", "F-03-A")
def test_apple_leads_to_the_dashboard_after_cancelling(engine, provider_server, phone, provider_user):
    login = provider_user(email="nora@apple.example", email_verified=True, name="Nora Apfel")
    page = phone(provider_server)
    cancels_repeatedly(page, "apple")
    go_there(page, "apple")
    agree(page, login, email="Share")
    expect_dashboard(page)
    made = account(page)
    # The name is sent next to the token, the first time only.
    assert (made["name"], made["email"]) == ("Nora Apfel", "nora@apple.example")
    sign_out(page)
    go_there(page, "apple")
    agree(page, login)
    expect_dashboard(page)
    assert (account(page)["id"], account(page)["name"]) == (made["id"], "Nora Apfel")


@pytest.mark.spec("F-04-N", "F-04-A")
def test_brand_new_google_account_leads_to_the_dashboard_after_cancelling(
        engine, provider_server, phone, provider_user):
    login = provider_user(email="nora@google.example", email_verified=True, name="Nora Suche")
    page = phone(provider_server)
    cancels_repeatedly(page, "google")
    go_there(page, "google")
    agree(page, login)
    expect_dashboard(page)
    made = account(page)
    assert (made["name"], made["email"], made["dateOfBirth"]) == ("Nora Suche", "nora@google.example", None)


@pytest.mark.spec("F-05-N", "F-05-A")
def test_facebook_works_by_phone_number_and_without_an_email_after_cancelling(
        engine, provider_server, phone, provider_user):
    login = provider_user("+49 151 55501", name="Pia Phone")
    page = phone(provider_server)
    cancels_repeatedly(page, "facebook")
    go_there(page, "facebook")
    agree(page, login)
    expect_dashboard(page)
    assert (account(page)["name"], account(page)["email"]) == ("Pia Phone", None)
    # The profile can still be saved.
    page.goto("/account/edit")
    page.get_by_label("Name", exact=True).fill("Pia P.")
    page.get_by_label("Date of birth").fill("1990-02-28")
    page.get_by_role("button", name="Save").click()
    expect(page).to_have_url(re.compile("/account$"))
    assert (account(page)["name"], account(page)["dateOfBirth"]) == ("Pia P.", "1990-02-28")


def test_any_other_provider_works(engine, provider_server, phone, provider_user):
    login = provider_user(email="own@id.example", email_verified=True, name="Own Host")
    page = phone(provider_server)
    go_there(page, "oidc", "/sign-in")
    agree(page, login)
    expect(page).to_have_url(re.compile("/tracking/items"))
    assert account(page)["email"] == "own@id.example"
