"""Several parents: invitations that are listed and revoked, leaving, and removal."""

import re

from playwright.sync_api import expect

from support.children import Household
from support.pages import toast, words


def family(server, *names):
    """Parents of one household; the first one made it."""
    first, *others = (Household(server, name) for name in names)
    for other in others:
        code = first.call("POST", "/family/invitations", {}, expect=201)["code"]
        other.call("POST", "/family/parents", {"code": code}, expect=201)
    return [first, *others]


def me(person):
    return person.call("GET", "/account", expect=200)["id"]


def parents(person):
    return {one["name"] for one in person.call("GET", "/family/parents", expect=200)["items"]}


def confirm(page, label):
    page.get_by_role("button", name=words(label)).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words(label)).click()


def test_an_open_invitation_is_listed_and_revoked(engine, server, sign_in, phone):
    [ada] = family(server, "Ada")
    page = sign_in(ada)
    page.goto("/family/invitations")
    page.get_by_role("button", name=words("Create an invitation")).click()
    link = page.locator("#invitation-link").inner_text()
    invitations = page.locator("#invitations").get_by_role("listitem")
    expect(invitations).to_have_count(1)
    expect(invitations).to_contain_text("By you")
    invitations.get_by_role("button", name="Revoke the invitation, By you").click()
    expect(toast(page, "The invitation was revoked")).to_be_visible()
    expect(invitations).to_have_count(0)
    stranger = phone(server)
    stranger.goto(link)
    expect(stranger.get_by_role("button", name=words("Join"))).to_have_count(0)


def test_a_new_password_voids_open_invitations(engine, server, sign_in):
    [ada] = family(server, "Ada")
    ada.call("POST", "/family/invitations", {}, expect=201)
    page = sign_in(ada)
    page.goto("/family/invitations")
    expect(page.locator("#invitations").get_by_role("listitem")).to_have_count(1)
    body = {"current": ada.password, "password": "another battery staple"}
    ada.call("PUT", "/account/password", body, expect=204)
    assert ada.call("GET", "/family/invitations", expect=200)["items"] == []


def test_the_parent_who_made_the_family_removes_another(engine, server, sign_in):
    ada, ben = family(server, "Ada", "Ben")
    child = ada.child("Mia")
    page = sign_in(ada)
    page.goto("/family/account")
    page.locator("#parents").get_by_role("link", name=re.compile("Ben")).click()
    page.wait_for_url(re.compile(f"/family/parents/{me(ben)}$"))
    confirm(page, "Remove Ben")
    page.wait_for_url(re.compile("/family/account$"))
    expect(page.locator("#parents")).not_to_contain_text("Ben")
    assert parents(ada) == {"Ada"}
    ben.call("GET", f"/family/children/{child['id']}", expect=404)
    [entry] = ben.call("GET", "/notifications", expect=200)["items"]
    assert entry["title"] == "You were removed from the family"


def test_a_removal_is_announced_and_refused(engine, server, sign_in):
    ada, ben = family(server, "Ada", "Ben")
    page = sign_in(ben)
    page.goto(f"/family/parents/{me(ada)}")
    expect(page.get_by_text("Ada created this family.")).to_be_visible()
    confirm(page, "Announce the removal of Ada")
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


def test_a_parent_leaves_and_the_others_are_notified(engine, server, sign_in):
    ada, ben = family(server, "Ada", "Ben")
    child = ada.child("Mia")
    page = sign_in(ada)
    page.goto("/family/account")
    page.locator("#parents").get_by_role("link", name=re.compile("You")).click()
    confirm(page, "Leave the family")
    expect(toast(page, "You left the family")).to_be_visible()
    assert parents(ben) == {"Ben"}
    ben.call("GET", f"/family/children/{child['id']}", expect=200)
    entry = ben.call("GET", "/notifications", expect=200)["items"][0]
    assert entry["title"] == "Ada left your family"
    page = sign_in(ben)
    page.goto(f"/family/parents/{me(ben)}")
    expect(page.get_by_text("You are the only parent of this family.")).to_be_visible()
    page.goto("/account/delete")
    expect(page.get_by_text("Your children's profiles and points are deleted with your account.")).to_be_visible()
