"""Sign-in by other services: F-03 (Apple), F-04 (Google), and F-05 (Facebook). Linking, removing, the
views that offer them, and protection against takeover."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from support.keys import Keyboard, settled
from support.layout_checks import SMALL, check, flaws, scrolls_sideways
from support.other_services import (
    NAMES,
    account,
    agree,
    button,
    expect_dashboard,
    expect_signed_out,
    go_there,
    provider,
    provider_server,
    provider_servers,
    provider_user,
    sign_out,
)
from support.server import Person
from support.views import LINKED, LINKED_POSTED, addresses, post


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


# Linking and removing


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
    expect(page.get_by_role("button", name="Confirm with Google")).to_be_visible()
    expect(page.get_by_role("button", name="Delete account")).to_have_count(0)
    page.get_by_role("button", name="Confirm with Google").click()
    agree(page, login)
    expect(page).to_have_url(re.compile("/account/delete$"))
    page.get_by_role("button", name="Delete account").click()
    page.locator("dialog[open]").get_by_role("button", name="Delete").click()
    page.wait_for_url(lambda url: not urlsplit(url).path.startswith("/account"))
    expect_signed_out(page)


def test_provider_is_linked_used_and_removed_by_keyboard(engine, provider_server, phone, sign_in, provider_user):
    ada = Person(provider_server, "Ada")
    login = provider_user(email="elsewhere@google.example", name="Ada E.")
    page = sign_in(ada)
    keys = Keyboard(page)
    page.goto("/account/identities")
    keys.goes(page.get_by_role("link", name="Link Google"), "/account/identities/google$")
    keys.type(page.get_by_label("Password"), ada.password).enter()
    # The other service's page is not part of this app.
    agree(page, login)
    expect(page).to_have_url(re.compile("/account/identities$"))
    expect(page.locator("#identity-google")).to_contain_text("elsewhere@google.example")

    other = phone(provider_server)
    other.goto("/sign-in?return=/account")
    Keyboard(other).enter(button(other, "google"))
    agree(other, login)
    other.wait_for_url(lambda url: urlsplit(url).path == "/account")
    assert account(other)["id"] == ada.id

    settled(page)
    keys.confirms(page.get_by_role("button", name="Remove Google"))
    expect(page.locator("#identity-google")).to_contain_text("Not linked")


# Views


def test_provider_buttons_are_below_the_login_button(engine, provider_server, phone):
    page = phone(provider_server, viewport={"width": 320, "height": 700})
    page.goto("/sign-in")
    login = page.get_by_role("button", name=re.compile("^sign in$", re.I)).bounding_box()
    boxes = {name: button(page, name).bounding_box() for name in NAMES}
    middles = {name: box["x"] + box["width"] / 2 for name, box in boxes.items()}
    assert all(boxes[name]["y"] >= login["y"] + login["height"] for name in boxes)
    assert middles["apple"] < 320 / 3 < middles["google"] < 320 * 2 / 3 < middles["facebook"]
    assert boxes["apple"]["y"] == boxes["google"]["y"] == boxes["facebook"]["y"]
    assert boxes["oidc"]["y"] >= boxes["google"]["y"] + boxes["google"]["height"]
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes.values())
    assert not scrolls_sideways(page)


def test_provider_views_are_accessible_and_fit_a_small_phone(provider_servers, phone, sign_in):
    server = provider_servers("sqlite")
    ada = Person(server)
    problems = {}

    def look(page, view):
        if found := flaws(page):
            problems[view] = found

    signed_out, page = phone(server, viewport=SMALL), sign_in(ada, viewport=SMALL)
    for view in addresses(LINKED):
        # Signed out, the settings lead to the page for signing in, which is one of the views.
        viewer = page if view.startswith("/account") else signed_out
        check(viewer, view)
        look(viewer, view)
    for template, (start, action, fields) in LINKED_POSTED.items():
        post(page, start, action, {**fields, "password": ada.password} if "password" in fields else fields)
        look(page, template)
    assert not problems
