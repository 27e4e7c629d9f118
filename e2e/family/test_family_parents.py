"""Several parents: invitations, and removal."""

import re

from playwright.sync_api import expect

from support.children import Clock, Household
from support.layout_checks import violations
from support.pages import toast, words
from support.passkeys import Authenticator

WEEK = 7 * 24 * 60 * 60


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


def confirm(page, person, label):
    """Presses a button that requires the password, and confirms the question."""
    page.get_by_label("Your password").fill(person.password)
    page.get_by_role("button", name=words(label)).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words(label)).click()


def test_announced_removal_is_rejected_by_the_other_parent(engine, server, sign_in):
    ada, ben = family(server, "Ada", "Ben")
    page = sign_in(ben)
    page.goto(f"/family/parents/{me(ada)}")
    expect(page.get_by_text("Ada created this family.")).to_be_visible()
    expect(page.get_by_text("You can announce the removal of this parent from")).to_be_visible()
    expect(page.get_by_role("button", name=words("Announce the removal of Ada"))).to_have_count(0)
    Clock(server).age_memberships(WEEK)
    page.reload()
    confirm(page, ben, "Announce the removal of Ada")
    expect(page.get_by_role("button", name=words("Withdraw the removal"))).to_be_visible()
    entry = ada.call("GET", "/notifications", expect=200)["items"][0]
    assert entry["title"] == "Ben wants to remove you from the family"
    own = sign_in(ada)
    own.goto("/notifications")
    own.get_by_role("link", name="Ben wants to remove you from the family").click()
    own.get_by_role("button", name=words("Refuse the removal")).click()
    expect(toast(own, "You stay in the family")).to_be_visible()
    expect(page.get_by_text("Ada refused the removal.")).to_be_visible()
    assert parents(ada) == {"Ada", "Ben"}


def test_unlocked_browser_without_password_cannot_change_parents(engine, server, sign_in):
    """Tries everything that the pages offer to a person who doesn't know the password."""
    ada, ben = family(server, "Ada", "Ben")
    page = sign_in(ada)
    for path, label in (("/family/invitations", "Create an invitation"), (f"/family/parents/{me(ben)}", "Remove Ben"),
                        (f"/family/parents/{me(ada)}", "Leave the family")):
        page.goto(path)
        page.get_by_role("button", name=words(label)).click()
        expect(page.get_by_text("Enter your password.")).to_be_visible()
        expect(page.get_by_role("alertdialog")).to_have_count(0)
        page.get_by_label("Your password").fill("guess")
        page.get_by_role("button", name=words(label)).click()
        if label != "Create an invitation":
            page.get_by_role("alertdialog").get_by_role("button", name=words(label)).click()
        expect(page.get_by_text("That is not your password.")).to_be_visible()
        assert violations(page) == []
    assert parents(ben) == {"Ada", "Ben"}
    assert ada.call("GET", "/family/invitations", expect=200)["items"] == []


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
