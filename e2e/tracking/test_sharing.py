"""Shared items: inviting, what each person may do, alerts of several people, leaving and removing."""

import re
import time

import pytest
from playwright.sync_api import expect

from support.households import same_household
from support.offline import go_offline, see, with_worker
from support.pages import card, toast, until

HOME = (50.7753, 6.0839)
# A degree of latitude is 111,195 m.
METRE = 1 / 111_195


def north(metres):
    return HOME[0] + metres * METRE, HOME[1]


def share(owner, item, guest, access="see"):
    """Shares an item by an invitation."""
    wish = {"access": access, "password": owner.password} if access == "manage" else {"access": access}
    made = owner.call("POST", f"/tracking/items/{item['id']}/invitations", wish, expect=201)
    guest.call("POST", "/tracking/invitations", {"code": made["url"].rsplit("/", 1)[1]}, expect=201)


def told(person):
    return [(entry["kind"], entry["title"])
            for entry in person.call("GET", "/notifications", expect=200)["items"]
            if entry["kind"] in ("itemShared", "itemTooFar")]


@pytest.mark.spec("T-6-1-1")
def test_a_link_shares_an_item_with_one_person(person, sign_in):
    ada, ben = person("Ada"), person("Ben")
    item = ada.add_item("Bike")
    path = f"/tracking/items/{item['id']}"
    page = sign_in(ada)
    page.goto(path)
    page.get_by_role("link", name=re.compile("People")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("People")
    page.get_by_label("Can see and locate it").check()
    page.get_by_role("button", name="Create a link").click()
    link = page.locator("#invitation-link")
    expect(link).to_contain_text("/tracking/invitations/")
    url = link.inner_text().strip()

    guest = sign_in(ben)
    guest.goto(url)
    expect(guest.get_by_role("main")).to_contain_text("Ada shares Bike with you.")
    guest.get_by_role("button", name="Add to my items").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Bike")
    guest.goto("/tracking/items")
    expect(card(guest, "Bike")).to_contain_text("Shared by Ada")
    # Ada's page shows Ben, and she is notified.
    expect(page.locator("#people")).to_contain_text("Ben")
    assert told(ada) == [("itemShared", "Ben can see Bike now")]


@pytest.mark.spec("T-6-1-1")
def test_a_person_of_the_family_needs_no_link(person, sign_in):
    ada, ben = person("Ada", dateOfBirth="1990-01-01"), person("Ben", dateOfBirth="1990-01-01")
    same_household(ada, ben)
    item = ada.add_item("Car")
    other = sign_in(ben)
    other.goto("/tracking/items")
    page = sign_in(ada)
    page.goto(f"/tracking/items/{item['id']}/people")
    family = page.locator("section", has=page.get_by_role("heading", name="Share with your family"))
    family.get_by_text("Ben").click()
    family.get_by_role("button", name=re.compile("Can manage it")).click()
    # A stolen session could have joined the household of its thief.
    expect(page.get_by_role("main")).to_contain_text("A person who manages an item can share its position")
    page.get_by_label("Password", exact=True).fill(ada.password)
    page.get_by_role("button", name="Continue").click()
    family.get_by_text("Ben").click()
    family.get_by_role("button", name=re.compile("Can manage it")).click()
    expect(toast(page, "Shared")).to_be_visible()
    # It appears on Ben's open list by itself.
    expect(card(other, "Car")).to_be_visible()
    assert told(ben) == [("itemShared", "Ada shares Car with you")]


@pytest.mark.spec("T-6-1-2")
def test_each_person_has_a_name_and_a_distance(person, sign_in):
    ada, ben = person("Ada"), person("Ben")
    item = ada.add_item("Bike")
    secret = ada.add_osmand_tracker(item)
    share(ada, item, ben)
    page = sign_in(ben)
    page.goto(f"/tracking/items/{item['id']}/people")
    # Everyone sees who can see it.
    for name in ("Ada", "Ben (you)"):
        expect(page.locator("#people")).to_contain_text(name)
    page.get_by_label("My name for it").fill("Ada’s bike")
    page.get_by_label("Alert me beyond").fill("300")
    page.get_by_role("button", name="Save").click()
    expect(toast(page, "Saved")).to_be_visible()
    page.goto("/tracking/items")
    expect(card(page, "Ada’s bike")).to_be_visible()
    assert ada.call("GET", f"/tracking/items/{item['id']}", expect=200)["name"] == "Bike"
    # 100 m are too far for Ada, and not for Ben.
    now = int(time.time()) - 60
    for someone in (ada, ben):
        someone.is_at(*HOME)
    ada.report(secret, *HOME, at=now)
    ada.report(secret, *north(100), at=now + 20)
    [title] = [title for kind, title in told(ada) if kind == "itemTooFar"]
    assert title.startswith("Bike is 100\N{NO-BREAK SPACE}m from your device (")
    assert [title for kind, title in told(ben) if kind == "itemTooFar"] == []


@pytest.mark.spec("T-6-1-3")
def test_an_item_near_another_person_is_not_lost(person, sign_in):
    ada, ben, cleo = person("Ada"), person("Ben"), person("Cleo")
    item = ada.add_item("Bike")
    secret = ada.add_osmand_tracker(item)
    for guest in (ben, cleo):
        share(ada, item, guest)
    ada.report(secret, *HOME)
    ada.is_at(*HOME)
    ben.is_at(*HOME)
    cleo.is_at(*north(5_000))
    page = sign_in(ada)
    page.goto("/tracking/items")
    expect(card(page, "Bike")).to_be_visible()
    ada.is_at(*north(500))
    expect(card(page, "Bike")).to_contain_text("With another person")
    assert [kind for kind, _ in told(ada)].count("itemTooFar") == 0
    ben.is_at(*north(400))
    for someone, count in ((ada, 1), (ben, 1), (cleo, 0)):
        assert [kind for kind, _ in told(someone)].count("itemTooFar") == count, someone.email
    expect(card(page, "Bike")).to_contain_text("Lost")


@pytest.mark.service_worker
@pytest.mark.spec("T-6-1-4")
def test_open_page_of_a_removed_person_leaves_and_nothing_opens_offline(person, sign_in):
    ada, ben = person("Ada"), person("Ben")
    item = ada.add_item("Bike")
    secret = ada.add_osmand_tracker(item)
    ada.report(secret, *HOME)
    share(ada, item, ben)
    path = f"/tracking/items/{item['id']}"
    details = with_worker(sign_in(ben))
    see(details, path)
    until(details, "() => document.documentElement.dataset.live === 'open'")
    page = sign_in(ada)
    page.goto(f"{path}/people")
    page.locator("summary", has_text="Ben").click()
    page.get_by_role("button", name="Stop sharing").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Stop sharing").click()
    # Ben's open page leaves.
    expect(details).to_have_url(re.compile("/tracking/items$"))
    expect(details.get_by_role("main")).not_to_contain_text("Bike")
    for part in ("", "/fixes", "/fixes?format=gpx", "/people"):
        ben.call("GET", path + part, expect=404)
    assert ("itemShared", "Ada no longer shares Bike with you") in told(ben)
    until(details, """async (path) => {
        for (const name of await caches.keys()) {
            for (const one of await (await caches.open(name)).keys()) {
                if (new URL(one.url).pathname.startsWith(path)) return false;
            }
        }
        return true;
    }""", path)
    # Nothing of the item opens without a connection.
    go_offline(details)
    details.goto(path)
    expect(details.get_by_role("heading", level=1)).to_have_text("No connection")


@pytest.mark.spec("T-6-2-3")
def test_the_owner_sees_and_ends_the_live_link_of_a_person_who_manages(person, sign_in):
    ada, ben = person("Ada"), person("Ben")
    item = ada.add_item("Bike")
    share(ada, item, ben, "manage")
    page = sign_in(ada)
    page.goto(f"/tracking/items/{item['id']}")
    until(page, "() => document.documentElement.dataset.live === 'open'")
    link = ben.call("POST", "/tracking/live-links", {"itemId": item["id"], "duration": "1h"}, expect=201)
    row = page.locator("#open-links").get_by_role("listitem")
    expect(row).to_contain_text("Ben’s live link is open")
    assert told(ada)[0] == ("itemShared", "Ben shares Bike by a live link")
    row.get_by_role("button", name="Revoke").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bike")
    expect(page.locator("#open-links")).to_be_hidden()
    path = link["url"].removeprefix(ada.server.url)
    assert page.request.get(path).status == 404
    assert told(ben)[0] == ("itemShared", "Ada revoked your live link to Bike")
