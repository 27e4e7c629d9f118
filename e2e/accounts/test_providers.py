"""Sign-in by other services: F-03 (Apple), F-04 (Google), F-05 (Facebook), and any other OpenID provider."""

import re

import pytest
from playwright.sync_api import expect

from support.other_services import (
    NAMES,
    account,
    accounts,
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
from support.provider import PASSWORD

TIMES = 4


def cancels_repeatedly(page, provider_server, name):
    before = accounts(provider_server)
    for _ in range(TIMES):
        go_there(page, name)
        page.get_by_role("button", name="Cancel").click()
        expect(page).to_have_url(re.compile("/sign-in"))
        expect(page.get_by_role("status").filter(has_text=f"cancelled signing in with {NAMES[name]}")).to_be_visible()
        expect(page.get_by_label(re.compile("^email", re.I))).to_be_visible()
        expect_signed_out(page)
    kept = {cookie["name"] for cookie in page.context.cookies() if cookie["domain"] == "localhost"}
    assert not kept & {"homeward-session", "homeward-provider", "homeward-offer"}, kept
    assert accounts(provider_server) == before


# F-03


@pytest.mark.spec("F-03-N")
def test_apple_leads_to_the_dashboard(engine, provider_server, phone, provider_user):
    login = provider_user(email="nora@apple.example", email_verified=True, name="Nora Apfel")
    page = phone(provider_server)
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
    assert account(page)["id"] == made["id"]
    assert account(page)["name"] == "Nora Apfel"


@pytest.mark.spec("F-03-A")
def test_apple_can_be_cancelled_repeatedly(engine, provider_server, phone):
    cancels_repeatedly(phone(provider_server), provider_server, "apple")


# F-04


@pytest.mark.spec("F-04-N")
def test_google_leads_to_the_dashboard(engine, provider_server, phone, provider_user):
    login = provider_user(email="nora@google.example", email_verified=True, name="Nora Suche")
    page = phone(provider_server)
    go_there(page, "google")
    agree(page, login)
    expect_dashboard(page)
    made = account(page)
    assert (made["name"], made["email"], made["dateOfBirth"]) == ("Nora Suche", "nora@google.example", None)
    sign_out(page)
    go_there(page, "google")
    agree(page, login)
    expect_dashboard(page)
    assert account(page)["id"] == made["id"]


@pytest.mark.spec("F-04-A")
def test_a_brand_new_google_account_works_after_cancelling(engine, provider_server, phone, provider_user):
    page = phone(provider_server)
    cancels_repeatedly(page, provider_server, "google")
    login = provider_user(email="brand-new@google.example", email_verified=True)
    go_there(page, "google")
    agree(page, login)
    expect_dashboard(page)
    assert account(page)["email"] == "brand-new@google.example"


@pytest.mark.spec("F-04-B")
def test_unsolicited_provider_response_is_rejected(engine, provider_server, phone, provider_user):
    login = provider_user(email=f"asked-{engine}@google.example", email_verified=True, name="Asked")
    page, other = phone(provider_server), phone(provider_server)
    go_there(page, "google")
    # The vendor's response, which this browser doesn't follow yet.
    form = {"sub": login, "password": PASSWORD, "action": "allow"}
    answer = page.request.post(page.url, form=form, max_redirects=0).headers["location"]
    assert answer.startswith(f"{provider_server.url}/sign-in/google/callback?")
    # The other browser has also started signing in, so only the response is not its own.
    go_there(other, "google")
    for made_up in (answer, re.sub("state=[^&]+", "state=made-up", answer), re.sub("state=[^&]+&?", "", answer)):
        other.goto(made_up)
        expect(other).to_have_url(re.compile("/sign-in"))
        expect_signed_out(other)
    # That consumed nothing.
    page.goto(answer)
    expect_dashboard(page)
    # The browser that asked can't use the response twice either.
    sign_out(page)
    page.goto(answer)
    expect(page).to_have_url(re.compile("/sign-in"))
    expect_signed_out(page)


# F-05


@pytest.mark.spec("F-05-N")
def test_facebook_leads_to_the_dashboard(engine, provider_server, phone, provider_user):
    login = provider_user(email="nora@facebook.example", name="Nora Gesicht")
    page = phone(provider_server)
    go_there(page, "facebook")
    agree(page, login)
    expect_dashboard(page)
    assert (account(page)["name"], account(page)["email"]) == ("Nora Gesicht", "nora@facebook.example")


@pytest.mark.spec("F-05-N")
def test_facebook_works_by_phone_number_and_without_an_email(engine, provider_server, phone, provider_user):
    login = provider_user(f"+49 151 555{'01' if engine == 'sqlite' else '02'}", name="Pia Phone")
    page = phone(provider_server)
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


@pytest.mark.spec("F-05-A")
def test_facebook_can_be_cancelled_repeatedly(engine, provider_server, phone):
    cancels_repeatedly(phone(provider_server), provider_server, "facebook")


# All providers


def test_any_other_provider_works(engine, provider_server, phone, provider_user):
    login = provider_user(email="own@id.example", email_verified=True, name="Own Host")
    page = phone(provider_server)
    go_there(page, "oidc", "/sign-in")
    agree(page, login)
    expect(page).to_have_url(re.compile("/tracking/items"))
    assert account(page)["email"] == "own@id.example"
