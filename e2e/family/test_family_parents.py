"""Several parents: removal, and a passkey for an invitation."""

import re

from playwright.sync_api import expect

from support.children import Household
from support.layout_checks import violations
from support.pages import toast, words
from support.passkeys import Authenticator


def family(server, *names):
    """Creates parents of one household. The first one is its founder."""
    first, *others = (Household(server, name) for name in names)
    for other in others:
        code = first.invitation()["code"]
        other.call("POST", "/family/parents", {"code": code}, expect=201)
    return [first, *others]


def me(person):
    return person.call("GET", "/account", expect=200)["id"]


def parents(person):
    return {one["name"] for one in person.call("GET", "/family/parents", expect=200)["items"]}


def confirm(page, password, label):
    """Presses a button that requires the password, and confirms the question."""
    page.get_by_label("Your password").fill(password)
    page.get_by_role("button", name=words(label)).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words(label)).click()


def test_unlocked_browser_without_password_cannot_remove_a_parent(engine, server, sign_in):
    ada, ben = family(server, "Ada", "Ben")
    page = sign_in(ada)
    page.goto(f"/family/parents/{me(ben)}")
    page.get_by_role("button", name=words("Remove Ben")).click()
    expect(page.get_by_text("Enter your password.")).to_be_visible()
    expect(page.get_by_label("Your password")).to_be_focused()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    confirm(page, "guess", "Remove Ben")
    expect(page.get_by_text("That is not your password.")).to_be_visible()
    assert violations(page) == []
    assert parents(ben) == {"Ada", "Ben"}
    confirm(page, ada.password, "Remove Ben")
    expect(toast(page, "Ben was removed")).to_be_visible()
    assert parents(ada) == {"Ada"}


def test_passkey_confirms_an_invitation(engine, server, sign_in):
    [ada] = family(server, "Ada")
    page = sign_in(ada)
    Authenticator(page)
    page.goto("/account/passkeys")
    page.get_by_label("Your password").fill(ada.password)
    page.get_by_role("button", name=words("Add a passkey")).click()
    expect(page.get_by_text("Passkey added")).to_be_visible()
    page.goto("/family/invitations")
    page.get_by_role("link", name=words("Confirm in another way")).click()
    expect(page.get_by_text("A parent you invite sees your children")).to_be_visible()
    page.get_by_role("button", name=words("Confirm with a passkey")).click()
    expect(page).to_have_url(re.compile("/family/invitations$"))
    expect(page.get_by_label("Your password")).to_have_count(0)
    page.get_by_role("button", name=words("Create an invitation")).click()
    expect(page.locator("#invitation-link")).to_be_visible()
    # The next one requires another proof.
    expect(page.get_by_label("Your password")).to_be_visible()
