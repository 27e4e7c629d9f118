"""Offline: cached data belongs to one account and contains no secret."""

import re

import pytest
from playwright.sync_api import expect

from support.children import home
from support.codes import seen_in
from support.offline import (
    go_offline,
    go_online,
    is_kept,
    is_refused,
    kept,
    names,
    rename_offline,
    see,
    waiting,
    waits,
    with_worker,
)
from support.pages import card, sign_in_by_form, until, words
from support.patience import wait_until

pytestmark = pytest.mark.service_worker


def test_caches_contain_no_codes_or_secrets(engine, home, sign_in):
    parent = home.parent
    page = with_worker(sign_in(parent))
    see(page, "/family")
    secrets = []
    page.goto(f"/family/children/{home.mia['id']}/sign-in-codes")
    picture = page.locator("figure.qr")
    expect(picture).to_be_visible()
    secrets.append(seen_in(picture).split("code=")[1])
    page.goto("/family/invitations")
    page.get_by_label("Your password").fill(parent.password)
    page.locator("main form button[type=submit]").click()
    expect(page.locator("figure.qr, .qr").first).to_be_visible()
    item = parent.add_item("Keys")
    page.goto(f"/tracking/items/{item['id']}/tracker")
    source = parent.call("POST", "/tracking/sources", {"kind": "owntracks"}, expect=201)
    secrets += [source["secret"], source["passphrase"]]
    page.goto(f"/tracking/sources/{source['id']}")
    for path in ("/account", "/account/edit", "/account/sessions", "/account/password", "/family/scan",
                 "/family/account"):
        page.goto(path)
    page.evaluate("() => fetch('/account/export').then((answer) => answer.blob()).then(() => true)")
    is_kept(page, "/family/account")
    entries = kept(page)
    paths = {entry["path"] for entry in entries}
    told = re.compile("code|invitation|scan|sources|tracker|export|password|sessions|^/account(/edit)?$|/lock")
    assert not [path for path in paths if told.search(path)], paths
    everything = " ".join(entry["text"] for entry in entries)
    assert parent.email not in everything
    assert not [secret for secret in secrets if secret and secret in everything]


def with_a_change_that_waits(person, sign_in):
    """A person whose new name for an item is still pending on the device."""
    someone = person()
    item = someone.add_item("A secret present")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    see(page, f"/tracking/items/{item['id']}/edit")
    go_offline(page)
    rename_offline(page, item, "Another present")
    waits(page, 1)
    return someone, item, page


def test_sign_out_clears_the_device_and_warns_about_pending_changes(engine, person, sign_in):
    someone, item, page = with_a_change_that_waits(person, sign_in)
    # The server rejects it, and it stays.
    someone.call("DELETE", f"/tracking/items/{item['id']}", expect=204)
    go_online(page)
    is_refused(page, 1)
    page.goto("/account")
    is_refused(page, 1)
    page.get_by_role("button", name=words("Sign out")).click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("lose what wasn’t sent")
    question.get_by_role("button", name=words("Cancel")).click()
    assert len(waiting(page)) == 1
    page.get_by_role("button", name=words("Sign out")).click()
    page.get_by_role("alertdialog").get_by_role("button", name=words("Sign out")).click()
    expect(page.get_by_role("link", name=words("Sign in"))).to_be_visible()
    until(page, "async () => !(await caches.keys()).some((name) => /pages|pictures/.test(name))")
    wait_until(lambda: waiting(page) == [], pause=lambda: page.wait_for_timeout(50))
    go_offline(page)
    page.goto("/tracking/items")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(page.locator("body")).not_to_contain_text("present")


def test_offline_lock_shows_the_number_of_pending_changes(engine, person, sign_in):
    _, _, page = with_a_change_that_waits(person, sign_in)
    # A page that detects the lock goes to it.
    for place in ("/lock?return=/tracking/items", "/tracking/items"):
        page.goto(place)
        expect(page.get_by_role("heading", level=1)).to_have_text("Locked")
    assert kept(page) == []
    expect(page.locator("main")).to_contain_text("Waiting changes: 1")
    expect(page.locator("body")).not_to_contain_text("present")
    assert len(waiting(page)) == 1, "locking costs nothing that was typed"


def test_another_account_sees_no_data_and_sends_no_changes_of_the_previous_one(engine, server, person, sign_in):
    someone, other = person(), person("Eve")
    other.add_item("Kite")
    item = someone.add_item("A secret present")
    page = with_worker(sign_in(someone))
    see(page, "/tracking/items")
    see(page, f"/tracking/items/{item['id']}/edit")
    go_offline(page)
    rename_offline(page, item, "Another present")
    waits(page, 1)
    # The session expires and another person signs in.
    page.context.clear_cookies()
    go_online(page)
    page.wait_for_url(lambda url: "/sign-in" in url)
    sign_in_by_form(page, other)
    waits(page, 0)
    see(page, "/tracking/items")
    caches = {entry["cache"] for entry in kept(page)}
    assert all(name.endswith(other.id) for name in caches), caches
    assert "present" not in " ".join(entry["text"] for entry in kept(page))
    go_offline(page)
    page.goto("/tracking/items")
    expect(card(page, "Kite")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("present")
    assert names(someone) == ["A secret present"]
    # An open page goes to the sign-in page when its session ends.
    page.goto("about:blank")
    go_online(page)
    page.context.clear_cookies()
    sign_in_by_form(page, someone)
    waits(page, 0)
    assert names(someone) == ["Another present"]
    assert names(other) == ["Kite"]
