"""Actions that decide who owns an account, such as changing the email, require proof of the owner's presence."""

import re

import pytest
from playwright.sync_api import expect

from support.layout_checks import violations
from support.mails import MailCommand
from support.pages import words
from support.passkeys import Authenticator
from support.patience import wait_until
from support.server import Person


@pytest.fixture
def mailing(own_server, tmp_path):
    """A server that sends mails, and a person with a confirmed address."""
    mails = MailCommand(tmp_path)
    server = own_server(environment=mails.environment)
    someone = Person(server, "Ada", phone="+49 151 5550101")
    link = mails.link(someone.email, "Confirm your email address")
    server.request("POST", link, None)
    assert someone.call("GET", "/account")["emailVerifiedAt"]
    return server, someone, mails


def change_email(page, someone, email):
    page.goto("/carrepsa/profile")
    page.get_by_role("main").get_by_role("button", name=re.compile(r"^\s*Mail\b")).click()
    popup = page.get_by_role("dialog", name=words("Mail"))
    popup.locator("input[name=email]").fill(email)
    popup.get_by_label("Your password").fill(someone.password)
    popup.get_by_role("button", name=words("OK")).click()
    expect(page.locator("#waiting-email")).to_contain_text(email)


@pytest.mark.spec("C-11")
def test_email_change_is_confirmed_and_undone_from_the_old_address(mailing, sign_in, phone):
    server, someone, mails = mailing
    page = sign_in(someone)
    change_email(page, someone, "new@example.org")
    account = someone.call("GET", "/account")
    assert (account["email"], account["pendingEmail"]) == (someone.email, "new@example.org")

    other = phone(server)
    other.goto(mails.link("new@example.org", "Confirm your new email address"))
    other.get_by_role("button", name=words("Confirm")).click()
    wait_until(lambda: someone.call("GET", "/account")["email"] == "new@example.org", 10)
    page.reload()
    expect(page.locator("main")).to_contain_text("new@example.org")
    expect(page.locator("#waiting-email")).to_have_count(0)

    other.goto(mails.link(someone.email, "Your email address was changed"))
    assert violations(other) == []
    other.get_by_role("button", name=words("Undo")).click()
    expect(other).to_have_url(re.compile("/password-resets/"))
    page.reload()
    expect(page).to_have_url(re.compile("/sign-in"))
    other.get_by_label("New password").fill("another horse battery")
    other.get_by_role("button", name=words("Save")).click()
    expect(other).to_have_url(re.compile("/sign-in"))
    status, _, _ = server.request("POST", "/session", {"email": someone.email, "password": "another horse battery"})
    assert status == 201


def test_a_passkey_confirms_in_place_of_the_password(person, sign_in):
    someone = person()
    page = sign_in(someone)
    authenticator = Authenticator(page)
    page.goto("/account/passkeys")
    page.get_by_label("Your password").fill(someone.password)
    page.get_by_role("button", name=words("Add a passkey")).click()
    expect(page.get_by_text("Passkey added")).to_be_visible()
    page.goto("/account/delete")
    page.get_by_role("link", name=words("Confirm in another way")).click()
    authenticator.knows_owner(False)
    page.get_by_role("button", name=words("Confirm with a passkey")).click()
    expect(page.get_by_text("The passkey wasn’t accepted.")).to_be_visible()
    authenticator.knows_owner()
    page.get_by_role("button", name=words("Confirm with a passkey")).click()
    expect(page).to_have_url(re.compile("/account/delete$"))
    expect(page.locator("main input[type=password]")).to_have_count(0)
    page.get_by_role("button", name=words("Delete account")).click()
    page.get_by_role("alertdialog").locator("[data-yes]").click()
    page.wait_for_url(lambda url: "/account" not in url)
    status, _, _ = someone.server.request("GET", "/account", None, someone.token)
    assert status == 401
