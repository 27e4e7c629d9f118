"""Offline: the list of items immediately shows an added item and a new name, marked as pending."""

import re

import pytest
from playwright.sync_api import expect

from support.offline import (
    add_offline,
    go_offline,
    go_online,
    is_kept,
    is_refused,
    names,
    open_waiting,
    rename_offline,
    see,
    waits,
    with_worker,
)
from support.pages import words

pytestmark = pytest.mark.service_worker

WAITING = ".waiting-badge"


def titles(page):
    return page.locator("#items .card-title")


def waiting_titles(page):
    return page.locator(f"#items .card:has({WAITING}) .card-title")


def prepare(page, *items):
    """Caches the pages that the tests need offline."""
    see(page, "/tracking/items")
    is_kept(page, "/tracking/items/new")
    for item in items:
        see(page, f"/tracking/items/{item['id']}")
        see(page, f"/tracking/items/{item['id']}/edit")


def test_added_items_are_listed_immediately_until_the_server_has_them(engine, person, sign_in):
    someone = person()
    page = with_worker(sign_in(someone))
    prepare(page)
    # The list is empty, and then it has other items.
    for added, others in ((["Umbrella", "Kite"], []), (["Scarf", "Lamp"], ["Kite", "Umbrella"])):
        go_offline(page)
        for name in added:
            add_offline(page, name)
            expect(page).to_have_url(re.compile("/tracking/items$"))
        waits(page, 2)
        expect(titles(page)).to_have_text([*reversed(added), *others])
        expect(waiting_titles(page)).to_have_text([*reversed(added)])
        expect(page.locator(f"#items {WAITING}").first).to_have_text("Waiting")
        expect(page.locator("#items .empty")).to_be_hidden()
        # Records all names that the list shows.
        page.evaluate("""() => {
          window.seen = [];
          const titles = () => [...document.querySelectorAll("#items .card-title")];
          const note = () => window.seen.push(titles().map((one) => one.textContent));
          new MutationObserver(note).observe(document.getElementById("items"), { childList: true, subtree: true });
        }""")
        go_online(page)
        waits(page, 0)
        expect(titles(page)).to_have_text(sorted([*added, *others]))
        expect(waiting_titles(page)).to_have_count(0)
        assert names(someone) == sorted([*added, *others])
        seen = page.evaluate("() => window.seen")
        assert seen and all(set(added) <= set(shown) for shown in seen), "the real row replaces the marked one"
        for name in added:
            expect(page.get_by_role("link", name=words(name))).to_have_attribute(
                "href", re.compile("^/tracking/items/"))
        page.goto("/tracking/items")
        is_kept(page, "/tracking/items", words=added[0])


def test_pending_changes_are_listed_until_they_are_sent_discarded_or_rejected(engine, person, sign_in):
    someone = person()
    item = someone.add_item("Keys")
    page = with_worker(sign_in(someone))
    prepare(page, item)
    go_offline(page)
    for name in ("Car keys", "Bike keys"):
        rename_offline(page, item, name)
    waits(page, 2)
    page.goto("/tracking/items")
    expect(titles(page)).to_have_text(["Bike keys"])
    expect(waiting_titles(page)).to_have_text(["Bike keys"])
    go_online(page)
    waits(page, 0)
    expect(titles(page)).to_have_text(["Bike keys"])
    expect(waiting_titles(page)).to_have_count(0)

    # Discarded changes leave the list.
    see_again(page, item, "Bike keys")
    go_offline(page)
    rename_offline(page, item, "Car keys")
    add_offline(page, "Umbrella")
    waits(page, 2)
    expect(waiting_titles(page)).to_have_text(["Umbrella", "Car keys"])
    sheet = open_waiting(page)
    for count, left in ((1, ["Umbrella"]), (0, [])):
        sheet.get_by_role("listitem").first.get_by_role("button", name=words("Discard")).click()
        page.get_by_role("alertdialog").get_by_role("button", name=words("Discard")).click()
        expect(sheet.get_by_role("listitem")).to_have_count(count)
        expect(waiting_titles(page)).to_have_text(left)
    expect(titles(page)).to_have_text(["Bike keys"])

    # So do rejected ones: another device renames the item first.
    rename_offline(page, item, "Car keys")
    add_offline(page, "x" * 51)
    waits(page, 2)
    expect(waiting_titles(page)).to_have_text(["x" * 51, "Car keys"])
    someone.call("PATCH", f"/tracking/items/{item['id']}", {"name": "House keys"}, expect=200)
    go_online(page)
    is_refused(page, 2)
    expect(titles(page)).to_have_text(["House keys"])
    expect(waiting_titles(page)).to_have_count(0)


def see_again(page, item, name):
    """Caches the pages with the item's new name."""
    for path in (f"/tracking/items/{item['id']}", f"/tracking/items/{item['id']}/edit", "/tracking/items"):
        page.goto(path)
        is_kept(page, path, words=name)
